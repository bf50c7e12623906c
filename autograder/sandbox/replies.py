"""What a process says of cells and errors: plain data within bounds, or a Violation."""

import builtins
from collections.abc import Collection
from typing import Any

from autograder.checks.kit.judged import WHERE, Where
from autograder.checks.kit.values import values
from autograder.course.limits import Limits
from autograder.sandbox.inside.failure import (
    GPU_FAULT,
    LONGEST_MESSAGE,
    LONGEST_TYPE_NAME,
    MISSING_IMPORT,
    OUT_OF_MEMORY,
    PROCESS_REFUSED,
)
from autograder.sandbox.inside.frames import Violation
from autograder.sandbox.inside.not_there import MOST_NOTICED, NAME
from autograder.sandbox.outcomes import CellError, CellOutcome

REASONS = (OUT_OF_MEMORY, PROCESS_REFUSED, GPU_FAULT, MISSING_IMPORT)


def missing_name(name: Any) -> str:
    """The name that was asked for and is not bound."""
    if type(name) is not str:
        raise Violation("a missing name")
    return _bounded(name, LONGEST_TYPE_NAME)


def cell_error(described: Any) -> CellError:
    """What a call or a cell raised."""
    if type(described) is not dict:
        raise Violation("an exception")
    kind, message = described.get("type"), described.get("message")
    line, reason = described.get("line"), described.get("reason")
    builtin = described.get("builtin")
    if type(kind) is not str or type(message) is not str:
        raise Violation("an exception")
    if type(builtin) is not str or not _is_exception(builtin):
        raise Violation("an exception's type")
    if reason not in (None, *REASONS):
        raise Violation("an exception's reason")
    if not _is_line(line):
        raise Violation("an exception's line")
    name, text = _bounded(kind, LONGEST_TYPE_NAME), _bounded(message, LONGEST_MESSAGE)
    return CellError(name, text, line, reason, builtin)


def _is_line(line: Any) -> bool:
    return line is None or (type(line) is int and 0 <= line < 1 << 31)


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _bounded(text: str, longest: int) -> str:
    return text.encode(errors="replace")[:longest].decode(errors="ignore")


def cell_outcome(described: Any, limits: Limits) -> CellOutcome:
    """What a cell gave; its printed text is within the limits."""
    if type(described) is not dict:
        raise Violation("a cell")
    error, printed, bound = described["error"], described["printed"], described["bound"]
    if type(printed) is not str or type(bound) is not bool:
        raise Violation("a cell")
    longest = limits.output_bytes + 100  # and a line that tells how much was dropped
    return CellOutcome(
        None if error is None else cell_error(error),
        _bounded(printed, longest),
        bound,
        _missing(described["missing"]),
    )


def _missing(told: Any) -> tuple[tuple[str, int | None], ...]:
    """Imports that are not there, each with a line."""
    if type(told) is not list or len(told) > MOST_NOTICED:
        raise Violation("missing imports")
    for one in told:
        if type(one) is not list or len(one) != 2 or type(one[0]) is not str:
            raise Violation("a missing import")
        if not NAME.fullmatch(one[0]) or not _is_line(one[1]):
            raise Violation("a missing import")
    return tuple((name, line) for name, line in told)


def judged_cells(told: Any, follow: Collection[str], cells: int) -> dict[str, tuple[Where, int]]:
    """Of each exercise which definition is judged, and the place of the cell that bound it."""
    if type(told) is not dict or not told.keys() <= {*follow}:
        raise Violation("names")
    for found in told.values():
        if type(found) is not list or len(found) != 2 or found[0] not in WHERE:
            raise Violation("a definition")
        if type(found[1]) is not int or not 0 <= found[1] < cells:
            raise Violation("the cell of a definition")
    return {name: (where, cell) for name, (where, cell) in told.items()}


def is_gradients(value: Any, count: int) -> bool:
    """Whether this is (value, one gradient an argument, gradients by parameter name)."""
    if type(value) is not tuple or len(value) != 3:
        return False
    _, inputs, parameters = value
    if type(inputs) is not tuple or len(inputs) != count or type(parameters) is not dict:
        return False
    gradients = [*inputs, *parameters.values()]
    return all(one is None or values().is_gradient(one) for one in gradients) and all(
        type(name) is str for name in parameters
    )
