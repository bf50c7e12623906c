"""Families of answers: answers to an exercise that are the same up to names and layout."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autograder.course import Course
from autograder.marks.answers import Answers, Form
from autograder.marks.known_answers import known_texts
from autograder.marks.standing import Standing, standing_of

CENT = 0.005
RARE_STUDENTS, RARE_SHARE = 2, 0.01

Outcome = Literal["right", "partly", "wrong", "mixed", "no marks"]


@dataclass(frozen=True)
class AnswerFamily:
    """Answers that are the same up to names and layout.

    Attributes:
        id: eight letters and digits, the same wherever and whenever such an answer is handed in.
        exercise: what they answer.
        form: `code`; or what they are in its place: `no Python` (all that cannot be parsed), `as
            released`, `empty`.
        students: the ids that handed them in, in order.
        source: one of the answers, as it was handed in.
        outcome: `right` where all have full marks, `wrong` where all have none, `partly` where all
            have some; `mixed`, since other cells take part in an answer; `no marks` where none is
            graded.
        points: the marks of those that are graded, by student.
        max_points: what full marks are.
        known: the known answer that is in this family: `reference`, a variant's name or a mistake's
            slug; None where there is none.
        rare: whether it is code that few handed in, and that the course does not know.
    """

    id: str
    exercise: str
    form: Form
    students: tuple[str, ...]
    source: str
    outcome: Outcome
    points: Mapping[str, float]
    max_points: float
    known: str | None
    rare: bool


def families_of(
    course: Course, assignment: str, standings: Sequence[Standing] | None = None
) -> list[AnswerFamily]:
    """The families of answers to an assignment's exercises in code.

    Args:
        course: the course.
        assignment: the assignment's name.
        standings: what `standing_of` says, where it has been asked already.
    Returns:
        by exercise in the notebook's order, the largest family first.
    """
    if standings is None:
        standings = standing_of(course, [assignment])
    marks = {one.student: one.total.exercises for one in standings if one.total is not None}
    answers = Answers(course, assignment)
    handed_in = answers.handed_in()
    known = known_families(course, answers)
    most = most_that_are_rare(len(handed_in))
    families = []
    for exercise in answers.exercises:
        max_points = course.assignment(assignment).exercise(exercise).points
        members: dict[str, list[str]] = defaultdict(list)
        for student, theirs in handed_in.items():
            members[theirs[exercise].family].append(student)
        for family, students in members.items():
            one = handed_in[students[0]][exercise]
            points = {
                student: marks[student][exercise].score
                for student in students
                if exercise in marks.get(student, ())
            }
            families.append(
                AnswerFamily(
                    id=family,
                    exercise=exercise,
                    form=one.form,
                    students=tuple(students),
                    source=one.source,
                    outcome=_outcome(points, max_points),
                    points=points,
                    max_points=max_points,
                    known=known.get(family),
                    rare=one.form == "code" and family not in known and len(students) <= most,
                )
            )
    order = {name: place for place, name in enumerate(answers.exercises)}
    return sorted(families, key=lambda one: (order[one.exercise], -len(one.students), one.id))


def known_families(course: Course, answers: Answers) -> dict[str, str]:
    """The names of the known answers to an assignment's exercises, by their families."""
    known: dict[str, str] = {}
    texts = [one for one in known_texts(course) if one.exercise in answers.exercises]
    written = answers.of((one.exercise, one.source) for one in texts)
    for one, answer in zip(texts, written, strict=True):
        known.setdefault(answer.family, one.name)
    return known


def most_that_are_rare(students: int) -> int:
    """How many students of a class may write what still counts as rare."""
    return max(RARE_STUDENTS, int(RARE_SHARE * students))


def _outcome(points: Mapping[str, float], max_points: float) -> Outcome:
    if not points:
        return "no marks"
    kinds = {
        "right" if score > max_points - CENT else "partly" if score > CENT else "wrong"
        for score in points.values()
    }
    return kinds.pop() if len(kinds) == 1 else "mixed"  # type: ignore[return-value]
