"""Colours, signs and line lengths: as a terminal takes them, and plainly where it is none."""

import os
import sys
import textwrap
from dataclasses import dataclass
from typing import TextIO

from ..showing import without_marks

_COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36, "bold": 1, "dim": 2}
_SIGNS = {"done": "✓", "failed": "✗", "open": "·", "stale": "~", "way": "➜", "more": "…"}
_PLAIN = {"done": "+", "failed": "x", "open": ".", "stale": "~", "way": "->", "more": "..."}
WIDEST = 100


@dataclass(frozen=True)
class Style:
    """How lines look.

    Attributes:
        width: how many characters a line may have.
        has_colour: whether colours are wanted.
        signs: ticks and the like by what they say.
        can_redraw: whether the cursor can be moved.
    """

    width: int
    has_colour: bool
    signs: dict[str, str]
    can_redraw: bool = False

    def colour(self, text: str, *names: str) -> str:
        """The text in these colours, where there are any."""
        if not self.has_colour or not text:
            return text
        return f"\x1b[{';'.join(str(_COLOURS[name]) for name in names)}m{text}\x1b[0m"

    def wrapped(self, text: str, start: str = "", indent: str | None = None) -> list[str]:
        """Prose in lines that fit, without Markdown's stars.

        Args:
            text: one or more paragraphs or lines.
            start: what the first line begins with.
            indent: what the others begin with; blanks as wide as `start` when left out.
        """
        later = " " * len(start) if indent is None else indent
        lines: list[str] = []
        for line in without_marks(text).splitlines() or [""]:
            first = start if not lines else later
            lines += textwrap.wrap(
                line, self.width, initial_indent=first, subsequent_indent=later
            ) or [first.rstrip()]
        return lines

    def cut(self, text: str) -> str:
        """One line that is no longer than the terminal is wide."""
        return text if len(text) <= self.width else f"{text[: self.width - 1]}…"


def style_of(stream: TextIO) -> Style:
    """What a stream can show. https://no-color.org says how to ask for no colour."""
    is_terminal = stream.isatty()
    can_redraw = is_terminal and _reads_escapes()
    has_colour = can_redraw and not os.environ.get("NO_COLOR")
    width = os.get_terminal_size(stream.fileno()).columns if is_terminal else 0
    width = width or WIDEST  # some terminals do not know
    return Style(max(40, min(width, WIDEST)), has_colour, signs_of(stream), can_redraw)


def signs_of(stream: TextIO) -> dict[str, str]:
    """The signs that a stream's encoding has."""
    try:
        "".join(_SIGNS.values()).encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return _PLAIN
    return _SIGNS


def _reads_escapes() -> bool:
    """Whether the terminal reads escape sequences; a Windows console is asked to."""
    if os.environ.get("TERM") == "dumb":
        return False
    if sys.platform != "win32":
        return True
    import ctypes

    kernel, mode = ctypes.windll.kernel32, ctypes.c_ulong()
    console = kernel.GetStdHandle(-11)
    if not kernel.GetConsoleMode(console, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(console, mode.value | 4))  # virtual terminal processing
