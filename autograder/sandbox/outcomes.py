"""What running one cell gave."""

from dataclasses import dataclass

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox.inside.failure import OUT_OF_MEMORY, PROCESS_REFUSED


@dataclass(frozen=True)
class CellError:
    """An exception that a cell raised.

    Attributes:
        type_name: the exception's type, such as "NameError".
        message: its text, bounded.
        line: line of the cell, counted from 1; None when unknown.
        reason: the code of a reason that a person should hear in its place, such as
            "out_of_memory"; else None.
        builtin: the nearest of Python's own exceptions that the type is one of.
    """

    type_name: str
    message: str
    line: int | None
    reason: str | None = None
    builtin: str = "Exception"

    def __str__(self) -> str:
        where = f" (line {self.line})" if self.line is not None else ""
        return f"{self.type_name}: {self.message}{where}"

    def as_death(self, limits: Limits) -> StudentDied | None:
        """The reason as what graded calls raise, though the process lives on; None without one."""
        if self.reason == OUT_OF_MEMORY:
            return StudentDied(OUT_OF_MEMORY, f"more than {limits.memory_bytes >> 20} MiB")
        if self.reason == PROCESS_REFUSED:
            return StudentDied(PROCESS_REFUSED, "tried to start a process")
        return None


@dataclass(frozen=True)
class CellOutcome:
    """What running one cell gave.

    Attributes:
        error: what it raised, or None.
        printed: what it printed and displayed as text, bounded.
        bound: whether the name to keep was bound right after the cell.
        missing: imports that are not there, such as "pandas", and which line used them first; what
            only they stopped was left out.
    """

    error: CellError | None
    printed: str
    bound: bool
    missing: tuple[tuple[str, int | None], ...] = ()
