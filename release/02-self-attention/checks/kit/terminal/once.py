"""Runs a notebook once: the whole of it, or what some exercises rest on."""

import queue
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..cell_names import CodeCell, code_cells
from ..notebook import CellError
from .process import Event, Job, Process
from .standing import Standing

_TICK_SECONDS = 0.2
STILL_RUNNING = "still running"


class CannotRun(Exception):
    """No notebook can be run here; the text says why, and what to do."""


def lacks(package: str) -> CannotRun:
    """What to say where a package is not installed that the checks need."""
    return CannotRun(
        f"{package} is not installed for {sys.executable}. In the assignment's folder: "
        "python -m pip install -r requirements.txt"
    )


class Unknown(Exception):
    """There are no checks of this name; the text says which there are."""


@dataclass
class Once:
    """One run of a notebook.

    Args:
        folder: the notebook's.
        cells: its cells.
        wanted: the exercises that were asked for; the whole notebook when empty.
        loud: where to write what cells print, or None.
        patience: how long a cell or a check may compute, in seconds.
        tell: is told now and then what is running.
    """

    folder: Path
    cells: Sequence[dict[str, Any]]
    wanted: Sequence[str]
    loud: Callable[[str], object] | None
    patience: float
    tell: Callable[[Process], None]
    standing: Standing = field(init=False)
    process: Process = field(init=False)

    def __post_init__(self) -> None:
        self._events: queue.Queue[Event] = queue.Queue()
        self._modules = modules_of(code_cells(self.cells))
        self.standing = Standing((), ())
        self.process = Process(self._modules, self._events)

    def run(self) -> None:
        """Run all that was asked for; a cell or a check that does not end costs itself alone.

        Raises:
            CannotRun: Python ends by itself, or lacks a package that the checks need.
            Unknown: an exercise was asked for that has no checks here.
            KeyboardInterrupt: the student has had enough; what is known by then stands.
        """
        try:
            self._until("ready")
            while job := self._job():
                self.process.give(job)
                self._until("done")
        finally:
            self.process.kill()

    def _job(self) -> Job | None:
        """What is still to be run, all of it in one go."""
        names = self.wanted or self.standing.order
        checks = tuple(name for name in self.standing.stale() if name in names)
        checks = tuple(name for name in checks if self.standing.can_end(name))
        if not checks and (self.wanted or self.process.jobs):
            return None
        cells = self.standing.without_endless(self.standing.cells)
        if self.wanted:
            cells = self.standing.needed(checks)
        return Job(self.folder, cells, self.standing.places(checks), self.loud is not None)

    def _until(self, what: str) -> None:
        """Take in what happens until that does, or the process has to be replaced."""
        while True:
            try:
                event = self._events.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                self.tell(self.process)
                if self.process.is_stuck(self.patience):
                    return self._replace(endless(self.process))
                continue
            if event.process is not self.process:
                continue
            if event.what == "ended":
                return self._replace(ended(self.process))
            self._take(event)
            if event.what == what:
                return None

    def _take(self, event: Event) -> None:
        match event.what:
            case "lacks":
                raise lacks(event.value)
            case "ready":
                self._begin(event.value)
            case "printed" if self.loud is not None:
                self.loud(event.value)
            case _:
                hear(self.standing, event)

    def _begin(self, found: dict[str, list[str]]) -> None:
        """Know which exercises are here, once the first process says so."""
        if self.standing.cells:
            return
        here = found["exercises"]
        for name in self.wanted:
            if name not in here:
                raise Unknown(
                    f"There are no checks for {name!r} here; there are for: {', '.join(here)}."
                )
        self.standing = Standing(here, found["personal"])
        self.standing.read(self.cells)

    def _replace(self, why: CellError) -> None:
        """Go on in another process, without the cell or the check that this one ended over."""
        step = self.process.step
        if step in (None, ""):
            raise CannotRun(self.process.how_it_ended())
        assert step is not None
        self.standing.never_ended(step, why)
        self.process.kill()
        self.process = Process(self._modules, self._events)


def modules_of(cells: Sequence[CodeCell]) -> list[str]:
    """The modules that a notebook's cells import, but for the checks themselves."""
    modules = dict.fromkeys(module for cell in cells for module in cell.names.modules)
    return [module for module in modules if module.partition(".")[0] != "checks"]


def hear(standing: Standing, event: Event) -> None:
    """Take in what a process says of cells and checks."""
    match event.what:
        case "cell":
            standing.ran(event.value)
        case "error":
            standing.stopped(event.value)
        case "outcome":
            standing.take(event.value)


def endless(process: Process) -> CellError:
    """What to say of a step that does not end."""
    seconds = f"{STILL_RUNNING} after {process.seconds:.0f} s, and stopped. Does its loop end?"
    return _where(process, seconds)


def ended(process: Process) -> CellError:
    """What to say of a step over which the process went."""
    return _where(process, f"{process.how_it_ended()}.")


def _where(process: Process, says: str) -> CellError:
    place = process.place
    cell = process.step if isinstance(process.step, int) else 0
    if place is None:
        return CellError(cell, None, "", says)
    return CellError(place.cell, place.line, place.code, says)
