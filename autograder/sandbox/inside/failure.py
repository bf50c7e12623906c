"""An exception of student code as plain, bounded data."""

import builtins
import re
import sys
from types import TracebackType
from typing import Any

from autograder.checks.kit.grading import too_new

from .not_there import NOT_THERE, missing_in
from .processes import ProcessRefused

MISSING_IMPORT = "missing_import"
OUT_OF_MEMORY = "out_of_memory"
PROCESS_REFUSED = "tried_to_start_a_process"
GPU_FAULT = "gpu_fault"  # after which nothing that this process asks of its GPU succeeds

LONGEST_MESSAGE = 2000
LONGEST_TYPE_NAME = 100

_CELL_NAME = re.compile(r"<cell [0-9]+ from line ([0-9]+)>")


def cell_name(number: int, source: str) -> str:
    """The file name of a cell's code; it tells where the code starts, for IPython's own count.

    IPython takes blank lines off the front of a cell before it counts.
    """
    lines = enumerate(source.splitlines(), 1)
    return f"<cell {number} from line {next((n for n, line in lines if line.strip()), 1)}>"


def describe(error: BaseException, missing: str | None = None) -> dict[str, Any]:
    """The exception's type, its nearest built-in type, text, line, and reason if it has one.

    Args:
        error: the exception.
        missing: the import that is known to be behind it; what the exception itself says if None.
    """
    missing = missing or missing_in(error)
    if missing is not None:
        kind = ImportError if type(error) is ImportError else ModuleNotFoundError
        return _described(kind, NOT_THERE.format(missing), error, MISSING_IMPORT)
    try:
        # A SyntaxError's own text ends in a file name and line of ours.
        message = _unread(error) if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # a student's own __str__ may do anything
        message = ""
    return _described(type(error), message, error, _reason(error, message))


def _unread(error: SyntaxError) -> str:
    """Why a cell cannot be read, and whether a newer Python could."""
    newer = too_new(error, sys.version_info.minor)
    return f"{error.msg} ({newer})" if newer else str(error.msg)


def _described(
    kind: type, message: str, error: BaseException, reason: str | None
) -> dict[str, Any]:
    return {
        "type": plain(kind.__name__, LONGEST_TYPE_NAME),
        "builtin": _builtin_name(kind),
        "message": plain(message, LONGEST_MESSAGE),
        "line": line_of(error),
        "reason": reason,
    }


def _builtin_name(kind: type) -> str:
    """The nearest of Python's own classes that a class descends from, or is."""
    own = (base for base in kind.__mro__ if getattr(builtins, base.__name__, None) is base)
    return next(own).__name__


def plain(text: str, longest: int) -> str:
    """The start of a text, as valid Unicode."""
    return text[:longest].encode(errors="replace").decode()


def _reason(error: BaseException, message: str) -> str | None:
    """The code of a reason that a person should hear in place of the exception; else None."""
    if isinstance(error, MemoryError) or _is_failed_allocation(error, message):
        return OUT_OF_MEMORY
    if isinstance(error, RuntimeError) and message.startswith("CUDA error"):
        return GPU_FAULT
    return PROCESS_REFUSED if isinstance(error, ProcessRefused) else None


def _is_failed_allocation(error: BaseException, message: str) -> bool:
    return isinstance(error, RuntimeError) and (
        "can't allocate memory" in message or message.startswith("CUDA out of memory")
    )


def line_of(error: BaseException) -> int | None:
    """The line of the cell that raised: the deepest one in the outermost cell of the traceback."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        start = _CELL_NAME.fullmatch(error.filename or "")
        if start is not None:
            return error.lineno + int(start[1]) - 1
    cell, start, line = None, None, None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if cell is None:
            start = _CELL_NAME.fullmatch(name)
            cell = name if start is not None else None
        if start is not None and name == cell:
            line = trace.tb_lineno + int(start[1]) - 1
        trace = trace.tb_next
    return line
