"""The process that runs a notebook's cells and its checks; `process.py` starts it and may kill it.

It imports what the notebook will need, says that it is ready, and then does one job after the
other, each on names of its own. Jobs come in as lines of JSON, and what happens goes out so.
"""

import importlib
import importlib.util
import json
import linecache
import os
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TextIO

from ..checking import Looked, look
from ..judged import Definitions, standing_for, told_of
from ..notebook import CELL, CellError, Run, as_in_jupyter
from .fresh import Fresh
from .outcome import FAILED, NOT_BEGUN, NOT_CHECKED, PASSED, Outcome, Told

_LOOK_SECONDS = 0.5
_IDLE_SECONDS = 0.5
_NO_NAME = re.compile(r"NameError: name '(\w+)' is not defined")
_NOT_THERE = re.compile(r"(\w+) is not (known|written)")
_CELL = CELL.partition("{}")[0]


def main() -> None:
    """Import what is named in the first line, and do jobs until whoever started this is gone."""
    jobs, wire = queue.SimpleQueue[dict[str, Any]](), _Wire()
    modules = json.loads(wire.jobs.readline() or "[]")
    threading.Thread(target=_read_jobs, args=(wire.jobs, jobs), daemon=True).start()
    try:
        wire.send("ready", _prepare(modules))
    except ModuleNotFoundError as error:
        wire.send("lacks", error.name or str(error))
    sys.dont_write_bytecode = True  # a module beside the notebook may change twice in a second
    fresh, known = Fresh(), set(sys.modules)
    while True:
        job = _newest(jobs)
        wire.job = job["number"]
        fresh.restore(Path(job["folder"]))
        _Job(job, wire).do()
        # Libraries import parts of themselves when these are first used, which can take a second.
        wire.send("imported", [name for name in sys.modules if name not in known])
        wire.send("done")


class _Wire:
    """What goes to the terminal and comes from it; cells and checks write and read elsewhere."""

    def __init__(self) -> None:
        self.jobs = os.fdopen(os.dup(0), encoding="utf-8")
        self._events = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        sys.stdin, sys.stdout = _NoKeyboard(), open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        self._lock = threading.Lock()
        self._began = 0.0
        self.job = 0  # the number of the one that events are about

    @property
    def computed(self) -> float:
        """How many seconds of a processor the cell or the check has used that runs."""
        return time.process_time() - self._began

    def send(self, what: str, value: Any = None) -> None:
        """Say that something happened."""
        if what in ("cell", "checking"):
            self._began = time.process_time()
        with self._lock:
            self._events.write(json.dumps([what, value, self.job]) + "\n")
            self._events.flush()


class _NoKeyboard:
    """Stands for the keyboard, which nobody sits at while a notebook is checked or graded."""

    def readline(self, *_: Any) -> str:
        """What `input()` calls."""
        raise EOFError("input() gets no answer here, nor in grading: give the value in the code")

    read = __next__ = readline

    def __iter__(self) -> "_NoKeyboard":
        return self

    def close(self) -> None:
        """What `exit()` calls, and what must not matter to the next cell."""


def _read_jobs(lines: TextIO, jobs: "queue.SimpleQueue[dict[str, Any]]") -> None:
    for line in lines:
        jobs.put(json.loads(line))
    os._exit(0)  # the terminal is gone; so is whatever loops here


def _newest(jobs: "queue.SimpleQueue[dict[str, Any]]") -> dict[str, Any]:
    """The last job that was given; those before it are about an older text."""
    try:
        job = jobs.get(timeout=_IDLE_SECONDS)
    except queue.Empty:  # there is time for what would otherwise be imported in the next job
        importlib.import_module("..values", __package__).values().prepare()
        job = jobs.get()
    while not jobs.empty():
        job = jobs.get()
    return job


def _prepare(modules: Sequence[str]) -> dict[str, list[str]]:
    """Import what will be needed; tell which exercises and questions are here."""
    os.environ["MPLBACKEND"] = "Agg"
    from ..questions import questions_here

    here = _exercises()
    importlib.import_module("..running", __package__)
    for name in modules:
        try:
            importlib.import_module(name)
        except BaseException:  # the cell that imports it will say so
            continue
    personal = [name for name, question in questions_here().items() if question.is_personal]
    return {"exercises": here, "personal": personal}


def _exercises() -> list[str]:
    from ..discovery import exercises_here

    return [name for name in exercises_here() if name.isidentifier()]


class _Job:
    """Some cells to run, and the exercises that are looked at where their checks stand, or last."""

    def __init__(self, job: dict[str, Any], wire: _Wire) -> None:
        self._cells: list[tuple[int, str, str | None]] = job["cells"]
        self._wanted: dict[str, int] = job["wanted"]
        self._loud: bool = job["loud"]
        self._folder = Path(job["folder"])
        self._wire = wire
        self._run = Run()
        self._definitions = Definitions(self._run.namespace)
        self._follow = dict.fromkeys((*_exercises(), *self._wanted))
        self._reached: set[str] = set()
        self._looked_at: set[str] = set()

    def do(self) -> None:
        """Run the cells; tell what they raise, and what the checks find."""
        with (
            as_in_jupyter(self._folder, self._run.module, self._replaced()),
            _told_where(self._wire),
        ):
            for number, source, cell_id in self._cells:
                self._reach(number)
                self._wire.send("cell", number)
                with _told_output(self._wire.send if self._loud else None):
                    error = self._run.cell(number, source)
                if error is not None:
                    self._wire.send("error", asdict(error))
                own = cell_id if cell_id in self._follow else None
                self._definitions.ran(
                    number, self._follow, own, "" if error is not None else source
                )
            self._reach(None)
            for exercise in self._wanted:
                if exercise not in self._looked_at:
                    self._look(exercise, self._follow)

    def _reach(self, number: int | None) -> None:
        """Look at the exercises whose checks stand above a cell, where their names say enough."""
        for exercise, above in self._wanted.items():
            if exercise not in self._reached and (number is None or above < number):
                self._reached.add(exercise)
                if self._definitions.reached(exercise):
                    self._look(exercise)

    def _replaced(self) -> dict[str, Callable[..., Any]]:
        """What the package's functions do meanwhile: nothing, wherever a cell calls `check`."""
        from ..discovery import checks_package

        package = checks_package()
        functions = [name for name in package.__all__ if not isinstance(vars(package)[name], type)]
        return dict.fromkeys(functions, _nothing)

    def _look(self, exercise: str, done: Collection[str] = ()) -> None:
        """Look at an exercise; again when all cells have run, where it lacks another one's answer.

        Args:
            exercise: its name.
            done: the exercises whose cells have all run.
        """
        self._wire.send("checking", exercise)
        found = self._definitions.judged(exercise)
        meanwhile = self._definitions.mended()
        meanwhile |= {exercise: found.value} if found is not None else {}
        try:
            with standing_for(meanwhile, self._run.namespace):
                looked = look(exercise, self._run.namespace)
            outcome = outcome_of(replace(looked, heading=looked.heading + told_of(found)))
        except BaseException as error:  # whatever it is, the other exercises are looked at
            heading = f"{exercise} could not be checked: {type(error).__name__}: {error}"
            outcome = Outcome(exercise, FAILED, False, heading)
        if outcome.missing in self._follow and outcome.missing not in done:
            return
        self._looked_at.add(exercise)
        self._wire.send("outcome", outcome.as_json())


def _nothing(*_: Any, **__: Any) -> None:
    return None


def outcome_of(looked: Looked) -> Outcome:
    """What was found, as plain data."""
    from ..questions import questions_here

    findings = looked.findings
    is_question = looked.exercise in questions_here()
    if looked.failure is None:
        state = PASSED if findings else NOT_CHECKED
    elif not findings or (is_question and findings[0].came_back in ("...", "Ellipsis")):
        state = NOT_BEGUN
    else:
        state = FAILED
    told = tuple(
        Told(f.claim, f.passed, f.called, f.came_back, f.expected, f.says, f.only_form)
        for f in findings
    )
    picture = looked.drawing.words if looked.drawing is not None else ""
    return Outcome(
        looked.exercise,
        state,
        is_question,
        looked.heading,
        told,
        picture,
        _missing(looked),
        looked.is_right,
    )


def _missing(looked: Looked) -> str:
    """The name that has to be there first; empty where none is missing."""
    if not looked.findings:
        found = _NOT_THERE.match(looked.heading)
        own_stub = found is not None and found[1] == looked.exercise and found[2] == "written"
        return found[1] if found is not None and not own_stub else ""
    errors = (_NO_NAME.match(str(finding.error)) for finding in looked.findings)
    return next((found[1] for found in errors if found is not None), "")


@contextmanager
def _told_where(wire: _Wire) -> Iterator[None]:
    """Say again and again which line of which cell is running: what loops cannot say it itself."""
    main, over = threading.main_thread().ident, threading.Event()

    def tell() -> None:
        while not over.wait(_LOOK_SECONDS):
            frame = sys._current_frames().get(main or 0)
            while frame is not None and not frame.f_code.co_filename.startswith(_CELL):
                frame = frame.f_back
            place = None
            if frame is not None:
                name, line = frame.f_code.co_filename, frame.f_lineno
                code = linecache.getline(name, line).strip()
                place = asdict(CellError(int(name[len(_CELL) : -1]), line, code, ""))
            wire.send("at", [place, wire.computed])

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _told_output(send: Callable[[str, Any], None] | None) -> Iterator[None]:
    """Hand on what a cell prints; where nobody asked for it, nothing is kept of it."""
    if send is None:
        yield
        return
    kept, sys.stdout = sys.stdout, _Handing(send)
    try:
        yield
    finally:
        sys.stdout = kept


class _Handing:
    """Stands for standard output."""

    encoding = "utf-8"

    def __init__(self, send: Callable[[str, Any], None]) -> None:
        self._send = send

    def write(self, text: str) -> int:
        """Hand it on."""
        self._send("printed", text)
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        """Whether somebody watches."""
        return False
