"""Marks put into another system's file, for whichever system: what does not fit is refused."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from autograder.course.errors import CourseError
from autograder.export.choices import Choices
from autograder.export.marks import Mark
from autograder.export.matching import Match
from autograder.export.numbers import as_points, written
from autograder.export.table import Table
from autograder.export.wording import listed

Change = Literal["new", "changed", "unchanged", "unmatched", "above"]


@dataclass(frozen=True)
class Column:
    """Where one assignment's marks belong.

    Attributes:
        title: the column's name in the file.
        at: its place in a row.
        maximum: what full marks are there.
        decimal_sign: what its numbers have before their decimals.
    """

    title: str
    at: int
    maximum: float
    decimal_sign: str


@dataclass
class Filling:
    """A file that is being filled.

    Attributes:
        table: the file.
        match: whose row is which.
        choices: what an instructor said.
        system: the other system's name.
        excused: what excuses a student there; None where the file has no way to say so.
        drops_above: whether it drops a score above the maximum without a word.
        cells: the new texts, by row and column.
        said: what an instructor should know of it.
        problems: why it is refused.
    """

    table: Table
    match: Match
    choices: Choices
    system: str
    excused: str | None
    drops_above: bool
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def fill(
        self, column: Column, marks: Sequence[Mark], why_dropped: Callable[[int], str | None]
    ) -> None:
        """Put one assignment's marks into its column.

        Args:
            column: where.
            marks: the assignment's.
            why_dropped: why the system would drop a mark in a row, or None.
        """
        if not self._fits(column, marks[0]):
            return
        found: dict[Change, list[str]] = {change: [] for change in get_args(Change)}
        for mark in marks:
            text = self._text(column, mark)
            if text is not None:
                change, words = self._put(column, mark, text, why_dropped)
                found[change].append(f"{mark.person.id} {words}")
        counts = ", ".join(f"{len(found[one])} {one}" for one in ("new", "changed", "unchanged"))
        self.said.append(f"{marks[0].assignment.name} into {column.title!r}: {counts}")
        if found["changed"]:
            self.said.append(f"  changed: {listed(found['changed'])}")
        self._complain(column, marks[0], found["unmatched"], found["above"])

    def finish(self, rows: Iterable[int], shown_in: int) -> bytes:
        """The whole file.

        Args:
            rows: all rows of students.
            shown_in: the column that says who somebody is.

        Raises:
            CourseError: anything did not fit; the text says all that did not.
        """
        if self.problems:
            raise CourseError("Nothing was written.\n" + "\n".join(f"- {x}" for x in self.problems))
        found = set(self.match.rows.values())
        strangers = [self.table.text_at(row, shown_in) for row in rows if row not in found]
        if strangers:
            self.said.append(f"Only in {self.system}, left as they are: {listed(strangers)}")
        return self.table.changed(self.cells)

    def _put(
        self, column: Column, mark: Mark, text: str, why_dropped: Callable[[int], str | None]
    ) -> tuple[Change, str]:
        """Put one mark into its cell; gives what became of it, and more about that."""
        row = self.match.rows.get(mark.person.id)
        why = "not in the file" if row is None else why_dropped(row)
        if row is None or why:
            return "unmatched", f"({why})"
        score = self._score(column, mark)
        if self.drops_above and score is not None and score > column.maximum + 1e-9:
            return "above", f"({written(score)})"
        old = self.table.text_at(row, column.at)
        if old == text or (score is not None and as_points(old) == as_points(text)):
            return "unchanged", ""
        self.cells[row, column.at] = text
        return ("changed", f"{old} to {text}") if old.strip("-") else ("new", "")

    def _fits(self, column: Column, mark: Mark) -> bool:
        worth = mark.assignment.max_points
        if self.choices.scale or math.isclose(column.maximum, worth, abs_tol=0.005):
            return True
        self.problems.append(
            f"{mark.assignment.name} is worth {written(worth)} points here and "
            f"{written(column.maximum)} in {column.title!r}. Set it to {written(worth)} in "
            f"{self.system} and export its file once more, or write shares of "
            f"{written(column.maximum)} with --scale."
        )
        return False

    def _score(self, column: Column, mark: Mark) -> float | None:
        if mark.score is None:
            return None
        worth = mark.assignment.max_points
        scaled = mark.score * column.maximum / worth if self.choices.scale and worth else mark.score
        capped = self.choices.cap and self.drops_above
        return min(scaled, column.maximum) if capped else scaled

    def _text(self, column: Column, mark: Mark) -> str | None:
        """What belongs into the cell; None where there is nothing to write."""
        if mark.left_out == "excused":
            return self.excused if mark.person.id in self.match.rows else None
        score = self._score(column, mark)
        return None if score is None else written(score, column.decimal_sign)

    def _complain(
        self, column: Column, mark: Mark, unmatched: Sequence[str], above: Sequence[str]
    ) -> None:
        name = mark.assignment.name
        if unmatched and self.choices.unmatched == "omit":
            self.said.append(f"  left out, unmatched: {listed(unmatched)}")
        elif unmatched:
            self.problems.append(
                f"{name}: {self.system} would take no mark of {listed(unmatched)}. Students "
                f"were looked for by {self.match.column!r}. Mend roster.csv or the class in "
                f"{self.system}, name another column with --match, or leave them out with "
                "--unmatched omit."
            )
        if above:
            self.problems.append(
                f"{name}: {self.system} drops scores above {written(column.maximum)} without a "
                f"word: {listed(above)}. Raise the maximum there, give these by hand, or "
                "write the maximum in their place with --cap."
            )
