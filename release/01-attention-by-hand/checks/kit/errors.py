"""What can go wrong while a student's code runs, and what a gradient request gives back."""

import builtins
from dataclasses import dataclass
from typing import Any


class StudentError(Exception):
    """The student's code raised an exception.

    Attributes:
        type_name: the exception's type, such as "TypeError".
        message: the exception's text.
        line: line of the student's cell that raised it, counted from 1; None when unknown.
        builtin: the nearest of Python's own exceptions that the type is one of, "ValueError" for a
            student's own subclass of it.
        inside: the function or class of the student's that the line belongs to, as the cell names
            it; None when unknown.
    """

    def __init__(
        self,
        type_name: str,
        message: str,
        line: int | None = None,
        builtin: str | None = None,
        inside: str | None = None,
    ) -> None:
        super().__init__(type_name, message, line)
        self.type_name = type_name
        self.message = message
        self.line = line
        self.builtin = builtin or type_name
        self.inside = inside

    def __str__(self) -> str:
        where = f" (line {self.line})" if self.line is not None else ""
        return f"{self.type_name}: {self.message}{where}"


def builtin_name(error: BaseException) -> str:
    """The name of the nearest of Python's own exceptions that an error is one of."""
    names = (kind.__name__ for kind in type(error).__mro__ if is_builtin(kind))
    return next(names, "Exception")


def is_builtin(kind: type) -> bool:
    """Whether a class is Python's own, not one that only says so."""
    return getattr(builtins, kind.__name__, None) is kind


class MissingName(StudentError):
    """A name that an exercise asks for is not bound: its cell was not run, or it was renamed."""

    def __init__(self, name: str) -> None:
        super().__init__("NameError", f"name {name!r} is not defined")
        self.args = (name,)
        self.name = name


class StudentDied(Exception):
    """The process that runs the student's code is gone.

    Attributes:
        reason: a code: "timeout", "out_of_memory", "tried_to_start_a_process", "crashed" or
            "protocol".
        detail: more about the reason, such as "signal 11".
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


@dataclass(frozen=True)
class Gradients:
    """What one forward and one backward pass gave.

    Attributes:
        value: what the student's code returned, cut off from the graph.
        inputs: one gradient a positional argument; None where the argument is no floating-point
            tensor or no gradient reaches it.
        parameters: gradient of each parameter by name, None where none reaches it; empty for
            functions.
    """

    value: Any
    inputs: tuple[Any, ...]
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Stop:
    """What stopped a notebook.

    Attributes:
        place: which of the cells that were run it was, counted from 0.
        begins: the first line of that cell's code.
        line: of that cell; None where it is not known.
        says: the error; empty where an import is missing.
        missing: the import that is not there; empty where it was another error.
        cell: the cell's number in a notebook, counting text and code from 1; None where the
            verdict is not about one notebook alone.
    """

    place: int
    begins: str
    line: int | None
    says: str = ""
    missing: str = ""
    cell: int | None = None

    @property
    def of(self) -> str:
        """What a later cell lacks, in words."""
        if self.missing:
            return f"`{self.missing}`, which is not there when your notebook is graded"
        return "what a cell above should have made, which had stopped"

    def where(self) -> str:
        """The cell and the line."""
        begins = f"`{self.begins}`"
        cell = f"the cell that begins {begins}" if self.cell is None else f"cell {self.cell}"
        more = "" if self.cell is None else f" ({begins})"
        return f"line {self.line} of {cell}{more}" if self.line else f"{cell}{more}"

    @property
    def what(self) -> str:
        """What stopped: an error, or that an import is not there."""
        return f"{self.missing} is not there" if self.missing else self.says

    @property
    def in_short(self) -> str:
        """What stopped, and where, in a line."""
        if self.missing:
            return f"{self.what} ({self.where()})"
        return f"stopped in {self.where()}: {self.what}"
