"""What running one cell gave."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CellError:
    """An exception that a cell raised.

    Attributes:
        type_name: the exception's type, such as "NameError".
        message: its text, bounded.
        line: line of the cell, counted from 1; None when unknown.
        out_of_memory: whether it says that memory has run out.
        builtin: the nearest of Python's own exceptions that the type is one of.
    """

    type_name: str
    message: str
    line: int | None
    out_of_memory: bool = False
    builtin: str = "Exception"

    def __str__(self) -> str:
        where = f" (line {self.line})" if self.line is not None else ""
        return f"{self.type_name}: {self.message}{where}"


@dataclass(frozen=True)
class CellOutcome:
    """What running one cell gave.

    Attributes:
        error: what it raised, or None.
        printed: what it printed and displayed as text, bounded.
        bound: whether the name to keep was bound right after the cell.
    """

    error: CellError | None
    printed: str
    bound: bool
