"""Marks into the offline grading worksheet that Moodle exported for one assignment.

Moodle skips without a word: a grade above the maximum, a row that somebody has graded meanwhile, a
grade that is locked, and a participant that it does not know. So the worksheet is its own, with
other numbers in one column, and what it would skip is refused here.

Source: `mod/assign/feedback/offline` and `mod/assign/gradingtable.php` of moodle/moodle.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from autograder.course.errors import CourseError
from autograder.export.choices import Choices
from autograder.export.columns import Titled, find_column
from autograder.export.filling import Column, Filling
from autograder.export.marks import Mark
from autograder.export.matching import match_students
from autograder.export.numbers import as_points, decimal_sign
from autograder.export.table import Table, read_table

IDENTIFIER, GRADE = "Identifier", "Grade"
CHANGEABLE, LAST_MODIFIED = "Grade can be changed", "Last modified (grade)"
IDS = ("ID number", "Username", "Email address")
OF_A_GRADEBOOK = "Last downloaded from this course"


def fill_moodle(
    template: Path,
    marks: Sequence[Mark],
    choices: Choices,
    columns: Mapping[str, str],
    match: str | None = None,
) -> tuple[bytes, list[str]]:
    """Fill a grading worksheet.

    Args:
        template: the worksheet as Moodle wrote it.
        marks: those of one assignment.
        choices: what an instructor said of marks that are not plain.
        columns: what the column of grades is called, by the assignment's name, where the site's
            language is not English.
        match: the column that says who is who; found out where None.

    Returns:
        the filled file, and what an instructor should know of it.

    Raises:
        CourseError: something does not fit; the text says all that does not.
    """
    names = list(dict.fromkeys(one.assignment.name for one in marks))
    if len(names) != 1:
        raise CourseError(
            f"A worksheet of Moodle's is about one assignment, and these are {len(names)}: "
            f"{', '.join(names)}. Say which with --assignment."
        )
    table = read_table(template)
    at = _grade_column(table, names[0], columns)
    students = [row for row in range(1, len(table.rows)) if any(table.texts(row))]
    maximum = _maximum(table, students, at + 1)
    header = table.texts(0)
    found = match_students(table, students, [one.person for one in marks], _ids(header, at), match)
    filling = Filling(table, found, choices, "Moodle", None, drops_above=True)
    numbers = [table.text_at(row, place) for row in students for place in (at, at + 1)]
    column = Column(header[at], at, maximum, decimal_sign(numbers))
    locked = header.index(CHANGEABLE) if CHANGEABLE in header else None
    filling.fill(column, marks, partial(_why_dropped, table, at, locked))
    content = filling.finish(students, shown_in=1 if at > 1 else 0)
    return content, [*filling.said, *_how_to_upload(table)]


def _grade_column(table: Table, name: str, columns: Mapping[str, str]) -> int:
    header = table.texts(0)
    if OF_A_GRADEBOOK in header:
        raise CourseError(
            f"{table.path} is the whole gradebook. It does not say what the assignment is worth, "
            "and what is imported there can no longer be graded in the assignment. Download the "
            "assignment's own worksheet: Submissions, Actions, Download grading worksheet."
        )
    missing = [one for one in (IDENTIFIER, GRADE, LAST_MODIFIED) if one not in header]
    if missing and name not in columns:
        raise CourseError(
            f"{table.path} is no grading worksheet of an English Moodle: it has no column "
            f"{' and no '.join(map(repr, missing))}; it has: {', '.join(header)[:300]}. Download "
            "it under the assignment's submissions (feedback type 'Offline grading worksheet'), "
            "and in another language name the column of grades: "
            f"--column {name}=TITLE."
        )
    titled = [Titled(text, text, "", at) for at, text in enumerate(header)]
    return find_column(table, name, titled, {name: columns.get(name, GRADE)}).at


def _maximum(table: Table, students: Sequence[int], at: int) -> float:
    """The assignment's maximum, which stands in every row behind the grade."""
    found = {as_points(table.text_at(row, at)) for row in students}
    (maximum,) = found if len(found) == 1 else (None,)
    if maximum is None:
        raise CourseError(
            f"{table.path}: the column behind the grades does not hold one maximum for all"
            f"{' (there are no students)' if not students else ''}. Is the assignment graded in "
            "points, not by a scale? Download the worksheet once more."
        )
    return maximum


def _ids(header: Sequence[str], grade: int) -> list[str]:
    """The columns that may hold ids: in English the known ones, else all before the grade."""
    known = [one for one in IDS if one in header]
    return known if IDENTIFIER in header else list(header[1:grade])


def _why_dropped(table: Table, at: int, locked: int | None, row: int) -> str | None:
    """Why Moodle would take no grade in a row; None where it takes one."""
    if at >= len(table.rows[row]):
        return f"line {table.line(row)} of the file ends before this column"
    if locked is not None and table.text_at(row, locked) == "No":
        return "the grade is locked in Moodle"
    return None


def _how_to_upload(table: Table) -> list[str]:
    """What to choose in Moodle's form, where that is not what it offers by itself."""
    choose = []
    if table.encoding != "utf-8":
        choose.append(f"the encoding {table.encoding}")
    if table.separator != ",":
        choose.append(f"the separator {'tab' if table.separator == chr(9) else 'semicolon'}")
    return [f"When you upload it, choose {' and '.join(choose)}."] if choose else []
