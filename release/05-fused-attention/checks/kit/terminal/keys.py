"""Single keys from the terminal, on Unix and on Windows, without a line being waited for."""

import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Key:
    """A key that was pressed, as its small letter."""

    letter: str


@contextmanager
def keys(events: "queue.Queue[Any]") -> Iterator[None]:
    """Put every key that is pressed among the events; none where there is no keyboard.

    Ctrl-C stays what it is. The terminal is left as it was found.
    """
    if not sys.stdin.isatty():
        yield
    elif sys.platform == "win32":
        threading.Thread(target=_on_windows, args=(events,), daemon=True).start()
        yield
    else:
        import termios
        import tty

        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal)
        threading.Thread(target=_on_unix, args=(terminal, events), daemon=True).start()
        try:
            yield
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _on_unix(terminal: int, events: "queue.Queue[Any]") -> None:
    while pressed := os.read(terminal, 32):
        # An arrow or a function key is several characters, the first of them escape.
        if not pressed.startswith(b"\x1b"):
            for letter in pressed.decode(errors="ignore"):
                events.put(Key(letter.lower()))


def _on_windows(events: "queue.Queue[Any]") -> None:
    import msvcrt

    read: Any = msvcrt
    while True:
        if not read.kbhit():
            time.sleep(0.05)
            continue
        letter = read.getwch()
        if letter in "\x00\xe0":  # an arrow or a function key: its second half follows
            read.getwch()
        else:
            events.put(Key(letter.lower()))
