"""`roster.csv` and `extensions.csv`, as spreadsheets and people write them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.course import CourseError
from autograder.course.roster import EXTENSIONS, ROSTER, read_roster, spelled, spellings

NAMES = ["01-first", "02-second"]


def roster(folder: Path, people: str | bytes, extensions: str = ""):
    content = people if isinstance(people, bytes) else people.encode()
    (folder / ROSTER).write_bytes(content)
    if extensions:
        (folder / EXTENSIONS).write_text(extensions, encoding="utf-8")
    return read_roster(folder, NAMES)


def test_without_the_files_nobody_is_expected(tmp_path: Path) -> None:
    found = read_roster(tmp_path, NAMES)
    assert found.expected() == []
    assert [one.id for one in found.members("ada")] == ["ada"]


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_is_read_whatever_spreadsheet_wrote_it(
    tmp_path: Path, between: str, begin: bytes, end: str
) -> None:
    lines = [["ID", "Name", "Email"], ["007", '"Lovelace, Ada"', "ada@x.edu"], ["", "", ""]]
    text = "".join(between.join(line) + end for line in lines)
    (one,) = roster(tmp_path, begin + text.encode()).people.values()
    assert (one.id, one.name, one.email) == ("007", "Lovelace, Ada", "ada@x.edu")


def test_a_group_hands_in_under_one_id_and_has_its_members(tmp_path: Path) -> None:
    found = roster(tmp_path, "id,name,group\nann,Ann,red\nbob,Bob,red\ncy,Cy,\n")
    assert found.expected() == ["red", "cy"]
    assert [one.name for one in found.members("red")] == ["Ann", "Bob"]
    assert found.hands_in_as("bob") == "red"


def test_an_extension_of_a_member_is_the_groups(tmp_path: Path) -> None:
    found = roster(
        tmp_path,
        "id,group\nann,red\nbob,red\n",
        "student,assignment,until\nbob,01-first,2026-12-01T18:00+01:00\nred,02-second,Excused\n",
    )
    assert found.extensions["red", "01-first"].until == datetime(2026, 12, 1, 17, tzinfo=UTC)
    assert found.extensions["red", "02-second"].excused


def test_an_excuse_is_a_persons_and_the_groups_where_all_have_one(tmp_path: Path) -> None:
    people, head = "id,group\nann,red\nbob,red\n", "student,assignment,until\n"
    found = roster(tmp_path, people, head + "ann,01-first,excused\n")
    assert [found.is_excused(one, "01-first") for one in ("ann", "bob", "red")] == [
        True,
        False,
        False,
    ]
    found = roster(tmp_path, people, head + "ann,01-first,excused\nbob,01-first,excused\n")
    assert found.is_excused("red", "01-first")


def test_a_day_alone_is_meant_to_its_end(tmp_path: Path) -> None:
    found = roster(tmp_path, "id\nada\n", "student,assignment,until\nada,01-first,2026-12-01\n")
    until = found.extensions["ada", "01-first"].until
    assert until is not None
    assert (until.day, until.hour, until.minute) == (1, 23, 59)


def test_composed_and_decomposed_letters_are_the_same_id(tmp_path: Path) -> None:
    assert roster(tmp_path, "id\nzoe\u0301\n").expected() == ["zo\u00e9"]


@pytest.mark.parametrize(
    ("people", "extensions", "told"),
    [
        ("name\nAda\n", "", "no column 'id'.*It has"),
        ("id,name\n,Ada\n", "", "line 2: Ada has no id"),
        ("id\nada\nada\n", "", "line 3: 'ada' is there twice"),
        ("id,name\nada,Lovelace, Ada\n", "", "line 2: there are more cells.*quotation marks"),
        ("id,name\nzoé,Zoé\n".encode("cp1252"), "", "not in UTF-8.*Excel"),
        ("id\nada\n", "student,assignment,until\nada,1st,excused\n", "no assignment '1st'"),
        ("id\nada\n", "student,assignment,until\nada,01-frist,excused\n", "mean '01-first'"),
        ("id\nada\n", "student,assignment,until\nada,01-first,1.12.2026\n", "line 2: until is a"),
        (
            "id,group\nann,red\nbob,red\n",
            "student,assignment,until\nann,01-first,2026-12-02\nbob,01-first,2026-12-01\n",
            "line 3: 'red' has a line",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, people: str | bytes, extensions: str, told: str
) -> None:
    with pytest.raises(CourseError, match=told):
        roster(tmp_path, people, extensions)


def test_ids_are_spelled_as_the_one_folder_of_each_is(tmp_path: Path) -> None:
    people = "id,name,group\nzo\u00eb,,\nann,Ann,caf\u00e9\nkim,,\nr\u00e9my,,\n"
    found = roster(tmp_path, people, f"student,assignment,until\nzo\u00eb,{NAMES[0]},2026-12-01\n")
    for name in ("zoe\u0308", "cafe\u0301", "\u212aim", "r\u00e9my", "re\u0301my"):
        (tmp_path / name).mkdir()
    there = spelled(found, spellings(tmp_path))
    assert there.expected() == ["zoe\u0308", "cafe\u0301", "kim", "r\u00e9my"]
    assert there.names("zoe\u0308") == ""  # a row without a name tells no more than the id
    assert there.names("cafe\u0301") == "Ann"
    assert list(there.extensions) == [("zoe\u0308", NAMES[0])]
