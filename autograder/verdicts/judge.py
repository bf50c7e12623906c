"""From one submission to its verdicts: run the cells, run the graders, name the mistake."""

import importlib
from collections.abc import Callable, Iterable, Mapping
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
from autograder.verdicts.verdict import GRADER_ERROR, ExerciseVerdict, TestResult, not_judged

LARGEST_PICTURE = 400


@dataclass(frozen=True)
class Rules:
    """What judging goes by, the same for every submission of an assignment.

    Attributes:
        assignment: gives exercises and points.
        questions: the quiz, by question name.
        cuda_points: whether CUDA tests carry points; those of an exercise without others do.
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
    shows of them can carry one out. What fails by itself in judging an exercise costs no other.

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
            given = (rules, graders, session, picture, died, missing)
            verdicts.append(_or_not_judged(_judge_code, exercise, *given))
    return verdicts


def _or_not_judged(
    judge_one: Callable[..., ExerciseVerdict], exercise: Exercise, *given: Any
) -> ExerciseVerdict:
    """The verdict on an exercise; where judging it fails by itself, that a person is to judge."""
    try:
        return judge_one(exercise, *given)
    except SandboxLost:
        raise
    except Exception as fault:
        return not_judged(exercise, f"{type(fault).__name__}: {fault}")


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
    return {
        one.name: _or_not_judged(judge_answer, one, rules.questions[one.name], session, owner)
        for one in asked
    }


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
    exercise: Exercise,
    rules: Rules,
    graders: Graders,
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
    tests = _tests(rules, exercise, found)
    counted = [one for one, test in zip(found, tests, strict=True) if test.points]
    explained = _explain(exercise, found, counted, session, blank)
    return ExerciseVerdict(
        exercise=exercise.name,
        max_points=exercise.points,
        bonus=exercise.bonus,
        tests=tests,
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
    weights = [one.weight for one in found]
    if not rules.cuda_points and any(one.weight for one in found if one.device != "cuda"):
        weights = [0.0 if one.device == "cuda" else one.weight for one in found]
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


def _explain(
    exercise: Exercise, found: list[Found], counted: list[Found], session: Session, blank: bool
) -> _Explanation:
    """Why points were lost: what failed and carries none says nothing about them."""
    for one in found:
        if one.fault is not None:
            return _Explanation(GRADER_ERROR, f"{one.name}: {one.fault}")
    for one in found:
        if one.died is not None:
            return _Explanation(one.died.reason, one.died.detail)
    failed = [one for one in counted if one.outcome == "failed"]
    if not failed:
        return _Explanation()
    if {one.symptom for one in failed if one.symptom} == {NOT_BOUND}:
        return _unbound(exercise, session, blank)
    explained = explain(exercise.name, counted, session.student)
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
