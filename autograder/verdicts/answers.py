"""The verdict on a quiz question: one test, which is the answer.

Personal questions have the numbers of the submission's owner. A notebook that says another id may
hold a right answer to another's numbers, so no mark is given: a person looks at it.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from autograder.checks.kit.personal import is_id, normalised
from autograder.checks.kit.plain_text import plain
from autograder.course import Exercise
from autograder.course.questions import Choice, Choices, Question
from autograder.judging.marking import Mark, mark
from autograder.student import MissingName, StudentDied, StudentError
from autograder.student.session import Session
from autograder.verdicts.attempted import NO_CHOICE
from autograder.verdicts.verdict import (
    ANOTHER_ID,
    ExerciseVerdict,
    Outcome,
    TestResult,
    judged_void,
)

LONGEST_ID = 40
UNQUOTED = re.compile(r"NameError: name '([A-Ha-h])' is not defined\b.*", re.DOTALL)
UNBOUND = (
    "Your cell has run, and nothing has the question's name: the answer goes behind it and `=`."
)
OWNERS = "the numbers of the one who handed it in"
UNSIGNED = f"the notebook says no student_id; the answer fits {OWNERS}"
"""The detail where nothing but the id is missing."""


@dataclass(frozen=True)
class _Unreadable:
    """Stands for a value that cannot leave the student's process; it fits no question."""


@dataclass(frozen=True)
class _Found:
    """What becomes of the one test, and what is said about it; with the cell's error, if any."""

    outcome: Outcome
    marked: Mark
    reason: str | None = None
    detail: str | None = None
    error: str | None = None
    hint: str | None = None


def judge_answer(
    exercise: Exercise, question: Question, session: Session, owner: str
) -> ExerciseVerdict:
    """Judge the answer to a quiz question.

    Args:
        exercise: gives name and points.
        question: says what is right.
        session: the submission's process, its cells run.
        owner: the id under which the submission was handed in.
    """
    if question.void:
        return _void(exercise, question, session, owner)
    try:
        found = _found(question, session, owner)
        if exercise.taking_part and found.marked.answered is not None:
            found = _Found("passed", Mark(True, found.marked.answered))
    except StudentDied as died:
        found = _Found("failed", Mark(False, None), died.reason, died.detail)
    marked = found.marked
    # A GPU would not help a test that waits: it is a person's.
    device = "person" if found.outcome == "pending" else "cpu"
    claim = f"The answer to question {exercise.name}."
    return ExerciseVerdict(
        exercise=exercise.name,
        max_points=exercise.points,
        tests=(TestResult("answer", claim, found.outcome, exercise.points, device),),
        reason=found.reason,
        detail=found.detail,
        misconceptions=(marked.misconception,) if marked.misconception else (),
        message=marked.why,
        hint=found.hint,
        error=found.error,
        answered=marked.answered,
        ruling="accepted" if marked.accepted and found.outcome == "passed" else None,
    )


def _void(exercise: Exercise, question: Question, session: Session, owner: str) -> ExerciseVerdict:
    """All points, whatever was answered, and also where nothing was, or the code has died."""
    answered = None
    with suppress(StudentError, StudentDied):
        answer = session.student.value(question.name)
        answered = mark(question, answer, question.sizes_of(owner)).answered
    return replace(judged_void(exercise), answered=answered)


def _found(question: Question, session: Session, owner: str) -> _Found:
    try:
        answer = session.student.value(question.name)
    except StudentError as error:
        if isinstance(error, MissingName) or "builtins.ellipsis" in error.message:
            return _stopped(question, session) or _without_answer(question, session, error)
        answer = _Unreadable()
    marked = mark(question, answer, question.sizes_of(owner))
    if question.is_personal:
        said = _said_id(session)
        if not is_id(said) or normalised(said) != normalised(owner):
            detail = _mismatch(question, answer, said, marked)
            return _Found("pending", Mark(False, marked.answered), ANOTHER_ID, detail)
    return _Found("passed" if marked.right else "failed", marked)


def _stopped(question: Question, session: Session) -> _Found | None:
    """What is said where the question's cell stopped before it had bound an answer."""
    outcome = session.outcomes.get(question.name)
    if outcome is None or outcome.error is None:
        return None
    name = UNQUOTED.fullmatch(str(outcome.error))
    hint = None
    if name and isinstance(question.answer, Choice):
        hint = f'Write the letter in quotes: `{question.name} = "{name[1]}"`.'
    if name and isinstance(question.answer, Choices):
        hint = f'Write each letter in quotes, as in `{question.name} = ["{name[1]}"]`.'
    return _Found("failed", Mark(False, None), error=str(outcome.error), hint=hint)


def _without_answer(question: Question, session: Session, error: StudentError) -> _Found:
    """What is said where the question's cell has run, or is not there, and no answer is bound."""
    cell = next((cell.source for cell in session.cells if cell.exercise == question.name), "")
    is_elsewhere = isinstance(error, MissingName) and cell.strip()
    return _Found("failed", Mark(False, None, UNBOUND if is_elsewhere else NO_CHOICE))


def _said_id(session: Session) -> Any:
    """What the notebook's `student_id` holds; None where it holds nothing that can be read."""
    try:
        return session.student.value("student_id")
    except StudentError:
        return None


def _mismatch(question: Question, answer: Any, said: Any, own: Mark) -> str:
    """What an instructor needs for a decision: whose id the notebook says, what the answer fits."""
    if not is_id(said):
        return UNSIGNED if own.right else UNSIGNED.replace("the answer fits", "it does not fit")
    theirs = mark(question, answer, question.sizes_of(said))
    tried = {"that id's numbers": theirs.right, OWNERS: own.right}
    fitting = " and ".join(numbers for numbers, fit in tried.items() if fit)
    fits = f"fits {fitting}" if fitting else f"fits neither {' nor '.join(tried)}"
    return f'the notebook says student_id = "{_cleaned(said)}"; the answer {fits}'


def _cleaned(text: str) -> str:
    """A student's text, bounded, and without what a terminal or a page would act on."""
    shown = plain(text[: LONGEST_ID + 1])
    return shown if len(shown) <= LONGEST_ID else f"{shown[: LONGEST_ID - 1]}…"
