"""Marks made by hand, for tests of files that need no graded class."""

from collections.abc import Mapping

from autograder.course.assignments import Assignment, Exercise
from autograder.course.roster import Person
from autograder.export.marks import LeftOut, Mark
from autograder.marks import Standing
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal

NAME = "01-line-fitting"


def assignment(name: str = NAME, points: float = 10.0) -> Assignment:
    return Assignment(name, (Exercise("predict", points, "code"),))


def mark(
    person: Person | str,
    score: float | None,
    left_out: LeftOut | None = None,
    about: Assignment | None = None,
    pending: float = 0.0,
) -> Mark:
    """A mark; `missing` where there is no score and no other reason is given."""
    about = about or assignment()
    if isinstance(person, str):
        person = Person(person, person)
    if score is None and left_out is None:
        left_out = "missing"
    status = left_out if left_out in ("missing", "excused") else "graded"
    total = ExerciseTotal(score or 0.0, score, None, 0.0, pending)
    standing = Standing(
        person.id,
        about.name,
        status,  # type: ignore[arg-type]
        (person,),
        total=SubmissionTotal({"predict": total}) if status == "graded" else None,
    )
    return Mark(person, about, standing, score, left_out)


def marks(scores: Mapping[str, float | None], about: Assignment | None = None) -> list[Mark]:
    """A mark for each id."""
    return [mark(student, score, about=about) for student, score in scores.items()]
