"""Marks into the gradebook file that Canvas exported.

Canvas's importer makes a new assignment of a column that it does not know, takes a student by name
where no id fits, changes an assignment's points where the row of points says so, and ignores what
it does not take. So the file is its own, with other numbers in some cells.

Source: `lib/gradebook_importer.rb` and `lib/gradebook_exporter.rb` of instructure/canvas-lms.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from autograder.course.errors import CourseError
from autograder.export.choices import Choices
from autograder.export.columns import Titled, find_column
from autograder.export.filling import Column, Filling
from autograder.export.marks import Mark
from autograder.export.matching import match_students
from autograder.export.numbers import as_points, decimal_sign
from autograder.export.table import Table, read_table

IDS = ("SIS Login ID", "SIS User ID", "Integration ID", "ID")
ABOUT_STUDENTS = {"Student", "LastName", "FirstName", *IDS, "Root Account", "Section"}
# Columns whose names hold one of these are totals to the importer, whatever else they say.
TOTALS = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
WITH_ID = re.compile(r"(.+) \((\d+)\)", re.DOTALL)
HIDDEN = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
NOT_ASSIGNED = "N/A"
EXCUSED = "EX"


def fill_canvas(
    template: Path,
    marks: Sequence[Mark],
    choices: Choices,
    columns: Mapping[str, str],
    match: str | None = None,
) -> tuple[bytes, list[str]]:
    """Fill a gradebook file.

    Args:
        template: the file as Canvas exported it.
        marks: those to put in, by assignment.
        choices: what an instructor said of marks that are not plain.
        columns: which column is which assignment's, where the titles do not tell.
        match: the column that says who is who; found out where None.

    Returns:
        the filled file, and what an instructor should know of it.

    Raises:
        CourseError: something does not fit; the text says all that does not.
    """
    table = read_table(template)
    _refuse_other_files(table)
    points = _points_row(table)
    students = [row for row in range(1, len(table.rows)) if _is_student(table, row, points)]
    people = [one.person for one in marks]
    found = match_students(table, students, people, IDS, match)
    filling = Filling(table, found, choices, "Canvas", EXCUSED, drops_above=False)
    titled = _titled(table)
    taken: dict[int, str] = {}
    for name, group in groupby(marks, lambda one: one.assignment.name):
        one = find_column(table, name, titled, columns)
        if one.at in taken:
            raise CourseError(f"{taken[one.at]} and {name} would both go into {one.header!r}.")
        taken[one.at] = name
        shown = table.text_at(points, one.at)
        maximum = as_points(shown)
        if maximum is None:  # the importer looks for "read only" there
            filling.problems.append(
                f"{name}: Canvas takes no marks in {one.header!r}, whose points possible are "
                f"{shown or 'empty'!r}."
            )
            continue
        numbers = [table.text_at(row, one.at) for row in (points, *students)]
        column = Column(one.header, one.at, maximum, decimal_sign(numbers))
        filling.fill(column, list(group), partial(_why_dropped, table, one.at))
    return filling.finish(students, shown_in=0), filling.said


def _refuse_other_files(table: Table) -> None:
    header = table.texts(0)
    names = header[:2] if header[0] == "Student" else header[:3]
    known = names in (["Student", "ID"], ["LastName", "FirstName", "ID"])
    if not known or "Section" not in header:
        raise CourseError(
            f"{table.path} is no gradebook that Canvas exported: its first row should begin with "
            f"Student and ID, and have a Section; it is: {', '.join(header)[:200]}. In Canvas, "
            "choose Grades, Export, Export Entire Gradebook."
        )
    if table.encoding != "utf-8" or table.separator == "\t":
        raise CourseError(
            f"{table.path} was saved by a spreadsheet: Canvas would not read it "
            f"({table.encoding}{', with tabs' if table.separator == chr(9) else ''}; it reads "
            "UTF-8 with commas or semicolons). Export it once more, and do not open it in between."
        )


def _points_row(table: Table) -> int:
    for row in range(1, len(table.rows)):
        if "Points Possible" in table.text_at(row, 0):
            return row
    raise CourseError(
        f"{table.path} has no row 'Points Possible', so nothing says what its assignments are "
        "worth. Export it once more from Canvas."
    )


def _is_student(table: Table, row: int, points: int) -> bool:
    return row != points and not all(HIDDEN.fullmatch(text) for text in table.texts(row))


def _titled(table: Table) -> list[Titled]:
    """The assignments' columns: Canvas writes every title with an id behind it."""
    found = []
    for at, header in enumerate(table.texts(0)):
        parts = WITH_ID.fullmatch(header)
        if parts and header not in ABOUT_STUDENTS and not TOTALS.search(header):
            found.append(Titled(header, parts[1], parts[2], at))
    return found


def _why_dropped(table: Table, column: int, row: int) -> str | None:
    """Why Canvas would take no mark in a cell; None where it takes one."""
    if column >= len(table.rows[row]):
        return f"line {table.line(row)} of the file ends before this column"
    return "not assigned to them in Canvas" if table.text_at(row, column) == NOT_ASSIGNED else None
