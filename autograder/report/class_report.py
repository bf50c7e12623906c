"""The whole report as data, before it becomes JSON or a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.course import Course
from autograder.marks import Standing, standing_of
from autograder.report.aspects import AspectFigures, aspects_of
from autograder.report.class_table import ClassTable
from autograder.report.distribution import Distribution, distribution_of
from autograder.report.examples import Examples
from autograder.report.exercises import ExerciseFigures, figures_of
from autograder.report.family_figures import ExerciseFamilies, family_figures
from autograder.report.known_words import KnownWords
from autograder.report.misconceptions import Misconception, misconceptions_in
from autograder.report.over_time import Change, changes_between
from autograder.report.turnout import Turnout, turnout_of


@dataclass(frozen=True)
class AssignmentReport:
    """One assignment.

    Attributes:
        name: the assignment.
        turnout: who handed it in, and what waits.
        distribution: how the totals are spread.
        exercises: each exercise and question, what cost the class most first.
        families: answers in code that are the same up to names and layout, by exercise.
    """

    name: str
    turnout: Turnout
    distribution: Distribution
    exercises: tuple[ExerciseFigures, ...]
    families: tuple[ExerciseFamilies, ...]


@dataclass(frozen=True)
class ClassReport:
    """How a class is doing.

    Attributes:
        course: the course's id.
        assignments: those that are reported on, in the course's order.
        nothing_yet: those of which nobody has handed in anything, and which were not asked for.
        misconceptions: those that most students hold first.
        aspects: the weakest first.
        changes: from one assignment to the next, what most students held first.
    """

    course: str
    assignments: tuple[AssignmentReport, ...]
    nothing_yet: tuple[str, ...]
    misconceptions: tuple[Misconception, ...]
    aspects: tuple[AspectFigures, ...]
    changes: tuple[Change, ...]


def report_on(course: Course, names: Sequence[str] = ()) -> ClassReport:
    """Report on assignments.

    Args:
        course: the course, which this process serves from now on.
        names: the assignments; without any, all of which something was handed in.

    Raises:
        CourseError: there is no assignment of such a name, or the course's words cannot be read.
    """
    chosen = [name for name in course.sources if name in names or not names]
    standings: dict[str, list[Standing]] = {name: [] for name in chosen}
    for one in standing_of(course, chosen):
        standings[one.assignment].append(one)
    begun = [
        name
        for name in chosen
        if name in names or any(one.status in ("graded", "ungraded") for one in standings[name])
    ]
    tables = [
        ClassTable(
            course.assignment(name), [one for one in standings[name] if one.status == "graded"]
        )
        for name in begun
    ]
    words = KnownWords(course, [table.assignment for table in tables])
    return ClassReport(
        course=str(course.config.CourseDirectory.course_id or course.root.name),
        assignments=tuple(
            AssignmentReport(
                table.assignment.name,
                turnout_of(standings[table.assignment.name]),
                distribution_of(table),
                figures_of(table),
                family_figures(course, table.assignment.name, standings[table.assignment.name]),
            )
            for table in tables
        ),
        nothing_yet=tuple(name for name in chosen if name not in begun),
        misconceptions=misconceptions_in(tables, words, Examples(course)),
        aspects=aspects_of(tables, course.feedback.aspects),
        changes=changes_between(tables, words),
    )
