"""A CSV file of another system's, in which single cells are changed and no other byte.

Python's csv module tells what cells hold, not where they stand; a file that goes back to where it
came from keeps its line ends, its quoting, its byte order mark and its encoding.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.course.errors import CourseError

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
SEPARATORS = ",;\t"
FIRST_ROWS = 3
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


@dataclass(frozen=True)
class Cell:
    """One cell of a file.

    Attributes:
        text: what it holds, without quotes.
        start: where it begins in the file's text, its quote included.
        end: where it ends.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Table:
    """A CSV file, read.

    Attributes:
        path: where it is.
        mark: its byte order mark; empty where it has none.
        encoding: the encoding of what follows.
        text: all of it, line ends as they are.
        separator: what stands between its cells.
    """

    path: Path
    mark: bytes
    encoding: str
    text: str
    separator: str

    @cached_property
    def rows(self) -> list[list[Cell]]:
        """Its rows; an empty line is a row of one empty cell."""
        return _rows(self.path, self.text, self.separator)

    def texts(self, row: int) -> list[str]:
        """What a row's cells hold, without the blanks around."""
        return [cell.text.strip() for cell in self.rows[row]]

    def text_at(self, row: int, column: int) -> str:
        """What a cell holds, without the blanks around; empty where the row is too short."""
        cells = self.rows[row]
        return cells[column].text.strip() if column < len(cells) else ""

    def line(self, row: int) -> int:
        """The line on which a row begins, from 1, as an editor counts."""
        before = self.text[: self.rows[row][0].start]
        return 1 + len(re.findall(r"\r\n?|\n", before))

    def changed(self, cells: Mapping[tuple[int, int], str]) -> bytes:
        """The whole file with other texts in some cells, by row and column.

        A cell stays quoted where it was, and is quoted where its new text needs it.
        """
        parts, at = [], 0
        for (row, column), new in sorted(cells.items()):
            old = self.rows[row][column]
            quoted = self.text[old.start : old.end].startswith('"')
            parts += [self.text[at : old.start], self._written(new, quoted)]
            at = old.end
        parts.append(self.text[at:])
        return self.mark + "".join(parts).encode(self.encoding)

    def _written(self, text: str, quoted: bool) -> str:
        if quoted or any(one in text for one in ('"', "\r", "\n", self.separator)):
            return '"' + text.replace('"', '""') + '"'
        return text


def read_table(path: Path) -> Table:
    """Read a CSV file, whichever its encoding, separator and line ends are.

    Raises:
        CourseError: it is not there, empty, or no CSV file; the text says which.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror or error}.") from error
    if content.startswith(WORKBOOKS):
        raise CourseError(
            f"{path} is a workbook, not CSV. Give the CSV file as the other system exported it: a "
            "spreadsheet changes ids, dates and encodings when it saves."
        )
    mark = next((one for one in BYTE_ORDER_MARKS if content.startswith(one)), b"")
    text, encoding = _decoded(path, mark, content[len(mark) :])
    if not text.strip("\r\n \t,;"):
        raise CourseError(f"{path} is empty. Export it once more from the other system.")
    separator = max(SEPARATORS, key=lambda one: _fits(path, text, one))
    return Table(path, mark, encoding, text, separator)


def _decoded(path: Path, mark: bytes, content: bytes) -> tuple[str, str]:
    for encoding in [BYTE_ORDER_MARKS[mark]] if mark else ["utf-8", "cp1252"]:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, encoding
    raise CourseError(f"{path} is no text in UTF-8, UTF-16 or Windows' encoding.")


def _fits(path: Path, text: str, separator: str) -> tuple[bool, int]:
    """How well a separator fits: whether the first rows are of one length, and of which."""
    try:
        sizes = [len(row) for row in _rows(path, text, separator, most=FIRST_ROWS)]
    except CourseError:
        return False, 0
    return len(set(sizes)) == 1 and sizes[0] > 1, sizes[0]


def _rows(path: Path, text: str, separator: str, most: int | None = None) -> list[list[Cell]]:
    """Every row; what stands between quotes may hold separators and line ends."""
    field = re.compile(
        rf'(?:"([^"]*(?:""[^"]*)*)"|([^"{separator}\r\n][^{separator}\r\n]*)?)({separator}|\r\n?|\n|\Z)'
    )
    rows: list[list[Cell]] = []
    cells: list[Cell] = []
    at = 0
    while at < len(text) or cells:
        found = field.match(text, at)
        if found is None:
            line = 1 + len(re.findall(r"\r\n?|\n", text[:at]))
            raise CourseError(
                f"{path}, line {line}: a quote is opened there and not closed, or text follows one "
                "that closes. Export the file once more from the other system."
            )
        quoted, plain, end = found.groups()
        held = quoted.replace('""', '"') if quoted is not None else plain or ""
        cells.append(Cell(held, at, found.start(3)))
        at = found.end()
        if end != separator:
            rows.append(cells)
            if len(rows) == most:
                break
            cells = []
    return rows
