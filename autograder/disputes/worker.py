"""A worker that grades a submission again and shows which call of each failed test fails it."""

import hmac
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.kit.errors import StudentDied
from autograder.course.data_files import laid_over
from autograder.course.own_code import served
from autograder.disputes.account import Shown
from autograder.disputes.cell import needed_for
from autograder.disputes.described import with_call
from autograder.disputes.fresh import NotFresh, fresh_call, made_again, shares_inputs
from autograder.disputes.recording import Recorded, RecordedStudent, recording
from autograder.disputes.replay import Right, replayed
from autograder.disputes.witness import Witness, witness_of
from autograder.judging.answerer import ForkedAnswerer
from autograder.judging.attempts import LEADS, raised_once
from autograder.judging.parts import parts_of, right_answer
from autograder.judging.plugin import DEATHS_ALLOWED, Graders
from autograder.judging.registry import is_judged_on_parts_alone
from autograder.sandbox import Sandbox, SandboxLost
from autograder.sandbox import connection as sandboxed
from autograder.student.session import Session, StandIns
from autograder.verdicts.judge import Rules, cells_of, judge
from autograder.verdicts.messages import receive, send
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict, TestResult, not_judged
from autograder.verdicts.watched import Step
from autograder.verdicts.worker import AT_FIRST

SHOWING = "what is shown of {}"
MOST_TESTS = 12  # of one exercise: each costs its time again
SECRETS = 4  # that are tried for a student
OTHER_SIZES = "Nothing was graded with these inputs: their shapes and their numbers are new."
SAME_SIZES = "Nothing was graded with these numbers; their shapes are those of the hidden test."
NOT_AGAIN = "It failed too, and did not run again for this: enough is shown by those above."
ON_RIGHT_PARTS = (
    "It ran with right answers in place of the student's {}; a cell below the student's code runs "
    "with the student's own."
)
NOT_SHOWN = "Its call could not be shown, which is a fault of ours:"
NO_OTHERS = (
    "No other inputs were found on which it fails in the same way, and those that it was graded "
    "with stay with the instructor."
)


def work(
    sandbox: Sandbox,
    connection: sandboxed.Connection,
    rules: Mapping[str, Rules],
    graders: Graders,
    caller: Connection,
    pipe: int,
) -> None:
    """Answer disputes until the caller hangs up; as `verdicts.worker.work`."""
    graders.on = lambda exercise, what: Step(exercise, what).tell(pipe)
    while True:
        Step().tell(pipe)
        task = receive(caller)
        AT_FIRST.tell(pipe)
        started = time.perf_counter()
        try:
            found, shown = _Case(task, sandbox, connection, rules, graders).answer()
        except SandboxLost:
            raise
        except Exception:
            send(caller, {"failed": traceback.format_exc()})
            continue
        verdicts = [replace(one, sandbox=sandbox.isolation).to_json() for one in found]
        accounts = {name: [one.to_json() for one in several] for name, several in shown.items()}
        seconds = time.perf_counter() - started
        send(caller, {"verdicts": verdicts, "shown": accounts, "seconds": seconds})


class _Case:
    """One submission whose marks are disputed."""

    def __init__(
        self,
        task: dict[str, Any],
        sandbox: Sandbox,
        connection: sandboxed.Connection,
        rules: Mapping[str, Rules],
        graders: Graders,
    ) -> None:
        self._submission = Submission.from_json(task["submission"])
        self._wanted: list[str] = task["exercises"]
        self._aside: dict[str, str] = task["set_aside"]
        self._secret = bytes.fromhex(task["secret"])
        self._for_student: bool = task["for_student"]
        self._rules, self._graders = rules[self._submission.assignment], graders
        self._seconds = sandbox.limits.call_seconds
        cells = cells_of(self._submission)
        ours = self._rules.files
        files, limits = laid_over(self._submission.files, ours), sandbox.limits.with_room_for(ours)
        self._session = Session(connection, cells, files, limits, student_class=RecordedStudent)

    def answer(self) -> tuple[list[ExerciseVerdict], dict[str, list[Shown]]]:
        """The verdicts on the exercises, made again, and what shows that tests of code fail."""
        own = self._submission.cells
        blank = {exercise for exercise, source in own if exercise and not source.strip()}
        wanted = [name for name in self._wanted if name not in self._aside]
        try:
            found = judge(
                self._rules, self._graders, self._session, wanted, blank, self._submission.student
            )
            shown = {one.exercise: self._shown(one) for one in found}
        finally:
            self._session.close()
        declared = {one.name: one for one in self._rules.assignment.exercises}
        aside = [not_judged(declared[name], why) for name, why in self._aside.items()]
        return [*found, *aside], {name: several for name, several in shown.items() if several}

    def _shown(self, verdict: ExerciseVerdict) -> list[Shown]:
        failed = [one for one in verdict.tests if one.outcome == "failed" and one.points]
        declared = {one.name: one.kind for one in self._rules.assignment.exercises}
        if declared[verdict.exercise] != "code" or verdict.reason == "missing_cell":
            return []
        with self._session_for(verdict) as session:
            several: list[_Tried] = []
            for test in failed[:MOST_TESTS]:
                if sum(one.has_died for one in several) < DEATHS_ALLOWED:
                    several.append(self._tried(verdict, test, session))
            if not self._for_student:
                shown = [_or_note(one, self._shown_again, one) for one in several]
                return [*shown, *_not_again(failed[len(several) :])]
            graded = [call for one in several for call in one.asked]
            shown = [_or_note(one, self._fresh, one, session, graded) for one in several]
            return [*shown, *_not_again(failed[len(several) :])]

    @contextmanager
    def _session_for(self, verdict: ExerciseVerdict) -> Iterator[Session]:
        """The session that the verdict is of: where earlier answers are right, if it was."""
        if verdict.at_its_check:
            with closing(self._session.up_to_check(verdict.exercise)) as session:
                session.forget()
                yield session
            return
        if not (verdict.judged_with or is_judged_on_parts_alone(verdict.exercise)):
            yield self._session
            return
        code = [one.name for one in self._rules.assignment.exercises if one.kind == "code"]
        parts = parts_of(verdict.exercise, code[: code.index(verdict.exercise)])
        answerer = ForkedAnswerer({name: right_answer(name) for name in parts})
        session = self._session.up_to_check(verdict.exercise, StandIns(parts, answerer))
        session.forget()  # what grading took of the time that such runs share is no matter here
        try:
            yield session
        finally:
            session.close()
            answerer.close()

    def _tried(self, verdict: ExerciseVerdict, test: TestResult, session: Session) -> "_Tried":
        exercise = verdict.exercise
        self._graders.on(exercise, SHOWING.format(test.name))
        item = self._graders.item(exercise, test.name, test.device)
        asked, raised = _attempt(item, test, session, self._secret)
        if raised is None:
            return _Tried(exercise, item, test, [], [], None, failed=False)
        right = replayed(exercise, asked)
        witness = witness_of(asked, right)
        return _Tried(exercise, item, test, asked, right, witness, verdict.judged_with)

    def _shown_again(self, tried: "_Tried") -> Shown:
        """What is shown of a test on the inputs that it was graded with."""
        path, line, _ = tried.item.reportinfo()
        place = Path(path)
        place = place.relative_to(served()) if place.is_relative_to(served()) else place
        where = f"{place}:{(line or 0) + 1}"
        shown = replace(tried.shown, test=tried.test.name, place=where)
        if tried.judged_with:
            shown = replace(shown, note=ON_RIGHT_PARTS.format(", ".join(tried.judged_with)))
        if tried.witness is None:
            return shown
        return self._with_call(shown, tried.exercise, tried.asked, tried.right, tried.witness)

    def _fresh(self, tried: "_Tried", session: Session, graded: Sequence[Recorded]) -> Shown:
        """The same on inputs that nothing was graded with; of other sizes, where some are found.

        What is shown is what a process says that was given no hidden input, nor by another test.
        """
        exercise, witness, shown = tried.exercise, tried.witness, tried.shown
        if witness is None:
            return shown
        asked, right = tried.asked[: witness.place + 1], tried.right[witness.place]
        salt = f"for a student, {exercise}, {tried.test.name}"
        secrets = [
            hmac.digest(self._secret, f"{salt}, {n}".encode(), "sha256") for n in range(SECRETS)
        ]
        if witness.difference:
            seed = int.from_bytes(secrets[0][:8], "big")
            session.forget()
            with suppress(NotFresh):
                needed = needed_for(asked)
                found = fresh_call(exercise, needed, right, session.student, seed, graded)
                calls, answers, seen = found
                shown = replace(shown, note=OTHER_SIZES)
                return self._with_call(shown, exercise, calls, answers, seen)
        for secret in secrets:
            again, raised = _attempt(tried.item, tried.test, session, secret)
            if raised is None or getattr(raised, "symptom", None) != tried.test.symptom:
                continue
            answers = replayed(exercise, again)
            seen_again = witness_of(again, answers)
            if seen_again is None or bool(seen_again.difference) != bool(witness.difference):
                continue
            needed = needed_for(again[: seen_again.place + 1])
            if shares_inputs(needed, tried.asked):
                continue
            session.forget()
            made = made_again(exercise, needed, session.student)
            if made is None or bool(made[2].difference) != bool(witness.difference):
                continue
            return self._with_call(replace(shown, note=SAME_SIZES), exercise, *made)
        return replace(shown, note=NO_OTHERS)

    def _with_call(
        self,
        shown: Shown,
        exercise: str,
        asked: Sequence[Recorded],
        right: Sequence[Right | None],
        witness: Witness,
    ) -> Shown:
        judged = self._session.judged.get(exercise)
        sources = [source for own, source in self._submission.cells if own == exercise]
        source = judged.cell.source if judged else next(iter(sources), "")
        wanted = right[witness.place]
        return with_call(shown, exercise, asked, wanted, witness, source, self._seconds)


def _or_note(tried: "_Tried", show: Callable[..., Shown], *given: Any) -> Shown:
    """What is shown of a test; where that fails by itself, that it could not be shown."""
    try:
        return show(*given)
    except SandboxLost:
        raise
    except Exception as fault:
        said = f"{type(fault).__name__}: {fault}".splitlines()[0]
        return replace(tried.shown, note=f"{NOT_SHOWN} {said}")


@dataclass(frozen=True)
class _Tried:
    """A failed test that has run again.

    Attributes:
        exercise: the exercise's name.
        item: the test.
        test: what the verdict says of it.
        asked: what it asked of the student's code.
        right: what the reference gives for each of that.
        witness: the call that shows what is wrong, where one does.
        judged_with: earlier exercises that were right ones when it ran.
        failed: whether it failed again.
    """

    exercise: str
    item: pytest.Function
    test: TestResult
    asked: list[Recorded]
    right: list[Right | None]
    witness: Witness | None
    judged_with: tuple[str, ...] = ()
    failed: bool = True

    @property
    def shown(self) -> Shown:
        """What anybody may know of it."""
        return replace(_bare(self.test), failed_again=self.failed)

    @property
    def has_died(self) -> bool:
        """Whether the student's process ended over it."""
        return any(isinstance(one.raised, StudentDied) for one in self.asked)


def _bare(test: TestResult) -> Shown:
    return Shown("", test.claim, test.points, test.aspect, test.symptom, "")


def _not_again(tests: Sequence[TestResult]) -> list[Shown]:
    return [replace(_bare(test), note=NOT_AGAIN) for test in tests]


def _attempt(
    item: pytest.Function, test: TestResult, session: Session, secret: bytes
) -> tuple[list[Recorded], BaseException | None]:
    """What a test asks in the run that its symptom is of, and what it raises then."""
    tries = [{"lead": lead} for lead in LEADS] if "lead" in item.fixturenames else [{}]
    first: tuple[list[Recorded], BaseException | None] = ([], None)
    for more in tries:
        with recording() as asked:
            raised = raised_once(item, lambda: session.student, secret, **more)
        if raised is not None and getattr(raised, "symptom", None) == test.symptom:
            return asked, raised
        if raised is not None and first[1] is None:
            first = asked, raised
    return first
