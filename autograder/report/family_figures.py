"""Families of answers over the class: how many wrote the same, and what it earned."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.course import Course
from autograder.marks import Standing
from autograder.marks.families import families_of


@dataclass(frozen=True)
class FamilyFigures:
    """Answers to one exercise that are the same up to names and layout.

    Attributes:
        id: what `autograder comment` takes.
        form: `code`; or what they are in its place, such as `as released`.
        students: the ids that handed them in.
        outcome: `right`, `partly`, `wrong`, `mixed`, or `no marks`.
        mean: what they earned on average, as a part (0 to 1) of full marks; None where none is
            graded.
        known: the known answer that is one of them: `reference`, a variant's name or a mistake's
            slug; None where there is none.
        rare: whether it is code that few handed in, and that the course does not know.
        source: one of the answers.
    """

    id: str
    form: str
    students: tuple[str, ...]
    outcome: str
    mean: float | None
    known: str | None
    rare: bool
    source: str


@dataclass(frozen=True)
class ExerciseFamilies:
    """All families of answers to one exercise, the largest first."""

    exercise: str
    families: tuple[FamilyFigures, ...]

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return sum(len(one.students) for one in self.families)

    @property
    def rare(self) -> int:
        """How many families are rare."""
        return sum(one.rare for one in self.families)


def family_figures(
    course: Course, assignment: str, standings: Sequence[Standing]
) -> tuple[ExerciseFamilies, ...]:
    """The families of answers to each exercise in code, in the notebook's order.

    Args:
        course: the course.
        assignment: the assignment's name.
        standings: of everyone, on this assignment.
    """
    found: dict[str, list[FamilyFigures]] = {}
    for one in families_of(course, assignment, standings):
        earned = one.points.values()
        found.setdefault(one.exercise, []).append(
            FamilyFigures(
                id=one.id,
                form=one.form,
                students=one.students,
                outcome=one.outcome,
                mean=sum(earned) / len(earned) / one.max_points if earned else None,
                known=one.known,
                rare=one.rare,
                source=one.source,
            )
        )
    return tuple(ExerciseFamilies(name, tuple(them)) for name, them in found.items())
