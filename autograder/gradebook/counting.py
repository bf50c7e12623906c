"""Which of several hand-ins counts: it is put into `submitted/`, from where all grading takes it.

What lies there is kept first (`notebooks/hand_ins.py`), so that nothing is lost. Which one was put
there stands in `.autograder/counted`: anything else that is found there has been handed in since.
"""

import json
import math
import shutil
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import NamedTuple

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from sqlalchemy import select

from autograder.course import Course
from autograder.course.hand_ins import BEST
from autograder.course.locks import locked
from autograder.course.moments import in_words
from autograder.gradebook.copying import handed_in_at
from autograder.gradebook.grade_class import grade_one
from autograder.gradebook.granted import enter_due_dates
from autograder.gradebook.rows import Rows, released
from autograder.gradebook.scores import open_gradebook
from autograder.notebooks.hand_ins import (
    HandIn,
    content_of,
    keep,
    kept,
    plain_files,
    who_handed_in,
    write,
)
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.submitted import Submitted, find_submitted, why_refused
from autograder.verdicts import Grader, SubmissionVerdict
from autograder.verdicts.totals import automatic
from autograder.verdicts.verdict import GRADER_ERROR

OURS = (GRADER_ERROR, "grader_crashed")


class Worth(NamedTuple):
    """What a hand-in is worth beside others of the same student.

    Attributes:
        points: those that grading gives by itself; -1 where it cannot be graded.
        waiting: those that a device or a person has still to give.
    """

    points: float
    waiting: float


@dataclass(frozen=True)
class Several:
    """The hand-ins of one student for one assignment.

    Attributes:
        student: the id that hands in.
        assignment: the assignment's name.
        hand_ins: all that are kept, the earliest first; one at least.
    """

    student: str
    assignment: str
    hand_ins: tuple[HandIn, ...]


def take_in(
    course: Course, assignments: Collection[str], students: Collection[str] = ()
) -> list[Several]:
    """Keep what has come into `submitted/`; put the last there where it should lie, or none does.

    Args:
        course: the course.
        assignments: names.
        students: these alone; all when empty.
    Returns:
        of whom more than one hand-in is kept.
    """
    several = []
    for name in assignments:
        here = {one.student: one for one in find_submitted(course.folder("submitted"), [name])}
        everyone = sorted({*here, *who_handed_in(course.root, name)})
        for student in (one for one in everyone if not students or one in students):
            with locked(course.root, student):
                found = _taken_in(course, student, name, here.get(student))
                is_there = student in here and course.hand_ins.counts == BEST
                if found and not is_there and found[-1].name != _lying(course, student, name):
                    _put(course, student, name, found[-1])
            if len(found) > 1:
                several.append(Several(student, name, tuple(found)))
    return several


def choose(grader: Grader, several: Sequence[Several]) -> dict[tuple[str, str], str]:
    """Let the hand-in that counts lie in `submitted/`; where the best counts, they are graded.

    The best is the one with the highest total that grading gives by itself, less what being late
    costs; of several such the one with most points to come, then the last. Of those that cannot be
    graded none is the best.

    Returns:
        by student and assignment which one counts, in words.

    Raises:
        GradingUnavailable: nothing can be graded on this machine.
    """
    course = grader.course
    told = {}
    with open_gradebook(course) as gradebook:
        names = {one.assignment for one in several}
        enter_due_dates(course, gradebook, names)
        rows = {name: Rows(course, gradebook, released(gradebook, name)) for name in names}
        is_best = course.hand_ins.counts == BEST
        totals = _graded(grader, several) if is_best else ((one, None) for one in several)
        for one, found in totals:
            number = len(one.hand_ins) - 1
            if found is not None:
                number = _best(rows[one.assignment], one, found)
            hand_in = one.hand_ins[number]
            with locked(course.root, one.student):
                if hand_in.name != _lying(course, one.student, one.assignment):
                    _put(course, one.student, one.assignment, hand_in)
            if handed_in_at(hand_in.folder) is None:
                _forget_when(gradebook, one)
            told[one.student, one.assignment] = _said(
                one, number, "best" if is_best else "last", course.zone
            )
    return told


def _best(rows: Rows, one: Several, found: Sequence[Worth]) -> int:
    """The number of the best hand-in; of several such the one with most to come, then the last."""
    ranked = []
    for number, (hand_in, worth) in enumerate(zip(one.hand_ins, found, strict=True)):
        left = worth.points
        if 0 < left < math.inf:
            left -= rows.penalty_of(one.student, handed_in_at(hand_in.folder), left)
        ranked.append((left, worth.waiting, number))
    return max(ranked)[2]


def _graded(grader: Grader, several: Sequence[Several]) -> Iterator[tuple[Several, list[Worth]]]:
    """What each hand-in is worth."""

    def worth(found: tuple[Several, HandIn]) -> Worth:
        one, hand_in = found
        graded = grade_one(grader, Submitted(one.student, one.assignment, hand_in.folder))
        return worth_of(graded.verdict)

    with ThreadPoolExecutor(max(1, grader.workers)) as pool:
        each = [(one, hand_in) for one in several for hand_in in one.hand_ins]
        found = pool.map(worth, each)
        for one in several:
            yield one, [next(found) for _ in one.hand_ins]


def worth_of(verdict: SubmissionVerdict) -> Worth:
    """What a hand-in is worth beside others; a fault of ours lets none lose against another.

    Points that wait because a hidden test failed by itself count as earned, and a hand-in that we
    could not grade at all goes before others: so it is listed until that is mended.
    """
    if verdict.reason is not None:
        return Worth(math.inf if verdict.reason in OURS else -1.0, 0.0)
    total = automatic(verdict)
    by_fault = sum(one.pending_points for one in verdict.faults)
    return Worth(total.score + by_fault, total.pending_points - by_fault)


def _taken_in(
    course: Course, student: str, assignment: str, submitted: Submitted | None
) -> list[HandIn]:
    """All that is kept of a student, with what lies in `submitted/`; none where that cannot be."""
    before = kept(course.root, student, assignment)
    if submitted is None:
        return before
    lies = _kept_of(course, student, assignment, submitted.folder)
    if lies is None:
        return []
    _note(course, student, assignment, [lies.name])
    return kept(course.root, student, assignment)


def _kept_of(course: Course, student: str, assignment: str, folder: Path) -> HandIn | None:
    """The hand-in that a folder is: one that was put there, or a new one, which is kept now.

    None where it cannot be kept: grading says why, and it stays where it is.
    """
    put = _put_there(course, student, assignment)
    before = kept(course.root, student, assignment)
    try:
        if why_refused(folder) is not None:
            return None
        content = content_of(folder, _most_bytes(course))
        alike = [one for one in before if one.content == content and (not put or one.name in put)]
        if alike:
            return alike[-1]
        at = handed_in_at(folder)
        moment = datetime.now(UTC) if at is None else at.replace(tzinfo=UTC)
        return keep(course.root, student, assignment, folder, moment, _most_bytes(course))
    except BadNotebook:
        return None


def _put(course: Course, student: str, assignment: str, hand_in: HandIn) -> None:
    """Let a hand-in lie in `submitted/`; where this is stopped, the next run does it again."""
    place = course.folder("submitted") / student / assignment
    staged, aside = place.with_name(f".{assignment}.new"), place.with_name(f".{assignment}.old")
    for rest in (staged, aside):
        shutil.rmtree(rest, ignore_errors=True)
    staged.mkdir(parents=True)
    write(staged, dict(plain_files(hand_in.folder, _most_bytes(course))))
    before = _put_there(course, student, assignment)
    _note(course, student, assignment, [hand_in.name, *before])
    if place.exists():
        place.rename(aside)
        # Whoever collects takes no turns with us: what has just come is kept, too.
        _kept_of(course, student, assignment, aside)
    staged.rename(place)
    _note(course, student, assignment, [hand_in.name])
    shutil.rmtree(aside, ignore_errors=True)


def _lying(course: Course, student: str, assignment: str) -> str | None:
    """The hand-in that lies in `submitted/`; None where that is not sure."""
    put = _put_there(course, student, assignment)
    place = course.folder("submitted") / student / assignment
    return put[0] if len(put) == 1 and place.is_dir() else None


def _most_bytes(course: Course) -> int:
    return (course.limits.notebook_mb + course.limits.files_mb) * 2**20


def _put_there(course: Course, student: str, assignment: str) -> list[str]:
    try:
        found = json.loads(_file(course, student, assignment).read_bytes())
        return [str(one) for one in found]
    except (OSError, ValueError, TypeError):
        return []


def _note(course: Course, student: str, assignment: str, names: list[str]) -> None:
    file = _file(course, student, assignment)
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".{file.name}")
    unfinished.write_text(json.dumps(names), encoding="utf-8")
    unfinished.replace(file)


def _file(course: Course, student: str, assignment: str) -> Path:
    return course.root / ".autograder" / "counted" / student / f"{assignment}.json"


def _forget_when(gradebook: Gradebook, one: Several) -> None:
    """Another hand-in's time is not this one's, which has none."""
    row = gradebook.db.scalars(
        select(SubmittedAssignment)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == one.assignment, SubmittedAssignment.student_id == one.student)
    ).one_or_none()
    if row is not None:
        row.timestamp = None
        gradebook.db.commit()


def _said(one: Several, number: int, which: str, zone: tzinfo | None) -> str:
    moment = in_words(one.hand_ins[number].moment, zone)
    which = f"the {which} of {len(one.hand_ins)} hand-ins counts"
    return f"{which}, number {number + 1}, of {moment}"
