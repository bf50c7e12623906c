"""What this program writes into the gradebook, and what it finds there, as lines of the log."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import Row

from autograder.course import Assignment, Course
from autograder.course.locks import locked
from autograder.gradebook.log import By, Change, Known, Log, What
from autograder.gradebook.rows import Replaced
from autograder.gradebook.scores import grades_of, has_gradebook, open_gradebook
from autograder.verdicts.totals import rounded

SHORT = 12  # hexadecimal digits of a digest that tell versions apart
WORDS = {
    "engine": "the engine",
    "files": "a file beside the notebook",
    "settings": "a setting",
    "secret": "the course secret",
    "points": "its points",
    "void": "whether it is void",
    "question": "its question or key",
    "versions": "a version of Python or a package",
    "tests": "its hidden tests or known answers",
    "solution": "its solution",
    "checks": "its visible checks",
}
PLURAL = {WORDS["points"], WORDS["tests"], WORDS["checks"]}
FIRST = "graded for the first time"
AGAIN, SAME = "graded again", "graded again, with the same marks"
OUTDATED = "taken back until it is graded again: what it rests on has changed"
BEFORE_NBGRADER = "taken back until nbgrader has graded it again"
BY_NBGRADER = "graded by nbgrader autograde, or by formgrader's button"
# Why a whole submission is written where that alone tells nothing of its marks.
PASSING = {AGAIN, SAME, OUTDATED, BEFORE_NBGRADER, BY_NBGRADER}
UNLOGGED = "written by nbgrader itself, or by a run that was stopped before it could log it"
BY_HAND = "given by a person, as in formgrader"

Parts = Mapping[str, Mapping[str, str]]


class Logged:
    """Logs what is written of one assignment.

    Args:
        course: the course.
        assignment: the assignment.

    Attributes:
        log: where it is written.
    """

    def __init__(self, course: Course, assignment: Assignment) -> None:
        self.log = Log(course.root, assignment.name)  # read when it is first asked
        self._course, self._assignment = course, assignment
        self._parts: Parts = {}
        self._exercises = {one.graded_cell: one.name for one in assignment.exercises}

    def begin(self, parts: Parts) -> None:
        """Log what has changed in the course since the last grading.

        Args:
            parts: what marks rest on now, as `Grader.parts` gives it.
        """
        self.log.add(self.changed_in_course(parts))

    def changed_in_course(self, parts: Parts) -> list[Change]:
        """What has changed in the course since the last grading; it is logged by `begin` alone.

        Args:
            parts: as for `begin`.
        """
        self._parts = {
            exercise: {part: digest[:SHORT] for part, digest in found.items()}
            for exercise, found in parts.items()
        }
        with self._undisturbed():
            self.log.known()
            before = self.log.parts
            return [
                self._change(None, exercise, "rests_on", before.get(exercise), now, why)
                for exercise, now in self._parts.items()
                if before.get(exercise) != now
                for why in [changed_in_words(before.get(exercise), now) or "as it was found"]
            ]
        return []

    def changed_since(self, student: str, content: str | None) -> dict[str, str]:
        """Why the marks of a submission may be others than they were, by exercise.

        Args:
            student: who handed it in.
            content: the digest of what was handed in; None where that is not known.

        Raises:
            OSError: the log cannot be read.
        """
        known = self.log.known().get(student)
        if known is None or known.parts is None:
            return {}
        handed_in = content and known.content and known.content != content[:SHORT]
        again = ["another version was handed in"] if handed_in else []
        said = {}
        for exercise, now in self._parts.items():
            why = changed_in_words(known.parts.get(exercise), now)
            said[exercise] = "; ".join(filter(None, [*again, why]))
        return said

    def written(
        self, student: str, content: str, scores: Mapping[str, float | None], old: Replaced
    ) -> None:
        """Log a submission that was written.

        Args:
            student: who handed it in.
            content: the digest of what was handed in.
            scores: its automatic scores by graded cell.
            old: what they have replaced.
        """
        with self._undisturbed():
            known = self.log.known().get(student) or Known()
            before = {self._exercises[cell]: score for cell, score in old.scores.items()}
            was = known.automatic() if known.away else before
            whys = self.changed_since(student, content)
            first = total(was) is None
            changes = []
            for cell, score in scores.items():
                exercise = self._exercises[cell]
                if was.get(exercise) == score:
                    continue
                why = FIRST if first else whys.get(exercise) or "another score stood there"
                changes.append(self._auto(student, exercise, was.get(exercise), score, why))
            why = FIRST if first else AGAIN if changes else SAME
            whole = self._auto(student, None, total(before), total(scores) or 0.0, why)
            changes.append(replace(whole, content=content[:SHORT]))
            if (old.penalty or 0) != (old.new_penalty or 0):
                changes += self._penalties({student: (old.penalty, old.new_penalty)})
            self.log.add(changes)

    def penalised(self, changed: Mapping[str, tuple[float | None, float | None]]) -> None:
        """Log late penalties: before and now, by student."""
        with self._undisturbed():
            self.log.add(self._penalties(changed))

    def taken_back(self, student: str, score: float | None, why: str) -> None:
        """Log that a submission's automatic scores are there no more, or stay away.

        Args:
            student: who handed it in.
            score: the scores in all; None where they had been taken back before.
            why: the reason.
        """
        with self._undisturbed():
            if score is None:
                known = self.log.known().get(student) or Known()
                score = total(known.automatic()) if known.away and known.why != why else None
            if score is not None:
                self.log.add([self._auto(student, None, score, None, why)])

    def registered(self, points: Mapping[str, tuple[float | None, float | None]]) -> None:
        """Log what exercises are worth where that has changed: before and now, by graded cell."""
        with self._undisturbed():
            self.log.add(
                self._change(None, self._exercises.get(cell, cell), "points", old, new, why)
                for cell, (old, new) in points.items()
                if old != new
                for why in ["registered" if old is None else "registered with other points"]
            )

    def notice(
        self,
        gradebook: Gradebook,
        students: Collection[str] | None = None,
        by: By = "unknown",
        why: str = UNLOGGED,
    ) -> None:
        """Log whatever stands in the gradebook and not in the log: marks that people gave, first.

        Args:
            gradebook: the course's.
            students: those to look at; None for all.
            by: who has written the automatic scores among it.
            why: the reason for these.
        """
        with self._undisturbed(), ExitStack() as locks:
            for student in sorted(self._differing(gradebook, students, by, why)):
                locks.enter_context(locked(self._course.root, student))
            # Once more, now that nobody stands between writing and logging.
            found = self._differing(gradebook, students, by, why)
            self.log.add(change for changes in found.values() for change in changes)

    def _differing(
        self, gradebook: Gradebook, students: Collection[str] | None, by: By, why: str
    ) -> dict[str, list[Change]]:
        known = self.log.known()
        try:
            rows = grades_of(gradebook, self._assignment.name, students)
        except MissingEntry:
            return {}
        finally:
            gradebook.db.remove()
        there = rows.keys() | known.keys()
        found = {
            one: self._found(one, rows.get(one, ()), known.get(one) or Known(), by, why)
            for one in (there if students is None else there & set(students))
        }
        return {student: changes for student, changes in found.items() if changes}

    def _found(
        self, student: str, rows: Sequence[Row], known: Known, by: By, why: str
    ) -> list[Change]:
        """What of one submission stands in the gradebook and not in the log."""
        changes = []
        automatic = {self._exercises.get(row.name, row.name): row.auto_score for row in rows}
        was, now = known.automatic(), total(automatic)
        if now is None and not known.away and total(was) is not None:
            changes.append(self._auto(student, None, total(was), None, why, by))
        elif now is not None:
            changes += [
                self._auto(student, exercise, was.get(exercise), score, why, by)
                for exercise, score in automatic.items()
                if was.get(exercise) != score
            ]
            if changes or known.away:
                old = None if known.away else total(was)
                changes.append(self._auto(student, None, old, now, why, by))
        penalty = rows[0].late_submission_penalty or None if rows else None
        given: list[tuple[What, str | None, float | None, By, str]] = [
            ("late_penalty", None, penalty, by, why)
        ]
        for row in rows:
            exercise = self._exercises.get(row.name, row.name)
            given.append(("manual_score", exercise, row.manual_score, "person", BY_HAND))
            given.append(("extra_credit", exercise, row.extra_credit or None, "person", BY_HAND))
        for what, exercise, score, who, reason in given:
            old = known.scores.get((what, exercise))
            if old != score:
                changes.append(self._change(student, exercise, what, old, score, reason, who))
        return changes

    def _penalties(self, changed: Mapping[str, tuple[float | None, float | None]]) -> list[Change]:
        why = "late, as the course's plugin decides by now"
        return [
            self._change(student, None, "late_penalty", old or None, new or None, why)
            for student, (old, new) in changed.items()
        ]

    def _auto(
        self,
        student: str,
        exercise: str | None,
        old: float | None,
        new: float | None,
        why: str,
        by: By = "autograder",
    ) -> Change:
        return self._change(student, exercise, "auto_score", old, new, why, by)

    def _change(
        self,
        student: str | None,
        exercise: str | None,
        what: What,
        old: Any,
        new: Any,
        why: str,
        by: By = "autograder",
    ) -> Change:
        return Change(student, self._assignment.name, exercise, what, old, new, why, by)

    @contextmanager
    def _undisturbed(self) -> Iterator[None]:
        """Whatever is wrong with the log, or with logging, costs nobody a mark."""
        try:
            yield
        except Exception as error:
            said = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
            self.log.note = (
                f"{self.log.path}, the log of marks, cannot be used ({said}). Marks count."
            )


def notice(course: Course, assignments: Collection[str]) -> list[str]:
    """Log what people, or other programs, have written since the last command.

    Args:
        course: the course.
        assignments: names.
    Returns:
        what could not be logged, in words.
    """
    if not has_gradebook(course):
        return []
    found = [Logged(course, course.assignment(name)) for name in assignments]
    with open_gradebook(course) as gradebook:
        for logged in found:
            logged.notice(gradebook)
    return [logged.log.note for logged in found if logged.log.note]


_logged: dict[tuple[Path, str], Logged] = {}


def logged_of(course: Course, assignment: str) -> Logged:
    """The one that this process has, which has read the log: nbgrader asks each time anew."""
    place = course.root, assignment
    if place not in _logged:
        _logged[place] = Logged(course, course.assignment(assignment))
    return _logged[place]


def changed_in_words(before: Mapping[str, str] | None, now: Mapping[str, str]) -> str | None:
    """What is different of what an exercise's marks rest on; None for nothing that is known."""
    if before is None:
        return None
    every = dict.fromkeys((*now, *before))
    parts = [part for part in every if before.get(part) != now.get(part)]
    named = [WORDS.get(part, "other code of the course") for part in parts]
    if not named:
        return None
    *others, last = named
    if others:
        return f"{', '.join(others)} and {last} have changed"
    return f"{last} {'have' if last in PLURAL else 'has'} changed"


def total(scores: Mapping[str, float | None]) -> float | None:
    """All automatic scores together; None where there is none."""
    found = [score for score in scores.values() if score is not None]
    return rounded(sum(found)) if found else None
