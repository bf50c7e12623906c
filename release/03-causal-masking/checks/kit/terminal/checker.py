"""What runs after a save, and in which process: the changed exercise, what rests on it, then all.

Two processes stand ready. The worker checks after a save: every time on fresh names, but in a
Python that has run older texts. The spare has only imported what the notebook imports: it takes the
worker's place where that had to be killed, and it runs the whole notebook when every check passes.
"""

import queue
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..cell_names import CodeCell, code_cells
from ..notebook import CellError
from .once import CannotRun, ended, endless, hear, lacks, modules_of
from .outcome import Outcome
from .process import Event, Job, Process
from .standing import Standing

_SLOW_SECONDS = 1


class Checker:
    """Keeps results up to date with a notebook that changes.

    Args:
        folder: the notebook's.
        events: where what happens in processes is put; give each of them to `take`.
        patience: how long a cell or a check may compute, in seconds.

    Attributes:
        standing: what is known.
        own: the exercises that the last save was about.
        own_known: when all of these had been looked at, by time.time(); None until then.
    """

    def __init__(self, folder: Path, events: "queue.Queue[Any]", patience: float) -> None:
        self.standing = Standing((), ())
        self.own: list[str] = []
        self.own_known: float | None = None
        self._folder = folder
        self._events = events
        self._patience = patience
        self._cells: list[dict[str, Any]] = []
        self._imported: list[str] = []  # what cells and checks imported when they ran
        self._is_ready = False
        self._worker: Process | None = None
        self._spare: Process | None = None
        self._whole: Process | None = None  # the one that runs the whole notebook, while it does
        self._before: dict[str, Outcome] = {}  # what was known before that
        self._ran_whole: tuple[CodeCell, ...] | None = None  # the text that ran so, to its end

    @property
    def is_sure(self) -> bool:
        """Whether all that is known comes from one fresh run of the notebook as it is now."""
        return self._ran_whole == self.standing.cells

    @property
    def busy(self) -> Process | None:
        """The process that is running something, if one is."""
        running = (self._whole, self._worker)
        return next((one for one in running if one is not None and one.step is not None), None)

    def saved(self, cells: Sequence[dict[str, Any]]) -> None:
        """Take in a new text of the notebook, and check what it changes."""
        self._cells = list(cells)
        if self._worker is None:
            self._worker = self._started()
        if not self._is_ready:
            return
        before = self.standing.cells
        own = self.standing.read(cells)
        if self.standing.cells == before:
            return
        self.own = own + [name for name in self._unknown() if name not in own]
        self.own_known = self._ran_whole = None
        self._stop_what_runs()
        self._go_on()

    def forget(self) -> None:
        """Check everything again: a module beside the notebook has changed."""
        self.own, self.own_known, self._ran_whole = [], None, None
        self.standing.forget()
        self._stop_what_runs()
        self._go_on()

    def take(self, event: Event) -> None:
        """Take in what happened in a process.

        Raises:
            CannotRun: Python ends by itself, or lacks a package that the checks need.
        """
        if event.what == "ended":
            if event.process in (self._worker, self._spare, self._whole):
                self._replace(event.process, ended(event.process))
        elif event.what == "lacks":
            raise lacks(event.value)
        elif event.what == "imported":
            self._imported = list(dict.fromkeys([*self._imported, *event.value]))
        elif event.what == "ready":
            self._begin(event.value)
        elif event.process in (self._worker, self._whole):
            if event.what != "done":
                hear(self.standing, event)
                self._note_own()
            else:
                self._done(event.process)

    def look_after(self) -> None:
        """End what does not end by itself, and have a spare process ready."""
        for process in (self._worker, self._whole):
            if process is not None and process.is_stuck(self._patience):
                process.kill()
                self._replace(process, endless(process))
        busy = self.busy
        if (
            self._spare is None
            and self._is_ready
            and (busy is None or busy.seconds > _SLOW_SECONDS)
        ):
            self._spare = self._started()

    def stop(self) -> None:
        """End every process."""
        for process in (self._worker, self._spare, self._whole):
            if process is not None:
                process.kill()

    def _started(self) -> Process:
        modules = [*modules_of(code_cells(self._cells)), *self._imported]
        return Process(modules, self._events)

    def _begin(self, found: dict[str, list[str]]) -> None:
        """Know which exercises are here, and run the whole notebook for the first time."""
        if self._is_ready:
            return
        self._is_ready = True
        self.standing = Standing(found["exercises"], found["personal"])
        self.standing.read(self._cells)
        self._whole, self._worker = self._worker, None
        self._run_whole()

    def _go_on(self) -> None:
        """Run what comes next: the changed exercises, the other stale ones, or all of it."""
        stale = [name for name in self.standing.stale() if self.standing.can_end(name)]
        names = [name for name in stale if name in self.own] or stale
        if not names:
            known = self.standing.outcomes().values()
            if not self.is_sure and not any(one.is_open for one in known):
                self._whole, self._spare = self._spare or self._started(), None
                self._run_whole()
            return
        if self._worker is None:
            self._worker, self._spare = self._spare or self._started(), None
        self._worker.give(
            Job(self._folder, self.standing.needed(names), self.standing.places(names))
        )

    def _run_whole(self) -> None:
        assert self._whole is not None
        self._before = self.standing.outcomes()
        cells = self.standing.without_endless(self.standing.cells)
        names = [name for name in self.standing.order if self.standing.can_end(name)]
        self._whole.give(Job(self._folder, cells, self.standing.places(names)))

    def _done(self, process: Process) -> None:
        if process is self._whole:
            self._ran_whole = self.standing.cells
            self.standing.compare(self._before)
            self._whole = None
            if self._worker is None:
                self._worker = process
            else:
                process.kill()
        self._go_on()

    def _note_own(self) -> None:
        if self.own and self.own_known is None and not self._unknown():
            self.own_known = time.time()

    def _unknown(self) -> list[str]:
        """Of the exercises that were saved last, those that have not been looked at since."""
        return [name for name in self.own if self.standing.is_stale(name)]

    def _stop_what_runs(self) -> None:
        """What runs is about an older text."""
        if self._whole is not None:
            self._whole.kill()
            self._whole = None
        if self._worker is not None and self._worker.step is not None and self._worker.is_ready:
            self._worker.kill()
            self._worker = None

    def _replace(self, process: Process, why: CellError) -> None:
        """Go on without a process that is gone, and without what it was on."""
        if process is self._spare:
            self._spare = None
            return
        if process is self._whole:
            self._whole = None
        else:
            self._worker = None
        if process.step is None:
            return
        if process.step == "":
            raise CannotRun(process.how_it_ended())
        self.standing.never_ended(process.step, why)
        self._go_on()
