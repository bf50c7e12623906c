"""What a terminal says of an exercise: in one line, or in full."""

import re

from ..judged import ELSEWHERE
from .once import STILL_RUNNING
from .outcome import NOT_BEGUN, NOT_CHECKED, Outcome, Told
from .standing import Standing
from .style import Style

_NOT_WRITTEN = re.compile(r"NotImplementedError: (\w+) is not written yet")
_OF_LETTERS = " If that cell stops with NameError: l"
_LABELS = ("called", "came back", "expected")
_MOST_LINES = 8  # of one value


def warned(standing: Standing, style: Style) -> list[str]:
    """What works here, and will not when the notebook is graded, in lines."""
    way = f"{style.signs['way']} "
    return [line for told in standing.warnings() for line in style.wrapped(told, way)]


def sign(outcome: Outcome | None, style: Style, is_stale: bool = False) -> str:
    """A tick, a cross, or a sign that it is open or being looked at again."""
    if is_stale:
        return style.colour(style.signs["stale"], "yellow")
    if outcome is None or outcome.state in (NOT_BEGUN, NOT_CHECKED):
        return style.signs["open"]
    if outcome.is_done and outcome.is_right is not False:
        return style.colour(style.signs["done"], "green")
    return style.colour(style.signs["failed"], "red", "bold")


def in_a_line(name: str, standing: Standing) -> str:
    """How an exercise stands, in a few words."""
    outcome = standing.outcome(name)
    if outcome is None:
        return "not looked at yet"
    if outcome.state == NOT_CHECKED:
        return "not checked here"
    if outcome.state == NOT_BEGUN:
        return _why_not_begun(outcome, standing)
    if standing.own_errors(name) and not outcome.told:
        return "its cell stops with an error"
    if outcome.is_right is not None:
        return "right" if outcome.is_right else "not right"
    if outcome.is_question:
        return "answered" if outcome.is_done else "no answer of the right form"
    if not outcome.told:
        return "does not end" if STILL_RUNNING in outcome.heading else "cannot be checked"
    passed = sum(one.passed for one in outcome.told)
    return f"{passed} of {len(outcome.told)} checks pass"


def in_full(
    name: str, standing: Standing, style: Style, only_first: bool = False, passed: bool = False
) -> list[str]:
    """All there is to say of an exercise, in lines.

    Args:
        name: the exercise's.
        standing: what is known.
        style: how it is to look.
        only_first: of several checks that fail, the first is enough.
        passed: whether checks that pass are named, too.
    """
    outcome = standing.outcome(name)
    heading = f"{name}: {in_a_line(name, standing)}"
    lines = [f"{sign(outcome, style)} {style.colour(heading, 'bold')}"]
    if outcome is None:
        return lines
    for error in standing.own_errors(name):
        lines += style.wrapped(str(error), "  ")
        letters = outcome.heading.partition(_OF_LETTERS)[2]
        if letters and error.says.startswith("NameError"):
            lines += style.wrapped(f"L{letters}", f"  {style.signs['way']} ")
    if not outcome.told and not standing.own_errors(name):
        lines += style.wrapped(_advice(outcome, standing), "  ")
    if ELSEWHERE in outcome.heading:
        lines += style.wrapped(f"Note that {ELSEWHERE}.", f"  {style.signs['way']} ")
    if standing.only_apart(name):
        lines += style.wrapped(
            "It passes on the cells that it rests on, and fails where the whole notebook runs from "
            "the top: a cell in between changes something.",
            f"  {style.signs['way']} ",
        )
    if outcome.is_question and outcome.is_done:
        return lines + style.wrapped(outcome.why or outcome.heading.partition(": ")[2], "  ")
    for told in outcome.told if not only_first else [outcome.first_failure]:
        if told is not None and not told.passed:
            lines += _failure(told, outcome, style)
        elif told is not None and passed:
            lines += style.wrapped(told.claim, f"  {style.signs['done']} ")
    if passed and outcome.picture:
        lines += style.wrapped(outcome.picture, "  ")
    return lines


def waits_for(says: str) -> str | None:
    """The exercise that a cell's error asks for first; None where it says something else."""
    found = _NOT_WRITTEN.match(says)
    return found[1] if found else None


def _failure(told: Told, outcome: Outcome, style: Style) -> list[str]:
    """The sentence that helps, and what was called, came back and was expected."""
    lines = [] if told.only_form else style.wrapped(told.claim, f"  {style.signs['failed']} ")
    says = style.wrapped(told.says, f"    {style.signs['way']} ")
    lines += [style.colour(line, "yellow") for line in says]
    if outcome.state == NOT_BEGUN:
        return lines
    for label, text in zip(_LABELS, (told.called, told.came_back, told.expected), strict=True):
        if text and text != outcome.exercise:
            lines += _value(f"      {label:<11}", text, style)
    return lines


def _value(start: str, text: str, style: Style) -> list[str]:
    """A value; the columns of a grid of numbers stay below one another."""
    if not text.lstrip().startswith("["):
        return style.wrapped(text, start)[:_MOST_LINES]
    rows = text.splitlines()
    if len(rows) > _MOST_LINES:
        rows[_MOST_LINES - 1 :] = [style.signs["more"]]
    later = " " * len(start)
    return [style.cut(f"{later if place else start}{row}") for place, row in enumerate(rows)]


def _why_not_begun(outcome: Outcome, standing: Standing) -> str:
    name, missing = outcome.exercise, outcome.missing
    if missing and missing != name:
        return f"needs {missing} first"
    if missing:
        return "not there: no cell makes it"
    return "not answered yet" if outcome.is_question else "not begun yet"


def _advice(outcome: Outcome, standing: Standing) -> str:
    """What to do first, in words for somebody who saves a file and runs no cell."""
    name, cell = outcome.exercise, standing.cell_of(outcome.exercise)
    if outcome.state != NOT_BEGUN:
        return outcome.heading.partition(": ")[2] or outcome.heading
    if outcome.missing and outcome.missing != name:
        return f"Its check needs {outcome.missing}, which is not there yet. Begin with that."
    if cell is None:
        return f"No cell binds {name}. Was its cell deleted, or the name changed?"
    if outcome.is_question:
        example = outcome.heading.partition(", as in ")[2].rstrip(".")
        such = f", as in {example}" if example else ""
        return f"In cell {cell}, put your answer in place of the dots{such}, and save."
    return (
        f"In cell {cell}, put your code in place of the line `raise NotImplementedError(...)`, and "
        "save."
    )
