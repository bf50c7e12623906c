"""Which row of another system's file is which student's: by an id, never by a guess at a name."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.course.errors import CourseError, did_you_mean
from autograder.course.roster import Person
from autograder.export.table import Table

# What a spreadsheet makes of a long number when it opens and saves a file.
SPOILT = re.compile(r"\d([.,]\d+)?E\+\d+")
NUMBERED = re.compile(r"\D+ (\d+)")  # as Moodle's "Participant 123"
SURE = ("id", "email")
NAMED = (*SURE, "name")


@dataclass(frozen=True)
class Match:
    """Students found in a file.

    Attributes:
        rows: the row of each, by the student's id.
        several: the rows of students whom several fit.
        column: the column that they were found by.
    """

    rows: dict[str, int]
    several: dict[str, list[int]]
    column: str


def match_students(
    table: Table,
    rows: Sequence[int],
    people: Iterable[Person],
    columns: Iterable[str],
    wanted: str | None = None,
) -> Match:
    """Find the column that holds the students' ids or addresses, and each one's row in it.

    The column in which most are found counts for all, as long as no other says otherwise of anyone.

    Args:
        table: the file; its first row names the columns.
        rows: those of its rows that are students'.
        people: whom to find.
        columns: the columns that may be tried, where none is wanted.
        wanted: the one column to go by; names count in it, too, and numbers behind a word.

    Raises:
        CourseError: nobody or hardly anyone is found, two columns disagree, or a row fits two
            students or a student two rows.
    """
    header = table.texts(0)
    if wanted is not None and wanted not in header:
        raise CourseError(
            f"{table.path} has no column {wanted!r}.{did_you_mean(wanted, header)} Its columns: "
            f"{', '.join(header)}."
        )
    everyone = list({one.id: one for one in people}.values())
    tried = [wanted] if wanted is not None else [one for one in columns if one in header]
    found = [
        _found(table, rows, everyone, column, kind, of_numbers)
        for column in tried
        for kind in (SURE if wanted is None else NAMED)
        for of_numbers in ((False,) if wanted is None else (False, True))
    ]
    best = max(found, key=lambda one: len(one.rows) + len(one.several), default=None)
    if best is None or not (best.rows or best.several):
        ids = ", ".join(one.id for one in everyone[:3])
        raise CourseError(
            f"No student of the course is in {table.path}. Ids here are such as {ids}; they, and "
            f"the addresses in roster.csv, were looked for in: {', '.join(tried) or 'nothing'}. "
            "Name the column with --match, or put what stands there into roster.csv."
        )
    if wanted is None and 2 * len(best.rows) < min(len(everyone), len(rows)):
        raise CourseError(
            f"{table.path}: only {len(best.rows)} of {len(everyone)} students are found, by "
            f"{best.column}, which may be by chance. If that is the column to go by, say --match "
            f"{best.column!r}; else name another, or put what stands there into roster.csv."
        )
    _refuse_several(table, best)
    _refuse_disagreement(table, best, found)
    return best


def _found(
    table: Table,
    rows: Sequence[int],
    people: Iterable[Person],
    column: str,
    kind: str,
    of_numbers: bool,
) -> Match:
    at = table.texts(0).index(column)
    exact: dict[str, list[int]] = {}
    folded: dict[str, list[int]] = {}
    for row in rows:
        text = _composed(table.text_at(row, at))
        if SPOILT.fullmatch(text):
            raise CourseError(
                f"{table.path}, line {table.line(row)}: {column} is {text!r}, which a spreadsheet "
                "made of a long number. Export the file once more, and do not open it in between."
            )
        if of_numbers:
            numbered = NUMBERED.fullmatch(text)
            text = numbered[1] if numbered else ""
        exact.setdefault(text, []).append(row)
        folded.setdefault(text.casefold(), []).append(row)
    match = Match({}, {}, column)
    for person in people:
        key = _composed(str(getattr(person, kind)).strip())
        fitting = (exact.get(key) or folded.get(key.casefold()) or []) if key else []
        if len(fitting) == 1:
            match.rows[person.id] = fitting[0]
        elif fitting:
            match.several[person.id] = fitting
    return match


def _composed(text: str) -> str:
    """The one form of a text that can be written in several, as accents can in Unicode."""
    return unicodedata.normalize("NFC", text)


def _refuse_several(table: Table, match: Match) -> None:
    for person, rows in match.several.items():
        lines = " and ".join(str(table.line(row)) for row in rows[:2])
        raise CourseError(
            f"{table.path}: lines {lines} both fit {person} by {match.column}. Name a column with "
            "--match that tells them apart."
        )
    owners: dict[int, str] = {}
    for person, row in match.rows.items():
        if row in owners:
            raise CourseError(
                f"{table.path}, line {table.line(row)}: {match.column} fits both {owners[row]} and "
                f"{person}. Name a column with --match that tells them apart."
            )
        owners[row] = person


def _refuse_disagreement(table: Table, best: Match, found: Iterable[Match]) -> None:
    for other in found:
        for person, row in best.rows.items():
            if other.rows.get(person, row) != row:
                raise CourseError(
                    f"{table.path}: it is not certain who {person} is: {best.column} says line "
                    f"{table.line(row)}, {other.column} says line {table.line(other.rows[person])}."
                    f" Say which column to go by: --match {best.column!r} or --match "
                    f"{other.column!r}."
                )
