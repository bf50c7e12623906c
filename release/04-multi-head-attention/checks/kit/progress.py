"""`progress()`: how the notebook stands, by the checks that have run: done, not yet, next."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from .checking import Checked, checked
from .report import framed, prose

State = Literal["done", "not yet", "optional"]
STATES: tuple[State, ...] = get_args(State)

CHECKED = re.compile(r'^check\("(\w+)"\)', re.MULTILINE)
ALL_DONE = (
    'All is done. Choose "Restart kernel and run all cells", and when it says so again, save the '
    "notebook and hand it in. Grading runs more checks than you see."
)


@dataclass(frozen=True)
class Part:
    """One exercise, question or written answer of the notebook.

    Attributes:
        name: its name.
        state: `done`, `not yet`, or `optional` where nothing can be checked here.
        says: more about the state; may be empty.
        to_do: what to do about it; empty unless it is not done yet.
    """

    name: str
    state: State
    says: str = ""
    to_do: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.says})" if self.says else self.name


def progress() -> None:
    """Show which exercises and questions are done, which are not yet, and what is next."""
    from .showing import present

    parts = standing(checked, vars(sys.modules["__main__"]))
    lines = in_lines(parts)
    present("\n".join(f"{label}: {text}" for label, text in lines), {"text/html": _as_html(lines)})


def standing(found: Mapping[str, Checked], namespace: Mapping[str, Any]) -> list[Part]:
    """How each part of the notebook stands, in the notebook's order.

    Args:
        found: the last check of each exercise.
        namespace: what the notebook's names are bound to now.
    """
    from .discovery import exercises_here
    from .notebook import saved_cells

    cells, here = saved_cells(), exercises_here()
    parts = {name: _part(name, found.get(name), namespace.get(name)) for name in here}
    in_order = [name for cell in cells for name in CHECKED.findall(cell["source"])]
    order = [name for name in dict.fromkeys(in_order) if name in parts]
    order += [name for name in here if name not in order]
    return [parts[name] for name in order] + _written(cells)


def in_lines(parts: list[Part]) -> list[tuple[str, str]]:
    """What is shown: a label and a text for each line."""
    groups = {state: [part for part in parts if part.state == state] for state in STATES}
    lines = [
        (f"{state.capitalize()} ({len(group)})", ", ".join(map(str, group)))
        for state, group in groups.items()
        if group
    ]
    first = next(iter(groups["not yet"]), None)
    return [*lines, ("Next", ALL_DONE if first is None else first.to_do)]


def _part(name: str, last: Checked | None, bound: Any) -> Part:
    if last is None:
        to_do = f"Run the cell of {name}, and the check below it."
        return Part(name, "not yet", "not checked", to_do)
    if last.bound is not bound:
        to_do = f"{name} has changed since it was checked: run its check again."
        return Part(name, "not yet", "changed since its check", to_do)
    looked = last.found
    if looked.failure is None:
        is_right = all(finding.passed for finding in looked.findings)  # predictions need not be
        return Part(
            name, "done" if looked.findings else "optional", "" if is_right else "not right"
        )
    if not looked.findings:
        return Part(name, "not yet", "", f"{name}. Its cell waits for you.")
    advice = next(one.says for one in looked.findings if not one.passed)
    passed, count = sum(one.passed for one in looked.findings), len(looked.findings)
    says = f"{passed} of {count} checks pass" if count > 1 else ""
    return Part(name, "not yet", says, f"{name}. {advice}")


def _written(cells: list[dict[str, Any]]) -> list[Part]:
    from .written import written_answers

    to_do = "Write your answer to {name} in its cell, in your own words, and save the notebook."
    return [
        Part(name, "done")
        if is_answered
        else Part(name, "not yet", "empty when last saved", to_do.format(name=name))
        for name, is_answered in written_answers(cells).items()
    ]


def _as_html(lines: list[tuple[str, str]]) -> str:
    rows = "".join(f"<dt{_look(label)}{label}</dt><dd>{prose(text)}</dd>" for label, text in lines)
    return framed(f"<dl>{rows}</dl>")


def _look(label: str) -> str:
    """Colour and sign of a line's label, by what it begins with."""
    if label.startswith("Done"):
        return ' class="cr-passed">✓ '
    return ' class="cr-failed">✗ ' if label.startswith("Not yet") else ">"
