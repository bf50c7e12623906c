"""What `python -m checks` prints: a summary first, then what fails, in full, on one screen."""

from collections.abc import Iterable, Sequence

from ..judged import ELSEWHERE
from .outcome import FAILED, NOT_BEGUN
from .standing import Standing
from .style import Style
from .wording import in_a_line, in_full, waits_for, warned

LINES = 40
_KINDS = ("done", "failed", "open", "to write", "not run", "optional")


def report(
    heading: str,
    standing: Standing,
    wanted: Sequence[str],
    style: Style,
    is_whole: bool,
    most: int | None = LINES,
) -> list[str]:
    """The lines to print.

    Args:
        heading: the first line.
        standing: what is known.
        wanted: the exercises that were asked for.
        style: how it is to look.
        is_whole: whether the whole notebook was asked for.
        most: how many lines there may be; None for all there is to say.
    """
    bold = [style.colour(line, "bold") for line in style.wrapped(heading)]
    top = [*bold, *_summary(standing, wanted, style, is_whole)]
    failed = [name for name in wanted if _state(standing, name) == FAILED]
    told = failed if is_whole else wanted
    blocks = [(name, in_full(name, standing, style, passed=not is_whole)) for name in told]
    if is_whole:
        blocks += _cells(standing, failed, style)
        top += warned(standing, style)
    following = _following(standing, wanted, failed, style)
    room = None if most is None else most - len(top) - len(following) - 3
    shown, left = _fitting(blocks, room, style)
    if left:
        names = [name for name in left if name]
        ask = f"python -m checks {names[0]}" if names and is_whole else "the same with --full"
        why = f"There is more about {', '.join(names) or 'these cells'}: {ask}"
        shown += ["", *style.wrapped(why)[:2]]
    return top + shown + following


def _summary(
    standing: Standing, wanted: Sequence[str], style: Style, is_whole: bool
) -> Iterable[str]:
    if not is_whole:
        return
    groups: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for name in wanted:
        outcome = standing.outcome(name)
        is_wrong = outcome is not None and outcome.is_right is False
        is_elsewhere = outcome is not None and ELSEWHERE in outcome.heading
        told = " (not right)" if is_wrong else " (not in its own cell)" if is_elsewhere else ""
        groups[_kind(standing, name)].append(name + told)
    for name, has_text in standing.written.items():
        groups["done" if has_text else "to write"].append(name)
    signs = style.signs
    for kind, mark, colour in zip(
        _KINDS,
        (*(signs[one] for one in ("done", "failed", "open", "open", "stale", "open")),),
        ("green", "red", "bold", "bold", "yellow", "bold"),
        strict=True,
    ):
        words = {"done": "done", "failed": "not yet", "open": "to do"}.get(kind, kind)
        if groups[kind]:
            start = f"{mark} {words:<9}"
            lines = style.wrapped(", ".join(groups[kind]), start)
            yield style.colour(start, colour) + lines[0][len(start) :]
            yield from lines[1:]


def _kind(standing: Standing, name: str) -> str:
    outcome = standing.outcome(name)
    if outcome is None:
        return "not run"
    if not outcome.is_open:
        return "done" if outcome.is_done else "optional"
    return "open" if outcome.state == NOT_BEGUN else "failed"


def _state(standing: Standing, name: str) -> str | None:
    outcome = standing.outcome(name)
    return None if outcome is None else outcome.state


def _cells(
    standing: Standing, failed: Sequence[str], style: Style
) -> Iterable[tuple[str, list[str]]]:
    """Cells that stopped with an error, but for those that an exercise tells itself."""
    told = {str(error) for name in failed for error in standing.own_errors(name)}
    others = [error for error in standing.cell_errors() if str(error) not in told]
    waiting: dict[str, list[int]] = {}
    lines = []
    for error in others:
        name = waits_for(error.says)
        if name is None:
            lines += style.wrapped(f"{style.signs['failed']} {error}", "", "    ")
        else:
            waiting.setdefault(name, []).append(error.cell)
    for name, cells in waiting.items():
        which = f"Cell {cells[0]} needs" if len(cells) == 1 else f"Cells {_listed(cells)} need"
        lines += style.wrapped(f"{style.signs['open']} {which} {name} first.", "", "  ")
    return [("", lines)] if lines else []


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"


def _following(
    standing: Standing, wanted: Sequence[str], failed: Sequence[str], style: Style
) -> list[str]:
    """What to do now."""
    from ..hinting import ladders

    open_ones = [name for name in wanted if _is_open(standing, name)]
    chosen = (*failed, *open_ones)[:1]
    if not chosen:
        return []
    name = chosen[0]
    cell = standing.cell_of(name)
    where = f" (cell {cell})" if cell is not None else ""
    lines = [style.colour("Next", "bold") + f": {name}{where}, {in_a_line(name, standing)}"]
    if name in ladders():
        lines.append(style.colour("Hint", "bold") + f": python -m checks hint {name}")
    return ["", *(lines if len(wanted) > 1 else lines[1:])]


def _is_open(standing: Standing, name: str) -> bool:
    outcome = standing.outcome(name)
    return outcome is None or outcome.is_open


def _fitting(
    blocks: Sequence[tuple[str, list[str]]], room: int | None, style: Style
) -> tuple[list[str], list[str]]:
    """As many blocks as there is room for, the first at least in part; and the names of others."""
    shown: list[str] = []
    left: list[str] = []
    for name, lines in blocks:
        block = ["", *lines]
        if room is None or (not left and len(shown) + len(block) <= room):
            shown += block
        elif not shown:
            shown += [*block[: room - 1], f"    {style.signs['more']}"]
            left.append(name)
        else:
            left.append(name)
    return shown, left
