"""Answers that wait for a person, and what a person can decide of all of a kind at once."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal

from nbgrader.api import BaseCell, Comment, Grade, Gradebook, MissingEntry, SubmittedNotebook
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from autograder.course import Assignment, Course, Exercise
from autograder.course.locks import locked
from autograder.gradebook.logged import Logged
from autograder.gradebook.pending import CHECK_FAILED, ELSEWHERE, UNSIGNED
from autograder.gradebook.records import record_file
from autograder.gradebook.scores import has_gradebook, open_gradebook
from autograder.gradebook.totals import settle
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.submitted import Submitted
from autograder.notebooks.written_answers import Passage, passages

Why = Literal["written", "elsewhere", "unsigned", "another id", "check failed", "changed"]
NOTES: Mapping[str | None, Why] = {
    ELSEWHERE: "elsewhere",
    UNSIGNED: "unsigned",
    CHECK_FAILED: "check failed",
}


@dataclass(frozen=True)
class Waiting:
    """An answer that waits for a person.

    Attributes:
        student: whose it is.
        assignment: the assignment's name.
        exercise: what it answers.
        points: what it can get.
        why: `elsewhere` is written beside its question, and not in the answer's cell; `unsigned`
            is a right personal answer in a notebook without an id; `changed` had marks by hand.
        beside: where it is elsewhere, what stands there.
    """

    student: str
    assignment: str
    exercise: str
    points: float
    why: Why
    beside: tuple[Passage, ...] = ()


def waiting(
    course: Course, assignments: Collection[str], students: Collection[str] = ()
) -> list[Waiting]:
    """All that waits for a person, by assignment, exercise and student.

    Args:
        course: the course.
        assignments: names.
        students: those who are asked for; all where empty.
    """
    if not has_gradebook(course):
        return []
    with open_gradebook(course) as gradebook:
        found = [
            one
            for name in assignments
            for one, _ in _waiting(course, gradebook, course.assignment(name))
            if not students or one.student in students
        ]
    return _in_order(found)


def decide(course: Course, asked: Collection[Waiting], share: float) -> list[Waiting]:
    """Give answers the same share of their points, as a person would in formgrader.

    Who has changed the answer, or was given marks, in the meantime is left alone.

    Args:
        course: the course.
        asked: which answers.
        share: 0 for no points, 1 for all.
    Returns:
        those that were marked.
    """
    done = []
    with open_gradebook(course) as gradebook:
        for name in dict.fromkeys(one.assignment for one in asked):
            here = {one for one in asked if one.assignment == name}
            with ExitStack() as locks:
                for student in sorted({one.student for one in here}):
                    locks.enter_context(locked(course.root, student))
                marked = []
                for one, grade in _waiting(course, gradebook, course.assignment(name)):
                    if one in here and grade.manual_score is None:
                        grade.manual_score = share * one.points
                        grade.needs_manual_grade = False
                        marked.append(one)
                gradebook.db.commit()
                students = sorted({one.student for one in marked})
            done += marked
            Logged(course, course.assignment(name)).notice(gradebook, students)
        settle(course, gradebook, {one.assignment for one in done})
    return _in_order(done)


def _in_order(found: Collection[Waiting]) -> list[Waiting]:
    return sorted(found, key=lambda one: (one.assignment, one.exercise, one.student))


def _waiting(
    course: Course, gradebook: Gradebook, assignment: Assignment
) -> Iterator[tuple[Waiting, Grade]]:
    """What waits in an assignment, each with its row."""
    try:
        notebook = gradebook.find_notebook(assignment.name, assignment.name)
    except MissingEntry:
        return
    names = {cell.id: cell.name for cell in notebook.grade_cells}
    exercises = {one.graded_cell: one for one in assignment.exercises}
    query = (
        select(Grade)
        .where(Grade.cell_id.in_(names), Grade.needs_manual_grade)
        .options(selectinload(Grade.notebook).selectinload(SubmittedNotebook.assignment))
    )
    notes = {
        (row.notebook_id, row.name): row.auto_comment
        for row in gradebook.db.execute(
            select(Comment.notebook_id, BaseCell.name, Comment.auto_comment)
            .join(BaseCell, BaseCell.id == Comment.cell_id)
            .where(BaseCell.notebook_id == notebook.id, Comment.auto_comment.is_not(None))
        )
    }
    for grade in gradebook.db.scalars(query):
        exercise = exercises.get(names[grade.cell_id])
        student = grade.notebook.assignment.student_id
        folder = course.folder("autograded") / student / assignment.name
        one = Submitted(student, assignment.name, folder)
        is_graded = record_file(course, one.assignment, one.student).is_file()
        by_device = grade.auto_score is not None and grade.manual_score is None
        if exercise is None or by_device or not is_graded:
            continue
        note = notes.get((grade.notebook_id, exercise.name))
        other: Why = "written" if exercise.kind == "written" else "another id"
        why = NOTES.get(note, other) if grade.manual_score is None else "changed"
        beside = _beside(course, one, exercise) if why == "elsewhere" else ()
        yield (
            Waiting(one.student, one.assignment, exercise.name, exercise.points, why, beside),
            grade,
        )


def _beside(course: Course, one: Submitted, exercise: Exercise) -> tuple[Passage, ...]:
    """What stands beside a question in a graded notebook."""
    try:
        notebook = read_notebook(one.notebook, 2 * course.limits.notebook_mb * 2**20)
    except BadNotebook:
        return ()
    return passages(notebook, course.assignment(one.assignment), exercise)
