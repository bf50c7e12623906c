"""Hints, one at a time: `hint("row_sums")` shows the first; called again, it shows the next."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "hints"
RUNGS = ("question", "pointer", "miniature")
_HEADINGS = ("a question", "a pointer", "a small example")
_shown: dict[str, int] = {}  # the number of the hint that each exercise has come to


def hint(exercise: str, number: int | None = None) -> None:
    """Show a hint for one exercise: the next one, or the one of that number.

    Args:
        exercise: the exercise's name, such as "row_sums".
        number: 1, 2 or 3; left out, the one after the last that was shown here.
    Raises:
        ValueError: there are no hints of that name, or none of that number.
    """
    from .showing import present, without_marks

    last = _shown.get(exercise, 0)
    chosen = min(last + 1, len(RUNGS)) if number is None else number
    text = hint_text(exercise, chosen, f'hint("{exercise}")')
    if number is None and last == len(RUNGS):
        text += f'\n\n*You have opened all {last}. `hint("{exercise}", 1)` shows the first again.*'
    _shown[exercise] = chosen
    present(without_marks(text), {"text/markdown": text})


def hint_text(exercise: str, number: int, following: str) -> str:
    """One hint in Markdown, with what it is and how to go on.

    Args:
        exercise: the exercise's name.
        number: which hint, from 1.
        following: what to type for the next one.
    Raises:
        ValueError: there are no hints of that name, or none of that number.
    """
    ladder = ladders().get(exercise)
    if ladder is None:
        here = ", ".join(ladders()) or "nothing"
        raise ValueError(f"There are no hints for {exercise!r} here; there are some for: {here}.")
    if isinstance(number, bool) or number not in range(1, len(ladder) + 1):
        raise ValueError(f"Hints of {exercise} are numbered 1 to {len(ladder)}, not {number!r}.")
    heading = f"**Hint {number} of {len(ladder)} for `{exercise}`: {_HEADINGS[number - 1]}**"
    if number < len(ladder):
        ending = f"*Try this first. The next hint: `{following}`*"
    else:
        ending = "*This was the last hint. Still stuck? Show your instructor what you have tried.*"
    return f"{heading}\n\n{ladder[number - 1]}\n\n{ending}"


@lru_cache(maxsize=1)
def ladders() -> dict[str, tuple[str, ...]]:
    """The hints that are here, from the mildest on, by exercise."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        found |= read_ladders(path)
    return found


def read_ladders(path: Path) -> dict[str, tuple[str, ...]]:
    """The hints of a file, from the mildest on, by exercise."""
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        exercise: tuple(rungs.get(rung, "").strip() for rung in RUNGS)
        for exercise, rungs in read.items()
    }
