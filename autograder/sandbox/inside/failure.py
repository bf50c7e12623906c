"""An exception of student code as plain, bounded data."""

from types import TracebackType
from typing import Any

LONGEST_MESSAGE = 2000
LONGEST_TYPE_NAME = 100
CELL_PREFIX = "<cell "


def describe(error: BaseException) -> dict[str, Any]:
    """The exception's type, text and line, and whether it says that memory has run out."""
    try:
        # A SyntaxError's own text ends in a file name and line of ours.
        message = str(error.msg) if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # a student's own __str__ may do anything
        message = ""
    return {
        "type": plain(type(error).__name__, LONGEST_TYPE_NAME),
        "message": plain(message, LONGEST_MESSAGE),
        "line": _line(error),
        "memory": isinstance(error, MemoryError) or _is_failed_allocation(error, message),
    }


def plain(text: str, longest: int) -> str:
    """The start of a text, as valid Unicode."""
    return text[:longest].encode(errors="replace").decode()


def _is_failed_allocation(error: BaseException, message: str) -> bool:
    return isinstance(error, RuntimeError) and "can't allocate memory" in message


def _line(error: BaseException) -> int | None:
    """The line of the cell that raised: the deepest one in the outermost cell of the traceback."""
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(CELL_PREFIX):
        return error.lineno
    cell, line = None, None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if cell is None and name.startswith(CELL_PREFIX):
            cell = name
        if name == cell:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
