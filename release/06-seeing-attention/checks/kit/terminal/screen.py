"""What `python -m checks --watch` shows: one screen, drawn anew whenever something is new."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .outcome import FAILED, NOT_BEGUN
from .standing import Standing
from .style import Style, style_of
from .wording import in_a_line, in_full, sign, warned

_BAR = 20
_KEYS = (("h", "hint"), ("l", "list"), ("q", "quit"))


@dataclass(frozen=True)
class View:
    """What there is to show.

    Attributes:
        heading: the notebook, and when it was last looked at.
        doing: what is running, and how long already; empty where nothing is.
        standing: what is known.
        own: the exercises that the last save was about.
        is_sure: whether all is known from one fresh run of the whole notebook.
        hint: a hint that was asked for; empty where none was.
        is_list: whether the list was asked for.
        trouble: why the notebook cannot be read; else empty.
    """

    heading: str
    doing: str
    standing: Standing
    own: Sequence[str]
    is_sure: bool
    hint: str
    is_list: bool
    trouble: str


class Screen:
    """The terminal; where the output goes to a file, one view stands below the other."""

    def __init__(self) -> None:
        self._last: list[str] = []

    def show(self, view: View) -> None:
        """Draw the view, if it looks otherwise than the last one."""
        size = shutil.get_terminal_size()
        style = style_of(sys.stdout)
        if sys.stdout.isatty():
            style = replace(style, width=min(style.width, size.columns - 1))
        lines = drawn(view, style, size.lines - 1)
        if lines == self._last:
            return
        self._last = lines
        if style.can_redraw:
            # Home, each line with what was behind it erased, then all below: nothing flickers.
            text = "".join(f"{line}\x1b[K\n" for line in lines)
            sys.stdout.write(f"\x1b[H{text}\x1b[J")
        else:
            sys.stdout.write("\n".join(lines) + "\n\n")
        sys.stdout.flush()

    def clear(self) -> None:
        """Begin with an empty screen."""
        if style_of(sys.stdout).can_redraw:
            sys.stdout.write("\x1b[2J\x1b[H")


def drawn(view: View, style: Style, height: int) -> list[str]:
    """The view in lines, as many as there is room for."""
    top = [style.colour(style.cut(view.heading), "dim"), ""]
    below = ["", *_progress(view, style), *_next(view, style), _bottom(view, style)]
    room = max(3, height - len(top) - len(below))
    middle = _middle(view, style, room)
    if len(middle) > room:
        middle = [*middle[: room - 1], f"  {style.signs['more']}"]
    return [*top, *middle, *below]


def current(standing: Standing, own: Sequence[str]) -> str | None:
    """The exercise to look at: what was just written and fails, or else the first not done.

    One that was worked on comes before those that are as they were released. What is stale may be
    right by now, so it is none.
    """
    worked_on = [name for name in standing.order if not standing.is_untouched(name)]
    for names, states in (
        (own, (FAILED, NOT_BEGUN)),
        (worked_on, (FAILED,)),
        (standing.order, (NOT_BEGUN, FAILED)),
    ):
        for name in names:
            outcome = standing.outcome(name)
            if outcome is not None and outcome.state in states and not standing.is_stale(name):
                return name
    return None


def _middle(view: View, style: Style, room: int) -> list[str]:
    if view.trouble:
        return style.wrapped(view.trouble)
    if view.hint:
        return style.wrapped(view.hint)
    if view.is_list:
        return _listed(view, style, room)
    standing, lines = view.standing, list[str]()
    for name in view.own:
        outcome = standing.outcome(name)
        if standing.is_stale(name):
            lines.append(f"{sign(outcome, style, True)} {name}: being checked")
        elif outcome is not None and not outcome.is_open:
            lines.append(f"{sign(outcome, style)} {name}: {in_a_line(name, standing)}")
            said = outcome.why or outcome.picture
            lines += style.wrapped(said, "  ") if said else []
    shown = current(standing, view.own)
    below = _all_pass(view, style)
    if shown is not None:
        below = in_full(shown, standing, style, only_first=True)
    return [*lines, *([""] if lines and below else []), *below]


def _all_pass(view: View, style: Style) -> list[str]:
    """What to say where no exercise is known to fail."""
    standing = view.standing
    if not standing.order or standing.stale():
        return []
    if not view.is_sure:
        return style.wrapped(
            "Every check passes by itself. The whole notebook now runs once from the top, in a "
            "fresh Python: then it is sure."
        )
    lines = []
    for error in standing.cell_errors():
        lines += style.wrapped(f"{style.signs['failed']} {error}", "", "    ")
    if lines:
        return ["Every check passes, and a cell stops with an error:", *lines]
    done = style.colour(f"{style.signs['done']} All green", "green", "bold")
    lines = [f"{done}: every check passes, in one fresh run of the whole notebook from the top."]
    lines += warned(standing, style)
    unwritten = [name for name, has_text in standing.written.items() if not has_text]
    if unwritten:
        lines += style.wrapped(f"Still to write: {', '.join(unwritten)}, which a person reads.")
    return lines


def _listed(view: View, style: Style, room: int) -> list[str]:
    """Every exercise with its sign, in as many columns as it takes."""
    standing = view.standing
    names = standing.order
    rows = [f"{name}: {_in_list(name, standing)}" for name in names]
    signs = [sign(standing.outcome(name), style, standing.is_stale(name)) for name in names]
    for name, has_text in standing.written.items():
        rows.append(f"{name}: {'written' if has_text else 'to write'}")
        signs.append(style.signs["done" if has_text else "open"])
    columns = -(-len(rows) // max(1, room))
    wide = style.width // max(1, columns)
    cells = [f"{mark} {row[: wide - 3]:<{wide - 3}}" for mark, row in zip(signs, rows, strict=True)]
    deep = -(-len(cells) // max(1, columns))
    return [" ".join(cells[row::deep]).rstrip() for row in range(deep)]


def _in_list(name: str, standing: Standing) -> str:
    return "being checked" if standing.is_stale(name) else in_a_line(name, standing)


def _progress(view: View, style: Style) -> list[str]:
    """How many are done; what runs stands behind it, or below it where there is no room."""
    standing = view.standing
    if not standing.order:
        return [style.signs["more"]]
    done, of = standing.tally()
    filled = _BAR * done // of if of else 0
    full, empty = ("█", "░") if style.signs["done"] == "✓" else ("#", "-")
    bar = style.colour(full * filled, "green") + empty * (_BAR - filled)
    stale = len(standing.stale()) if standing.cells else 0
    again = f", {stale} stale" if stale and of else ""
    doing = f", {view.doing}" if view.doing else ""
    so_far = f"{done} of {of} done{again}"
    if len(so_far) + len(doing) < style.width - _BAR:
        return [f"{bar} {so_far}{doing}"]
    return [f"{bar} {so_far}", style.cut(view.doing)]


def _next(view: View, style: Style) -> list[str]:
    """The first exercise that is not done, other than the one that is shown."""
    standing = view.standing
    shown = current(standing, view.own)
    for name in standing.order:
        outcome = standing.outcome(name)
        is_open = outcome is not None and outcome.is_open and not standing.is_stale(name)
        if is_open and name != shown:
            cell = standing.cell_of(name)
            where = f" (cell {cell})" if cell is not None else ""
            return [style.cut(f"next: {name}{where}, {in_a_line(name, standing)}")]
    unwritten = [name for name, has_text in standing.written.items() if not has_text]
    return [f"next: {unwritten[0]}, to write"] if unwritten and not standing.stale() else []


def _bottom(view: View, style: Style) -> str:
    back = (("any other key", "back"),) if view.hint or view.is_list else ()
    parts = [f"{style.colour(key, 'bold')} {what}" for key, what in (*_KEYS, *back)]
    return "   ".join(parts)
