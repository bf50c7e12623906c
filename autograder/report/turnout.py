"""Who handed an assignment in, who did not, and what waits."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.marks import Standing
from autograder.verdicts.totals import rounded


@dataclass(frozen=True)
class Student:
    """Somebody of the class.

    Attributes:
        name: as the roster has it, else the id.
        id: the student's own.
    """

    name: str
    id: str


@dataclass(frozen=True)
class NotGraded:
    """A submission without marks.

    Attributes:
        student: the id that handed in: a student's, or a group's.
        reason: a code.
        detail: more about it, for a person.
    """

    student: str
    reason: str
    detail: str | None


@dataclass(frozen=True)
class Waiting:
    """Answers whose points are still to come.

    Attributes:
        exercise: the exercise.
        waits_for: `person`, or a device such as `cuda`.
        points: how many points in all.
        students: the ids that handed in.
    """

    exercise: str
    waits_for: str
    points: float
    students: tuple[str, ...]


@dataclass(frozen=True)
class Stopped:
    """What stopped notebooks, so that answers failed for that alone.

    Attributes:
        what: the error, or the import that is not there.
        students: the ids that handed in.
        where: of each of them, in which line of which cell.
        answers: how many failed for it.
    """

    what: str
    students: tuple[str, ...]
    where: tuple[str, ...]
    answers: int


@dataclass(frozen=True)
class Turnout:
    """How an assignment stands with the class. All students are people, groups told apart.

    Attributes:
        expected: how many students the roster has, or handed in without standing there.
        graded: students whose submission has marks.
        missing: those who handed in nothing.
        excused: those who need not.
        late: those who handed in after it was due, for them.
        ungraded: submissions without marks.
        waiting: by exercise, the most points first.
        came: when each submission was handed in, in order, where that is known.
        due: until when most could hand in; None for no end.
        stopped: what stopped notebooks, what most answers failed for first.
    """

    expected: int
    graded: int
    missing: tuple[Student, ...]
    excused: tuple[Student, ...]
    late: tuple[Student, ...]
    ungraded: tuple[NotGraded, ...]
    waiting: tuple[Waiting, ...]
    came: tuple[datetime, ...]
    due: datetime | None
    stopped: tuple[Stopped, ...] = ()


def students_of(standings: Iterable[Standing]) -> tuple[Student, ...]:
    """The people behind submissions, by name."""
    found = {(person.name, person.id) for standing in standings for person in standing.people}
    return tuple(Student(*one) for one in sorted(found))


def turnout_of(standings: Sequence[Standing]) -> Turnout:
    """How one assignment stands.

    Args:
        standings: of everyone, on one assignment.
    """
    by_status = {
        status: [one for one in standings if one.status == status]
        for status in ("graded", "ungraded", "missing", "excused")
    }
    handed_in = [*by_status["graded"], *by_status["ungraded"]]
    late = [one for one in handed_in if one.due and one.handed_in and one.handed_in > one.due]
    dues = [one.due for one in handed_in]
    return Turnout(
        expected=len(students_of(standings)),
        graded=len(students_of(by_status["graded"])),
        missing=students_of(by_status["missing"]),
        excused=students_of(by_status["excused"]),
        late=students_of(late),
        ungraded=tuple(
            NotGraded(one.student, one.reason or "not_graded", one.detail)
            for one in by_status["ungraded"]
        ),
        waiting=_waiting(by_status["graded"]),
        came=tuple(sorted(one.handed_in for one in handed_in if one.handed_in)),
        due=Counter(dues).most_common(1)[0][0] if dues else None,
        stopped=_stopped(by_status["graded"]),
    )


def _stopped(graded: Iterable[Standing]) -> tuple[Stopped, ...]:
    found: dict[str, Counter[tuple[str, str]]] = {}
    for one in graded:
        for finding in (one.findings or {}).values():
            for what, where in finding.stops:
                found.setdefault(what, Counter())[one.student, where] += 1
    stopped = []
    for what, places in found.items():
        students, wheres = zip(*places, strict=True)
        stopped.append(Stopped(what, students, wheres, places.total()))
    return tuple(sorted(stopped, key=lambda one: (-one.answers, one.what)))


def _waiting(graded: Iterable[Standing]) -> tuple[Waiting, ...]:
    found: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for one in graded:
        for name, total in one.total.exercises.items() if one.total else ():
            if total.pending_points:
                finding = (one.findings or {}).get(name)
                for what in (finding.waits_for if finding else ()) or ("person",):
                    found.setdefault((name, what), []).append((one.student, total.pending_points))
    waiting = [
        Waiting(
            name, what, rounded(sum(points for _, points in them)), tuple(who for who, _ in them)
        )
        for (name, what), them in found.items()
    ]
    return tuple(sorted(waiting, key=lambda one: (-one.points, one.exercise, one.waits_for)))
