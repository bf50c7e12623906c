"""From one submission to its verdicts: run the cells, run the graders, name the mistake."""

import importlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from autograder.checks.chart import Chart
from autograder.checks.discovery import modules_with_checks
from autograder.checks.examples import Example, examples
from autograder.course import Assignment, Exercise
from autograder.course.questions import Question
from autograder.judging.explaining import explain
from autograder.judging.plugin import NOT_BOUND, Found, Graders
from autograder.judging.points import share
from autograder.misconceptions import all_mistakes
from autograder.sandbox import SandboxLost
from autograder.student import StudentDied
from autograder.student.session import Session
from autograder.variants import all_variants
from autograder.verdicts.answers import judge_answer
from autograder.verdicts.verdict import GRADER_ERROR, ExerciseVerdict, TestResult

LARGEST_PICTURE = 400


@dataclass(frozen=True)
class Rules:
    """What judging goes by, the same for every submission of an assignment.

    Attributes:
        assignment: gives exercises and points.
        questions: the quiz, by question name.
        cuda_points: whether CUDA tests carry points.
        files: what the assignment brings along beside its notebook, by relative path.
    """

    assignment: Assignment
    questions: dict[str, Question]
    cuda_points: bool
    files: Mapping[str, bytes] = field(default_factory=dict)

    def load(self) -> None:
        """Import the public examples and the known answers, whichever modules hold them."""
        importlib.import_module(f"autograder.checks.{self.assignment.module}")
        modules_with_checks()
        all_mistakes()
        all_variants()


def judge(
    rules: Rules,
    graders: Graders,
    session: Session,
    wanted: list[str],
    blank: set[str],
    owner: str,
) -> list[ExerciseVerdict]:
    """The verdicts on the wanted exercises.

    Public examples run first, before the process has seen any hidden input, so that nothing it
    shows of them can carry one out.

    Args:
        rules: what judging goes by.
        graders: the collected hidden graders.
        session: the submission's process, its cells run.
        wanted: names of exercises.
        blank: exercises whose cell was deleted or emptied.
        owner: the id under which the submission was handed in.
    """
    exercises = [exercise for exercise in rules.assignment.exercises if exercise.name in wanted]
    shown = {exercise.name: _public_example(exercise, session) for exercise in exercises}
    answers = _judge_answers(rules, exercises, session, owner)
    verdicts = []
    for exercise in exercises:
        if exercise.kind == "quiz":
            verdicts.append(answers[exercise.name])
        else:
            picture, died = shown[exercise.name]
            missing = exercise.name in blank
            verdicts.append(_judge_code(rules, graders, exercise, session, picture, died, missing))
    return verdicts


def _judge_answers(
    rules: Rules, exercises: Iterable[Exercise], session: Session, owner: str
) -> dict[str, ExerciseVerdict]:
    """The verdicts on quiz answers; those that take one look each are looked up together."""
    asked = [one for one in exercises if one.kind == "quiz"]
    asked.sort(key=lambda one: rules.questions[one.name].is_personal)
    questions = [rules.questions[one.name] for one in asked]
    simple = [question.name for question in questions if not question.is_personal]
    with suppress(StudentDied):  # which is told of each answer
        session.student.expect_values(simple)
    return {one.name: judge_answer(one, rules.questions[one.name], session, owner) for one in asked}


def _public_example(
    exercise: Exercise, session: Session
) -> tuple[Chart | None, StudentDied | None]:
    example = examples.get(exercise.name)
    if example is None:
        return None, None
    try:
        return picture_of(example, example.run(session.student)), None
    except StudentDied as died:
        return None, died
    except SandboxLost:
        raise
    except Exception:  # whatever the student's value breaks here, the hidden tests will name
        return None, None


def picture_of(example: Example, result: Any) -> Chart | None:
    """The result as the example shows it, when it is an array of a size that can be drawn."""
    if isinstance(result, torch.Tensor):
        size = result.numel()
    elif isinstance(result, np.ndarray):
        size = result.size
    else:
        return None
    return example.picture.chart(result) if 0 < size <= LARGEST_PICTURE else None


def _judge_code(
    rules: Rules,
    graders: Graders,
    exercise: Exercise,
    session: Session,
    picture: Chart | None,
    died: StudentDied | None,
    blank: bool,
) -> ExerciseVerdict:
    def student_of() -> Any:
        # A process that died on the tiny public example would cost its time limit again here.
        if died is not None:
            raise died
        return session.student

    found = graders.run(exercise.name, student_of)
    outcome = session.outcomes.get(exercise.name)
    explained = _explain(exercise, found, session, blank)
    return ExerciseVerdict(
        exercise=exercise.name,
        max_points=exercise.points,
        bonus=exercise.bonus,
        tests=_tests(rules, exercise, found),
        reason=explained.reason,
        detail=explained.detail,
        misconceptions=explained.misconceptions,
        message=explained.message,
        hint=explained.hint,
        picture=picture,
        printed=outcome.printed if outcome else "",
        error=str(outcome.error) if outcome and outcome.error else None,
    )


def _tests(rules: Rules, exercise: Exercise, found: list[Found]) -> tuple[TestResult, ...]:
    weights = [
        0.0 if one.device == "cuda" and not rules.cuda_points else one.weight for one in found
    ]
    points = share(exercise.points, weights)
    return tuple(
        TestResult(one.name, one.claim, one.outcome, point, one.device, one.symptom, one.aspect)
        for one, point in zip(found, points, strict=True)
    )


@dataclass(frozen=True)
class _Explanation:
    """Why an answer did not get full marks."""

    reason: str | None = None
    detail: str | None = None
    misconceptions: tuple[str, ...] = ()
    message: str | None = None
    hint: str | None = None


def _explain(exercise: Exercise, found: list[Found], session: Session, blank: bool) -> _Explanation:
    for one in found:
        if one.died is not None:
            return _Explanation(one.died.reason, one.died.detail)
        if one.fault is not None:
            return _Explanation(GRADER_ERROR, one.fault)
    failed = [one for one in found if one.outcome == "failed"]
    if not failed:
        return _Explanation()
    if {one.symptom for one in failed if one.symptom} == {NOT_BOUND}:
        return _unbound(exercise, session, blank)
    explained = explain(exercise.name, found, session.student)
    hint = " ".join(mistake.hint for mistake in explained.mistakes) or None
    return _Explanation(None, None, explained.slugs, explained.told, hint)


def _unbound(exercise: Exercise, session: Session, blank: bool) -> _Explanation:
    if blank:
        return _Explanation("missing_cell", f"no cell of the notebook defines {exercise.name}")
    outcome = session.outcomes.get(exercise.name)
    if outcome is not None and outcome.error is not None:
        return _Explanation(
            message=f"Your cell stopped before {exercise.name} was defined: {outcome.error}"
        )
    return _Explanation(
        message=f"Your cell runs, but it does not define {exercise.name}. Write it in that cell."
    )
