"""From one submission to its verdicts: run the cells, run the graders, name the mistake."""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from io import StringIO
from typing import Any

from autograder.bank import all_mistakes, all_variants
from autograder.checks.kit.chart import Chart
from autograder.checks.kit.discovery import modules_with_checks
from autograder.checks.kit.errors import Stop
from autograder.checks.kit.examples import Example, examples
from autograder.checks.kit.values import values
from autograder.course import Assignment, Exercise
from autograder.course.aspects import ERRORS
from autograder.course.points import added
from autograder.course.questions import Question
from autograder.judging.answerer import ForkedAnswerer
from autograder.judging.answers import reference_source, student_with
from autograder.judging.explaining import explain
from autograder.judging.parts import named_by, parts_of, right_answer
from autograder.judging.plugin import NOT_BOUND, Found, Graders
from autograder.judging.points import share
from autograder.judging.registry import is_judged_on_parts_alone
from autograder.judging.remarks import remarks
from autograder.sandbox import SandboxLost
from autograder.student import StudentDied
from autograder.student.session import Cell, Session, StandIns
from autograder.student.stops import told as told_of
from autograder.verdicts.answers import judge_answer
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import (
    GRADER_ERROR,
    ExerciseVerdict,
    Remark,
    TestResult,
    not_judged,
)

LARGEST_PICTURE = 400
EXAMPLE, DIAGNOSIS = "the public example", "the diagnosis"
NOT_AGAIN = "The time for your notebook was used up before this could be judged a second time."


@dataclass(frozen=True)
class Rules:
    """What judging goes by, the same for every submission of an assignment.

    Attributes:
        assignment: gives exercises and points.
        questions: the quiz, by question name.
        cuda_points: whether CUDA tests carry points; those of an exercise without others do.
        files: what the assignment brings along beside its notebook, by relative path.
        packages: those that students' code may import.
    """

    assignment: Assignment
    questions: dict[str, Question]
    cuda_points: bool
    files: Mapping[str, bytes] = field(default_factory=dict)
    packages: tuple[str, ...] = ()

    def load(self) -> None:
        """Import the public examples and the known answers, whichever modules hold them."""
        modules_with_checks()
        all_mistakes()
        all_variants()


def cells_of(submission: Submission) -> list[Cell]:
    """The cells that a session runs, and where checks stand among them."""
    checks: dict[int, list[str]] = {}
    for name, above in submission.checks.items():
        checks.setdefault(above, []).append(name)
    return [
        Cell(exercise or f"cell {number}", source, exercise, tuple(checks.get(number, ())))
        for number, (exercise, source) in enumerate(submission.cells, 1)
    ]


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
    shows of them can carry one out. All answers are judged as they stand before any is judged once
    more; those that have that run alone come first then, since nothing else could stand for it.
    What fails by itself in judging an exercise costs no other.

    Args:
        rules: what judging goes by.
        graders: the collected hidden graders.
        session: the submission's process, its cells run.
        wanted: names of exercises.
        blank: exercises whose cell was deleted or emptied.
        owner: the id under which the submission was handed in.
    """
    exercises = [exercise for exercise in rules.assignment.exercises if exercise.name in wanted]
    coded = [exercise for exercise in exercises if exercise.kind == "code"]
    shown = {}
    for exercise in coded:
        graders.on(exercise.name, EXAMPLE)
        shown[exercise.name] = _public_example(exercise, session)
    verdicts = _judge_answers(rules, exercises, session, owner)
    told = _Told(rules, graders, session, shown, blank)
    again: list[_Again] = []
    for exercise in coded:
        verdict = _or_not_judged(_judge_once, exercise, told)
        if isinstance(verdict, _Again):
            again.append(verdict)
        else:
            verdicts[exercise.name] = verdict
    for one in sorted(again, key=lambda one: one.found is not None):
        verdicts[one.exercise.name] = _or_not_judged(_judge_again, one.exercise, told, one)
    return [verdicts[exercise.name] for exercise in exercises]


@dataclass(frozen=True)
class _Again:
    """An answer that is judged once more, in the state that its check meets.

    Attributes:
        exercise: the exercise.
        found: what its tests found; None where they were not run.
        changed: whether cells below change what it reads, so that it is run without them.
        parts: the earlier exercises that get a stand-in then, by its kind.
    """

    exercise: Exercise
    found: list[Found] | None
    changed: bool
    parts: dict[str, str]

    @property
    def runs(self) -> list[dict[str, str]]:
        """Of each run that comes after the first: the parts that get a stand-in in it."""
        alone: list[dict[str, str]] = [{}] if self.changed else []
        return [*alone, self.parts] if self.parts or self.found is None else alone


def _judge_once(exercise: Exercise, told: "_Told") -> ExerciseVerdict | _Again:
    """The verdict on an answer as it stands, unless it is to be judged once more."""
    found = None
    if not is_judged_on_parts_alone(exercise.name):
        found = told.graders.run(exercise.name, told.student_of(exercise))
    if found is not None and not _has_failed(found):
        return told.verdict(exercise, found, told.session)
    changed = found is not None and told.session.is_changed_below(exercise.name)
    parts = _parts(told.rules, exercise, found, told.session)
    if found is None or changed or parts:
        return _Again(exercise, found, changed, parts)
    return told.verdict(exercise, found, told.session)


def _has_failed(found: Iterable[Found]) -> bool:
    return any(one.outcome in ("failed", "error") for one in found)


def _parts(
    rules: Rules, exercise: Exercise, found: list[Found] | None, session: Session
) -> dict[str, str]:
    """The parts on which an answer that failed is judged once more: none where it names none."""
    code = [one.name for one in rules.assignment.exercises if one.kind == "code"]
    parts = parts_of(exercise.name, code[: code.index(exercise.name)])
    if found is None or named_by(session.cells, exercise.name, parts):
        return parts
    return {}


def _judge_again(exercise: Exercise, told: "_Told", again: _Again) -> ExerciseVerdict:
    """The best of whole runs: as it is; up to its check; up to its check and on right parts.

    All second runs of a submission share their time. One that it does not suffice for is none.
    """
    best = _Run(told.session, again.found)
    is_whole = True
    with ExitStack() as ending:
        for parts in again.runs:
            if best.found is not None and not _has_failed(best.found):
                break
            is_whole = best.found is None or told.session.has_further_time
            if not is_whole:
                break
            if best.session is not told.session:
                best.session.close()  # it starts anew where it is used again
            run = _run_again(exercise, told, parts, ending)
            is_whole = best.found is None or not run.session.is_out_of_time
            best = _better(exercise, told, best, run) if is_whole else best
            if best.session is not run.session:
                run.session.close()
        named = named_by(told.session.cells, exercise.name, best.parts)
        verdict = replace(
            told.verdict(exercise, best.found or [], best.session),
            judged_with=tuple(one for one in best.parts if one in named and best.earns_more),
            at_its_check=best.earns_more and not best.parts,
        )
    if is_whole:
        return verdict
    message = " ".join(filter(None, (verdict.message, NOT_AGAIN)))
    return replace(verdict, message=message, out_of_time=True)


@dataclass(frozen=True)
class _Run:
    """A whole run of an exercise's tests.

    Attributes:
        session: what they ran on.
        found: what they found; None where they were not run.
        parts: the earlier exercises that got a stand-in.
        earns_more: whether it earns more than the first run.
    """

    session: Session
    found: list[Found] | None
    parts: Mapping[str, str] = field(default_factory=dict)
    earns_more: bool = False


def _run_again(
    exercise: Exercise, told: "_Told", parts: Mapping[str, str], ending: ExitStack
) -> _Run:
    """A run in a fresh process, with the cells up to the exercise's check."""
    stand_ins = None
    if parts:
        answerer = ForkedAnswerer({name: right_answer(name) for name in parts})
        ending.callback(answerer.close)
        stand_ins = StandIns(parts, answerer)
    session = told.session.up_to_check(exercise.name, stand_ins)
    ending.callback(session.close)
    found = told.graders.run(exercise.name, lambda: session.student)
    return _Run(session, found, parts)


def _better(exercise: Exercise, told: "_Told", best: _Run, run: _Run) -> _Run:
    """The run that earns more; of equals the one on right parts, or the first."""
    if best.found is None:
        return run
    assert run.found is not None
    before, now = (_earned(told.rules, exercise, one.found or []) for one in (best, run))
    if now > before:
        return replace(run, earns_more=True)
    return run if now == before and run.parts and not best.earns_more else best


def _earned(rules: Rules, exercise: Exercise, found: list[Found]) -> float:
    return added(test.points for test in _tests(rules, exercise, found) if test.outcome == "passed")


def _or_not_judged(judge_one: Callable[..., Any], exercise: Exercise, *given: Any) -> Any:
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
    verdicts = {
        one.name: _or_not_judged(judge_answer, one, rules.questions[one.name], session, owner)
        for one in asked
    }
    return {name: _with_stop(verdict, rules, session) for name, verdict in verdicts.items()}


def _with_stop(verdict: ExerciseVerdict, rules: Rules, session: Session) -> ExerciseVerdict:
    """The verdict on a question; where its cell lacks what another should have made, with that."""
    stop = _stop_of(verdict.exercise, session)
    if stop is None or verdict.error is None:
        return verdict
    return replace(verdict, message=_lacking((stop,), rules), stops=(stop,))


def _stop_of(exercise: str, session: Session) -> Stop | None:
    """What stopped the notebook above, where an exercise's own cell stopped for that."""
    outcome = session.outcomes.get(exercise)
    error = outcome.error if outcome is not None else None
    return None if error is None else session.stops.behind(error.builtin, error.message)


def _lacking(stops: Iterable[Stop], rules: Rules) -> str:
    """What is told of an answer that lacks what stopped above."""
    return " ".join(told_of(stop, rules.packages) for stop in stops)


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


@cache
def _right_picture(exercise: str) -> Chart | None:
    """The picture of a right answer to the public example; kept while the process lives."""
    example = examples[exercise]
    try:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            student = student_with(exercise, reference_source(exercise))
            return picture_of(example, example.run(student))
    except Exception:  # a page without it costs nobody a mark
        return None


def picture_of(example: Example, result: Any) -> Chart | None:
    """The result as the example shows it, when it is an array of a size that can be drawn."""
    if not values().is_array(result) or not 0 < math.prod(result.shape) <= LARGEST_PICTURE:
        return None
    return example.picture.chart(result)


@dataclass(frozen=True)
class _Told:
    """What is told of code answers beside what their tests found.

    Attributes:
        rules: what judging goes by.
        graders: the collected hidden graders.
        session: the submission's process, its cells run as they are.
        shown: by exercise, the picture of the public example, or how the process died over it.
        blank: exercises whose cell was deleted or emptied.
    """

    rules: Rules
    graders: Graders
    session: Session
    shown: Mapping[str, tuple[Chart | None, StudentDied | None]]
    blank: set[str]

    def student_of(self, exercise: Exercise) -> Callable[[], Any]:
        """Gives the student; a death on the tiny public example would cost its time again."""
        _, died = self.shown[exercise.name]

        def student() -> Any:
            if died is not None:
                raise died
            return self.session.student

        return student

    def verdict(
        self, exercise: Exercise, found: list[Found], explained_on: Session
    ) -> ExerciseVerdict:
        """The verdict on what an exercise's tests found.

        Args:
            exercise: the exercise.
            found: what they found.
            explained_on: the session that they ran on, in which mistakes are looked for.
        """
        picture, _ = self.shown[exercise.name]
        judged = self.session.judged.get(exercise.name)
        outcome = self.session.outcomes.get(judged.cell.id if judged else exercise.name)
        tests = _tests(self.rules, exercise, found)
        counted = [
            replace(one, weight=test.points)
            for one, test in zip(found, tests, strict=True)
            if test.points
        ]
        self.graders.on(exercise.name, DIAGNOSIS)
        explained = self._explain(exercise, found, counted, explained_on)
        right = _right_picture(exercise.name) if picture and explained.message else None
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
            right_picture=right if right != picture else None,
            printed=outcome.printed if outcome else "",
            error=str(outcome.error) if outcome and outcome.error else None,
            judged_cell=_begins(judged.cell) if judged and judged.where == "last" else "",
            remarks=tuple(Remark(*one) for one in remarks(exercise.name, found)),
            out_of_time=self.session.is_out_of_time or explained_on.is_out_of_time,
            stops=explained.stops,
        )

    def _explain(
        self, exercise: Exercise, found: list[Found], counted: list[Found], explained_on: Session
    ) -> "_Explanation":
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
            stop = _stop_of(exercise.name, self.session)
            if stop is not None:
                return _Explanation(message=_lacking((stop,), self.rules), stops=(stop,))
            return _unbound(exercise, self.session, exercise.name in self.blank)
        stops = tuple(dict.fromkeys(one.stop for one in failed if one.stop is not None))
        # What should be refused is no answer's purpose, and fails in one way with it.
        if stops and all(one.stop or one.aspect == ERRORS for one in failed):
            return _Explanation(message=_lacking(stops, self.rules), stops=stops)
        explained = explain(exercise.name, counted, explained_on.student, self.graders)
        return _Explanation(
            None, None, explained.slugs, explained.told, explained.hint, stops=stops
        )


def _begins(cell: Cell) -> str:
    """How a cell begins, in a line."""
    return next((line.strip() for line in cell.source.splitlines() if line.strip()), "")[:80]


def _tests(rules: Rules, exercise: Exercise, found: list[Found]) -> tuple[TestResult, ...]:
    weights = [one.weight for one in found]
    if not rules.cuda_points and any(one.weight for one in found if one.device != "cuda"):
        weights = [0.0 if one.device == "cuda" else one.weight for one in found]
    errors = {place for place, one in enumerate(found) if one.aspect == ERRORS}
    points = share(exercise.points, weights, errors)
    return tuple(
        TestResult(
            name=one.name,
            claim=one.claim,
            outcome=one.outcome,
            points=point,
            device=one.device,
            symptom=one.symptom,
            aspect=one.aspect,
            remark=one.remark,
        )
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
    stops: tuple[Stop, ...] = ()


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
