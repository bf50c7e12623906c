"""`python -m checks --watch`: after every save, the changed exercise's own check comes first."""

import queue
import signal
import time
from pathlib import Path
from typing import Any

from ..hinting import RUNGS, hint_text, ladders
from .checker import Checker
from .keys import Key, keys
from .process import Process, place_text
from .saves import Saves
from .screen import Screen, View, current

_TICK_SECONDS = 0.1
_SLOW_SECONDS = 2


class Watch:
    """Watches a notebook until the student has had enough.

    Args:
        path: the notebook.
        patience: how long a cell or a check may compute, in seconds.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._path = path
        self._saves = Saves(path)
        self._screen = Screen()
        self._events: queue.Queue[Any] = queue.Queue()
        self._checker = Checker(path.parent, self._events, patience)
        self._hints: dict[str, int] = {}  # the number of the hint that each exercise has come to
        self._hint = ""
        self._is_list = False
        self._is_over = False

    def run(self) -> int:
        """Watch until q or Ctrl-C.

        Returns:
            the exit status.
        Raises:
            CannotRun: Python ends by itself, or lacks a package that the checks need.
        """
        signal.signal(signal.SIGTERM, _as_ctrl_c)
        self._screen.clear()
        try:
            with keys(self._events):
                while not self._is_over:
                    self._look()
                    self._screen.show(self._view())
                    self._hear()
        except KeyboardInterrupt:
            pass
        finally:
            self._checker.stop()
        return 0

    def _look(self) -> None:
        """See whether something was saved, and whether every process does well."""
        cells = self._saves.read()
        if cells is not None:
            self._hint, self._is_list = "", False
            self._checker.saved(cells)
        if self._saves.has_new_module():
            self._checker.forget()
        self._checker.look_after()

    def _hear(self) -> None:
        """Wait for a moment; take in all that has happened meanwhile."""
        try:
            self._take(self._events.get(timeout=_TICK_SECONDS))
            while True:
                self._take(self._events.get_nowait())
        except queue.Empty:
            return

    def _take(self, event: Any) -> None:
        if isinstance(event, Key):
            self._press(event.letter)
        else:
            self._checker.take(event)

    def _press(self, letter: str) -> None:
        self._is_list = letter == "l" and not self._is_list
        self._is_over = letter == "q"
        self._hint = self._next_hint() if letter == "h" else ""

    def _next_hint(self) -> str:
        """The next hint for the exercise just written, while it is checked, or the one shown."""
        standing, own = self._checker.standing, self._checker.own
        checked = (name for name in own if standing.is_stale(name) and name in ladders())
        name = next(checked, None) or current(standing, own)
        if name is None:
            return "There is nothing to hint at."
        if name not in ladders():
            return f"There are no hints for {name}."
        number = min(self._hints.get(name, 0) + 1, len(RUNGS))
        self._hints[name] = number
        return hint_text(name, number, "h")

    def _view(self) -> View:
        checker = self._checker
        return View(
            self._heading(),
            _doing(checker.busy),
            checker.standing,
            checker.own,
            checker.is_sure,
            self._hint,
            self._is_list,
            self._saves.trouble,
        )

    def _heading(self) -> str:
        name, checker = self._path.name, self._checker
        saved = time.strftime("%H:%M:%S", time.localtime(self._saves.when))
        if not checker.standing.order:
            return f"{name}: Python starts, and imports what the notebook imports ..."
        took = ""
        if checker.own_known is not None:
            took = f", checked after {max(0, checker.own_known - self._saves.when):.1f} s"
        return f"{name}, saved at {saved}{took}"


def _doing(process: Process | None) -> str:
    """What runs, once it takes its time."""
    if process is None:
        return ""
    if process.seconds < _SLOW_SECONDS:
        return "running ..."
    return f"running for {process.seconds:.0f} s{place_text(process)}"


def _as_ctrl_c(*_: Any) -> None:
    raise KeyboardInterrupt
