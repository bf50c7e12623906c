"""One mistake costs once: what builds on an earlier answer may build on a wrong one.

An answer that calls the student's own earlier functions goes wrong where they are. So it is held to
the reference first, and then to the reference that calls those functions of the student's, through
the sandbox. Nothing secret crosses: the student's code sees the inputs that it would see anyway.
"""

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from torch import nn

from autograder.checks.errors import StudentDied, StudentError
from autograder.judging.assertions import Wrong, assert_matches
from autograder.judging.tolerance import expected

Reference = Callable[..., Any]

# A student's part may give back anything, which the reference built on it cannot always take; or
# never come back, which says nothing of an answer that did.
UNFIT = (
    *(Wrong, StudentError, StudentDied),
    *(TypeError, ValueError, IndexError, RuntimeError, AttributeError),
)


def assert_right(
    found: object,
    reference: Reference,
    student: Any,
    parts: tuple[str, ...],
    *args: Any,
    **kwargs: Any,
) -> bool:
    """Check a result against the reference, or else against the reference on the student's parts.

    Args:
        found: what the student's code returned for these arguments.
        reference: the trusted function or module, which calls its parts by their names.
        student: the student's code.
        parts: names of earlier exercises that the answer may call.
        args: the arguments of the call.
        kwargs: its keyword arguments.
    Returns:
        whether it is the reference's result; False where the student's parts explain another.

    Raises:
        Wrong: the result differs from both; says how from the reference.
    """

    def judge(trusted: Reference) -> None:
        assert_matches(found, expected(trusted, *args, **kwargs))

    return held_to(judge, reference, student, parts)


def held_to(
    judge: Callable[[Reference], None], reference: Reference, student: Any, parts: tuple[str, ...]
) -> bool:
    """Judge by the reference, or else by the reference on the student's own parts.

    Args:
        judge: raises Wrong where an answer differs from what it is given.
        reference: the trusted function or module, which calls its parts by their names.
        student: the student's code.
        parts: names of earlier exercises that the answer may call.
    Returns:
        whether the reference itself passed the answer.

    Raises:
        Wrong: neither passed it; says what the reference said.
    """
    try:
        judge(reference)
    except Wrong:
        try:
            judge(_on(student, parts, reference))
        except UNFIT:
            pass
        else:
            return False
        raise
    return True


def fault_of(error: Exception) -> tuple[str, str]:
    """What an error says, but for the line: the same for one part, whoever calls it."""
    if isinstance(error, StudentError):
        return error.type_name, error.message
    return type(error).__name__, str(error)


def _on(student: Any, parts: tuple[str, ...], reference: Reference) -> Reference:
    """The reference, with the student's own functions under the names of its parts."""
    own = {name: getattr(student, name) for name in parts}
    if isinstance(reference, nn.Module):
        module = type(reference).__new__(type(reference))
        forward = MethodType(_rebound(type(reference).forward, own), module)
        module.__dict__ = reference.__dict__ | {"forward": forward}
        return module
    assert isinstance(reference, FunctionType)
    return _rebound(reference, own)


def _rebound(function: Any, own: dict[str, Any]) -> FunctionType:
    names = function.__globals__ | own
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
