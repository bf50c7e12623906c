"""A file is changed in single cells and in no other byte, whatever it looks like."""

import codecs
import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.course import CourseError
from autograder.export.table import Table, read_table

CELLS = st.lists(
    st.lists(st.text("aä,;\t\"'\n =-+1", max_size=6), min_size=2, max_size=4),
    min_size=1,
    max_size=5,
)


def written(tmp_path: Path, content: bytes | str) -> Path:
    path = tmp_path / "file.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@given(rows=CELLS, separator=st.sampled_from(",;"), end=st.sampled_from(["\n", "\r\n"]))
def test_cells_are_read_as_the_csv_module_reads_them(rows, separator, end) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=separator, lineterminator=end).writerows(rows)
    table = Table(Path("any.csv"), b"", "utf-8", file.getvalue(), separator)
    assert [[cell.text for cell in row] for row in table.rows] == rows
    assert table.changed({}) == file.getvalue().encode()


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_but_the_changed_cells_stay_byte_for_byte(
    tmp_path: Path, mark: bytes, end: str
) -> None:
    lines = ['Name,"Mark",x', '"Łódź, ""A""",, 7 ', "", 'b,"3,5",', 'c,"two\nlines",""']
    content = mark + end.join(lines).encode()
    table = read_table(written(tmp_path, content))
    assert table.changed({}) == content
    changed = table.changed({(1, 1): "4", (3, 1): "4", (4, 2): "4,5"})
    expected = ['Name,"Mark",x', '"Łódź, ""A""",4, 7 ', "", 'b,"4",', 'c,"two\nlines","4,5"']
    assert changed == mark + end.join(expected).encode()


def test_a_new_text_is_quoted_where_it_must_be(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "a;b;c\n1;;\n"))
    assert table.changed({(1, 1): "2,5", (1, 2): 'x;"y"'}) == b'a;b;c\n1;2,5;"x;""y"""\n'


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-8-sig"])
def test_an_encoding_is_kept(tmp_path: Path, encoding: str) -> None:
    content = "Name;Mark\r\nJosé;\r\n".encode(encoding)
    table = read_table(written(tmp_path, content))
    assert table.texts(1) == ["José", ""]
    assert table.changed({(1, 1): "4"}) == "Name;Mark\r\nJosé;4\r\n".encode(encoding)


@pytest.mark.parametrize("content", ["", "\n", "\r\n \r\n", ",,,\n", "\ufeff"])
def test_an_empty_file_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(CourseError, match="is empty"):
        read_table(written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04rest", "is a workbook"),
        (b"a,b\n\x00\x01\x02\xff,2\n", "is no text"),
        (b"a\x81,b\n", "is no text"),
    ],
)
def test_what_is_no_csv_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    with pytest.raises(CourseError, match=why):
        read_table(written(tmp_path, content))


@pytest.mark.parametrize("line", ['"open,2', '"closed"x,2'])
def test_a_wrong_quote_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    table = read_table(written(tmp_path, f'a,b\n"1\n1",2\n{line}\n'))
    with pytest.raises(CourseError, match="line 4: a quote"):
        _ = table.rows


def test_a_title_may_be_full_of_the_other_separator(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "Student,ID,a;b;c;d;e\nada,1,\nben,2,\n"))
    assert (table.separator, table.texts(0)) == (",", ["Student", "ID", "a;b;c;d;e"])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"none\.csv cannot be read: No such file"):
        read_table(tmp_path / "none.csv")


def test_a_line_is_counted_as_an_editor_counts(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, 'a,b\r\n"1\r\n1",2\r\n3,4\r\n'))
    assert [table.line(row) for row in range(3)] == [1, 2, 4]
