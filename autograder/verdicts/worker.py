"""A grading worker: takes submissions from its caller and gives verdicts, one after the other."""

import time
import traceback
import warnings
from collections.abc import Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from autograder.course.data_files import laid_over
from autograder.judging.plugin import Graders
from autograder.sandbox import Sandbox, SandboxLost
from autograder.sandbox import connection as sandboxed
from autograder.student.session import Session
from autograder.verdicts.judge import Rules, cells_of, judge
from autograder.verdicts.messages import receive, send
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict, not_judged
from autograder.verdicts.watched import Step

AT_FIRST = Step(what="running the cells")


def work(
    sandbox: Sandbox,
    connection: sandboxed.Connection,
    rules: Mapping[str, Rules],
    graders: Graders,
    caller: Connection,
    pipe: int,
) -> None:
    """Grade submissions until the caller hangs up.

    Args:
        sandbox: what `connection` leads to.
        connection: where students' processes come from.
        rules: what judging goes by, by assignment.
        graders: the collected hidden graders.
        caller: gives submissions, and gets verdicts.
        pipe: takes what is worked on, for the supervisor.

    Raises:
        EOFError, BrokenPipeError: the caller has hung up.
        SandboxLost: what students' processes come from is gone.
    """
    warnings.simplefilter("ignore")  # known mistakes overflow and deprecate: that is their job
    graders.on = lambda exercise, what: Step(exercise, what).tell(pipe)
    while True:
        Step().tell(pipe)
        task = receive(caller)
        AT_FIRST.tell(pipe)
        started = time.perf_counter()
        try:
            found = _graded(task, sandbox, connection, rules, graders)
        except SandboxLost:
            raise
        except Exception:
            send(caller, {"failed": traceback.format_exc()})
            continue
        verdicts = [replace(one, sandbox=sandbox.isolation).to_json() for one in found]
        send(caller, {"verdicts": verdicts, "seconds": time.perf_counter() - started})


def _graded(
    task: dict[str, Any],
    sandbox: Sandbox,
    connection: sandboxed.Connection,
    rules: Mapping[str, Rules],
    graders: Graders,
) -> list[ExerciseVerdict]:
    """The verdicts on a submission's exercises; of those that are set aside, why they are."""
    submission = Submission.from_json(task["submission"])
    ours, aside = rules[submission.assignment], task["set_aside"]
    cells = cells_of(submission)
    blank = {own for own, source in submission.cells if own and not source.strip()}
    files = laid_over(submission.files, ours.files)
    session = Session(connection, cells, files, sandbox.limits.with_room_for(ours.files))
    wanted = [name for name in task["exercises"] if name not in aside]
    try:
        found = judge(ours, graders, session, wanted, blank, submission.student)
    finally:
        session.close()
    declared = {exercise.name: exercise for exercise in ours.assignment.exercises}
    return [*found, *(not_judged(declared[name], why) for name, why in aside.items())]
