"""Starts the process that runs notebooks, hears what happens there, and kills it where it must.

The same on Linux, macOS and Windows: a new Python, never a fork, and threads that read its pipes.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..cell_names import CodeCell
from ..notebook import CellError
from .outcome import Outcome

CHECKS = Path(__file__).resolve().parents[2]
_START = (
    "import importlib, sys; sys.path.insert(0, sys.argv[1]); "
    "importlib.import_module(sys.argv[2]).main()"
)


@dataclass(frozen=True)
class Event:
    """Something that happened in a process.

    Attributes:
        process: where.
        what: "ready", "lacks", "cell", "checking", "at", "outcome", "error", "printed", "imported",
            "done", as the runner says it; or "ended", when the process has.
        value: what there is to know of it.
    """

    process: "Process"
    what: str
    value: Any


@dataclass(frozen=True)
class Job:
    """What a process is to do.

    Attributes:
        folder: the notebook's.
        cells: to run, in order, on names of their own.
        wanted: the exercises to look at, each with the number of the last cell above its check.
        loud: whether what cells print is handed on.
    """

    folder: Path
    cells: tuple[CodeCell, ...]
    wanted: Mapping[str, int]
    loud: bool = False


class Process:
    """A Python of its own that has imported what a notebook imports, and does jobs.

    Args:
        modules: what to import.
        events: where what happens is put.

    Attributes:
        step: the cell or the exercise that it is on; empty where it has not come to one, None
            between jobs.
        since: when it began with that, by time.monotonic().
        place: the line it was seen on last while on that, or None.
        computed: how many seconds of a processor it has used for that.
        jobs: how many jobs it was given; what it says of another than the last is left out.
        is_ready: whether it has imported what it is to import, and so may have begun a job.
    """

    def __init__(self, modules: Sequence[str], events: "queue.Queue[Any]") -> None:
        self.step: int | str | None = None
        self.since = time.monotonic()
        self.place: CellError | None = None
        self.computed = 0.0
        self.jobs = 0
        self.is_ready = False
        self._events = events
        self._last_words = ""
        environment = dict(os.environ, PYTHONUTF8="1")
        if sys.dont_write_bytecode:
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
        package = __package__.removeprefix(__package__.partition(".kit.")[0])
        names = [str(CHECKS.parent), f"{CHECKS.name}{package}.runner"]
        # A session of its own: Ctrl-C is for the terminal's process, which then ends this one.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._popen = subprocess.Popen(
            [sys.executable, "-c", _START, *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=environment,
            **apart,
        )
        for read, stream in ((self._hear, self._popen.stdout), (self._note, self._popen.stderr)):
            threading.Thread(target=read, args=(stream,), daemon=True).start()
        self._write(list(modules))

    def give(self, job: Job) -> None:
        """Have it do a job as soon as it can; it leaves out jobs given before."""
        self.jobs += 1
        self._begin("")
        told = {
            "number": self.jobs,
            "folder": str(job.folder),
            "cells": [(cell.number, cell.source, cell.id) for cell in job.cells],
            "wanted": dict(job.wanted),
            "loud": job.loud,
        }
        self._write(told)

    def kill(self) -> None:
        """End it, and what it has started, wherever it is."""
        if sys.platform == "win32":
            ended = ["taskkill", "/F", "/T", "/PID", str(self._popen.pid)]
            subprocess.run(ended, capture_output=True, check=False)
            self._popen.kill()
            return
        try:
            os.killpg(self._popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    @property
    def seconds(self) -> float:
        """How long it has been on its step; 0 between jobs."""
        return 0.0 if self.step is None else time.monotonic() - self.since

    def is_stuck(self, patience: float) -> bool:
        """Whether a cell or a check has computed for so many seconds, or waited for much longer.

        A machine that is busy with other things takes longer for everything, without computing.
        """
        if self.step in (None, ""):
            return False
        return min(self.seconds, self.computed) > patience or self.seconds > 4 * patience

    def how_it_ended(self) -> str:
        """Why it is gone, for a person."""
        code = self._popen.wait()
        if code < 0:
            why = f"was ended by signal {signal.Signals(-code).name}"
        else:
            why = f"ended itself with status {code}"
        return f"Python {why}{': ' if self._last_words else ''}{self._last_words}"

    def _write(self, what: Any) -> None:
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(json.dumps(what) + "\n")
            self._popen.stdin.flush()
        except OSError:  # it has ended, and says so itself
            return

    def _begin(self, step: int | str | None) -> None:
        self.since, self.place, self.computed = time.monotonic(), None, 0.0
        self.step = step

    def _hear(self, stream: IO[str]) -> None:
        for line in stream:
            what, value, job = json.loads(line)
            if what == "ready":
                self.is_ready = True
            elif job != self.jobs and what != "lacks":
                continue
            if what in ("cell", "checking"):
                self._begin(value)
            elif what == "at":
                place, self.computed = value
                self.place = CellError(**place) if place else self.place
            elif what == "error":
                value = CellError(**value)
            elif what == "outcome":
                value = Outcome.from_json(value)
            elif what == "done":
                self._begin(None)
            self._events.put(Event(self, what, value))
        self._events.put(Event(self, "ended", None))

    def _note(self, stream: IO[str]) -> None:
        for line in stream:
            self._last_words = line.strip() or self._last_words


def place_text(process: Process) -> str:
    """Where a process is: " in cell 9, line 3: while True:", or as much of it as is known."""
    place = process.place
    if place is not None:
        return f" in cell {place.cell}, line {place.line}: {place.code}"
    if isinstance(process.step, int):
        return f" in cell {process.step}"
    return f" in the checks of {process.step}" if process.step else " while Python starts"
