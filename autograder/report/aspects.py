"""Which aspects of understanding are weak over the course, such as gradients or numerics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.report.class_table import ClassTable
from autograder.verdicts.totals import rounded


@dataclass(frozen=True)
class Part:
    """What hidden tests of one aspect found in answers that were tried.

    Attributes:
        earned: the points that they gave.
        points: those that they could have given.
        answers: how many answers they judged.
    """

    earned: float
    points: float
    answers: int

    @property
    def share(self) -> float:
        """The part that was earned, 0 to 1."""
        return self.earned / self.points


@dataclass(frozen=True)
class AspectFigures:
    """One aspect over the course.

    Attributes:
        aspect: its name in a test's marker.
        title: what students read.
        whole: over all assignments.
        by_assignment: in each that asks for it.
        weakest: the exercise in which the class lost most of its points: assignment, exercise.
    """

    aspect: str
    title: str
    whole: Part
    by_assignment: Mapping[str, Part]
    weakest: tuple[str, str]


def aspects_of(
    tables: Sequence[ClassTable], titles: Mapping[str, str]
) -> tuple[AspectFigures, ...]:
    """Every aspect that the assignments ask for, the weakest first.

    Args:
        tables: the answers, by assignment.
        titles: what students read, by aspect.
    """
    found: dict[str, dict[tuple[str, str], Part]] = {}
    for table in tables:
        for exercise in table.assignment.exercises:
            for _, finding in table.findings(exercise.name):
                for aspect, (earned, points) in (
                    finding.aspects.items() if finding.attempted else ()
                ):
                    parts = found.setdefault(aspect, {})
                    place = table.assignment.name, exercise.name
                    before = parts.get(place, Part(0.0, 0.0, 0))
                    parts[place] = Part(
                        before.earned + earned, before.points + points, before.answers + 1
                    )
    figures = [
        AspectFigures(
            aspect=aspect,
            title=titles.get(aspect, aspect),
            whole=_together(list(parts.values())),
            by_assignment={
                name: _together([part for (where, _), part in parts.items() if where == name])
                for name in dict.fromkeys(where for where, _ in parts)
            },
            weakest=min(parts, key=lambda place: parts[place].share),
        )
        for aspect, parts in found.items()
    ]
    return tuple(sorted(figures, key=lambda one: one.whole.share))


def _together(parts: Sequence[Part]) -> Part:
    return Part(
        rounded(sum(one.earned for one in parts)),
        rounded(sum(one.points for one in parts)),
        sum(one.answers for one in parts),
    )
