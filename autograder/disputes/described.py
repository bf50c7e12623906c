"""What is told of a call that shows what is wrong: its inputs, both results, and a cell."""

import inspect
from collections.abc import Sequence
from dataclasses import replace

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.disputes.account import Shown
from autograder.disputes.cell import NoCell, cell_for, names_of
from autograder.disputes.recording import Recorded
from autograder.disputes.replay import Right
from autograder.disputes.showing import told, told_both
from autograder.disputes.witness import Witness
from autograder.judging.parts import right_answer

ENDS = "It ended the process that ran it, and can end the kernel that you run it in."
SHORT = 20  # characters of an argument that stands in the call itself


def with_call(
    shown: Shown,
    exercise: str,
    asked: Sequence[Recorded],
    right: Right | None,
    witness: Witness,
    source: str,
    seconds: float,
) -> Shown:
    """The same with the call that shows it.

    Args:
        shown: what is known of the test.
        exercise: the exercise's name.
        asked: all that the test asked.
        right: what the reference gives for the witness's call.
        witness: which call it is.
        source: the exercise's cell.
        seconds: how long one call may take.
    """
    one = asked[witness.place]
    names = names_of(exercise, one)
    inputs = [(name, told(value)) for name, value in zip(names, one.args, strict=False)]
    inputs += [(name, told(value)) for name, value in one.kwargs.items()]
    line = one.raised.line if isinstance(one.raised, StudentError) else None
    gave, wanted = _both(one, right)
    shown = replace(
        shown,
        call=_call_text(one, inputs),
        inputs=tuple(inputs),
        gave=gave,
        right=wanted,
        difference=witness.difference,
        rule=_rule(one.name if one.name and isinstance(one.target, str) else exercise),
        line=line,
        line_text=_line_of(source, line),
    )
    words = [
        f"{exercise}: {shown.claim}",
        f"Seen: {shown.difference or shown.symptom or shown.gave}",
        *([shown.note] if shown.note else []),
    ]
    if isinstance(one.raised, StudentDied) and one.raised.reason != "timeout":
        words.append(ENDS)
    try:
        cell = cell_for(exercise, asked[: witness.place + 1], right, words, seconds)
    except NoCell as why:
        return replace(shown, why_no_cell=str(why))
    return replace(shown, cell=cell)


def _call_text(one: Recorded, inputs: Sequence[tuple[str, str]]) -> str:
    given = ", ".join(f"{name}={text}" if len(text) < SHORT else name for name, text in inputs)
    if one.way == "value":
        return one.name
    if isinstance(one.target, str):
        call = f"{one.target}({given})"
    else:
        call = f"module.{one.name}({given})" if one.name else f"module({given})"
    return f"the gradients of {call}" if one.way == "grad" else call


def _both(one: Recorded, right: Right | None) -> tuple[str, str]:
    """What came back, and what the reference gives; empty where it was not asked."""
    if one.raised is None and right is not None and right.raised is None:
        return told_both(one.gave, right.gave)
    wanted = "" if right is None else str(right.raised) if right.raised else told(right.gave)
    if isinstance(one.raised, StudentDied):
        return f"nothing: the process ended ({one.raised})", wanted
    return str(one.raised) if one.raised is not None else told(one.gave), wanted


def _line_of(source: str, line: int | None) -> str:
    """The line of that number, where there is one."""
    lines = source.splitlines()
    return lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""


def _rule(exercise: str) -> str:
    """The first two paragraphs of the reference's docstring: what it promises."""
    try:
        text = inspect.getdoc(right_answer(exercise)) or ""
    except (LookupError, ImportError, AttributeError):
        return ""
    paragraphs = text.split("\n\nArgs:")[0].split("\n\n")
    return " ".join(" ".join(paragraphs[:2]).split())
