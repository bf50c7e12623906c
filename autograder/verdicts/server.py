"""The grading process: one sandbox, the graders collected once, and a fork for every worker.

Started as `python -m autograder.verdicts.server FD ...`, one descriptor of a socket a worker. The
first two messages on the first socket say where student code runs and what is graded; then each
socket gives the line to a worker, and to another when that has ended, until it is closed. Messages
are JSON. It is a process of its own so that the caller loads nothing of this, may live in an event
loop, and survives whatever happens here.
"""

import gc
import importlib
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import chdir, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.course import Assignment, CourseError, Limits
from autograder.course.data_files import data_files
from autograder.course.layout import grader_files, graders_folder, quiz_file, solutions_folder
from autograder.course.limits import Bounds
from autograder.course.own_code import serve as serve_course
from autograder.course.packages import TORCH
from autograder.course.quiz import read_quiz
from autograder.sandbox import Sandbox, SandboxUnavailable
from autograder.sandbox.dialogue import PATIENCE
from autograder.sandbox.gpu import ASKED_OUTSIDE, Gpu, find_gpu
from autograder.sandbox.inside.versions import importable
from autograder.verdicts.messages import read_assignment, receive, send
from autograder.verdicts.supervisor import Supervisor

if TYPE_CHECKING:
    from autograder.judging.library import Library
    from autograder.verdicts.judge import Rules

# Seconds to look at known answers before the first submission: enough for most assignments' own.
REHEARSAL = 1.0


def main(descriptors: list[int], worker: str = "autograder.verdicts.worker") -> None:
    """Read the set-up, load everything, fork the workers and wait for them.

    Args:
        descriptors: of the sockets, one a worker.
        worker: the module whose `work` a worker does.
    """
    gc.disable()  # what is loaded here stays
    connections = [Connection(descriptor) for descriptor in descriptors]
    setup = receive(connections[0])
    serve_course(Path(setup["root"]))
    try:
        gpu = _gpu(setup)
    except LookupError as error:
        _refuse(connections, str(error))
        return
    sandbox = Sandbox(
        policy=setup["policy"],
        limits=Limits(**setup["limits"]),
        packages=importable(**setup["packages"]),
        connections=len(connections),
        image=setup["image"],
        engine=setup["engine"],
        gpu=gpu,
    )
    with ThreadPoolExecutor(1) as starter:
        try:
            sandbox.launch()  # before we load ours, which keeps our own threads waiting
            _load_and_serve(setup, sandbox, starter, connections, worker)
        except (SandboxUnavailable, CourseError) as error:
            _refuse(connections, str(error))
        except Exception:
            _refuse(connections, f"the grading process failed:\n{traceback.format_exc()}")
        finally:
            sandbox.close()
    os._exit(0)  # what torch would put in order first takes a sixth of a second


def _gpu(setup: dict[str, Any]) -> Gpu | None:
    """The GPU that submissions are to reach, if any.

    Raises:
        LookupError: they are to reach one, and this machine has none.
    """
    if setup["device"] != "cuda":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # what starts a GPU's driver cannot be forked
        return None
    os.environ |= ASKED_OUTSIDE  # here, too, workers are forked before they start the driver
    return find_gpu(setup["gpu_slots"])


def _load_and_serve(
    setup: dict[str, Any],
    sandbox: Sandbox,
    starter: Executor,
    connections: list[Connection],
    worker: str,
) -> None:
    started = starter.submit(sandbox.start)
    library = load_library(setup["packages"])

    from autograder.judging.plugin import Graders
    from autograder.verdicts.judge import Rules

    work = importlib.import_module(worker).work
    library.prepare()
    bounds = Bounds(**setup["bounds"])
    clock_seconds = PATIENCE * (sandbox.limits.submission_seconds + bounds.test_seconds)
    root = Path(setup["root"])
    solutions_folder(root)
    rules = {}
    for described in receive(connections[0])["assignments"]:
        assignment = read_assignment(described)
        has_quiz = any(one.kind == "quiz" for one in assignment.exercises)
        questions = read_quiz(quiz_file(root, assignment.name)) if has_quiz else {}
        brought = data_files(root / "assignments" / assignment.name)
        packages = tuple(setup["packages"]["required"])
        rules[assignment.name] = Rules(
            assignment, questions, setup["cuda_points"], brought, packages
        )
        rules[assignment.name].load()

    def serve(graders: Graders) -> None:
        # Known answers run right here, and may write where they stand.
        with tempfile.TemporaryDirectory(prefix="autograder-grading-") as desks, chdir(desks):
            if setup["device"] == "cpu":
                library.warm()
            gc.freeze()  # no collection before: what it frees leaves holes, which workers fill
            gc.enable()
            if setup["device"] == "cpu" and len(connections) > 1 and library.can_rehearse():
                _rehearse(rules.values())
                gc.freeze()
            started.result()
            starter.shutdown()  # a fork has no other threads
            graders.unusable = sandbox.unusable

            def begin(place: int, again: bool, caller: Connection, pipe: int) -> None:
                desk = Path(desks, str(place))
                shutil.rmtree(desk, ignore_errors=True)  # of one that has ended
                desk.mkdir()
                os.chdir(desk)
                tempfile.tempdir = str(desk)  # what a worker leaves behind goes with its desk
                work(sandbox, sandbox.connect(place, again), rules, graders, caller, pipe)

            Supervisor(connections, begin, bounds, clock_seconds, sandbox.notes).run()

    files = [file for one in rules.values() for file in _grader_files(root, one.assignment)]
    secret, device, aspects = bytes.fromhex(setup["secret"]), setup["device"], setup["aspects"]
    graders = Graders(secret, device, serve, aspects)
    graders.start(files)


def _grader_files(root: Path, assignment: Assignment) -> list[Path]:
    files = grader_files(root, assignment.name)
    if not files and any(exercise.kind == "code" for exercise in assignment.exercises):
        folder = graders_folder(root, assignment.name)
        raise CourseError(f"{folder} is missing: it holds the hidden tests of {assignment.name}.")
    return files


def load_library(packages: Mapping[str, Sequence[str]]) -> "Library":
    """What judging asks of values, with torch loaded where the course has it.

    Args:
        packages: the names of those that the course requires, and of those that it can do without.
    """
    if TORCH in importable(**packages):
        importlib.import_module("autograder.tensors.library")
    from autograder.judging.library import library

    return library()


def _rehearse(rules: Iterable["Rules"]) -> None:
    """Look at the known answers before there are several of us, which then share what was seen."""
    from autograder.judging.diagnosis import rehearse

    names = [one.name for our in rules for one in our.assignment.exercises if one.kind == "code"]
    end = time.monotonic() + REHEARSAL
    for name in names:
        with suppress(Exception, SystemExit):  # it is told when an answer is compared with them
            for _ in rehearse(name):
                if time.monotonic() > end:
                    return


def _refuse(connections: list[Connection], why: str) -> None:
    for connection in connections:
        try:
            send(connection, {"refused": why})
        except OSError:
            return


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]])
