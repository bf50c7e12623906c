"""One mistake costs once: what builds on an earlier answer may build on a wrong one.

An answer that calls the student's own earlier functions goes wrong where they are. So it is held to
the reference first, and then to the reference that calls those functions of the student's, through
the sandbox. Nothing secret crosses: the student's code sees the inputs that it would see anyway.
"""

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import torch
from torch import Tensor, nn

from autograder.checks.errors import Gradients, MissingName, StudentDied, StudentError
from autograder.judging.assertions import Wrong, assert_gradients_match, assert_matches
from autograder.judging.tolerance import expected

Reference = Callable[..., Any]
Call = tuple[tuple[Any, ...], dict[str, Any], object]
"""Arguments, keyword arguments and result."""

# A student's part may give back anything, which the reference built on it cannot always take; or
# never come back, which says nothing of an answer that did.
UNFIT = (
    *(Wrong, StudentError, StudentDied),
    *(TypeError, ValueError, IndexError, RuntimeError, AttributeError, StopIteration),
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


def assert_law(
    check: Callable[[Reference], None],
    answer: Reference,
    reference: Reference,
    student: Any,
    parts: tuple[str, ...],
    works: Callable[[], object] | None = None,
) -> None:
    """Check something of an answer; what wrong earlier functions of the student's break is free.

    Args:
        check: calls what it is given, and raises Wrong where something does not hold.
        answer: the student's function or module.
        reference: the trusted one, which calls its parts by their names.
        student: the student's code.
        parts: names of earlier exercises that the answer may call.
        works: raises Wrong where the answer is worse on ordinary inputs than its parts make it; for
            a check whose own calls may give nothing to compare.

    Raises:
        Wrong: it does not hold, and the parts do not explain every result.
    """
    calls: list[Call] = []

    def noted(*args: Any, **kwargs: Any) -> object:
        found = answer(*args, **kwargs)
        calls.append((args, kwargs, found))
        return found

    try:
        check(noted)
    except (Wrong, StudentError) as fault:
        if unwritten(fault) or not parts:
            raise
        try:
            explained = _explained(fault, check, _on(student, parts, reference), calls)
            if explained and works is not None:
                works()
        except UNFIT:
            explained = False
        explained = explained and (works is not None or any(not _is_meta(call) for call in calls))
        if not explained:
            raise


def assert_gradients_right(
    found: Gradients,
    reference: Reference,
    student: Any,
    parts: tuple[str, ...],
    *args: Any,
    upstream: Tensor,
    **kwargs: Any,
) -> None:
    """Check gradients against the reference's, or else against those through the student's parts.

    Args:
        found: what `student.grad` gave for these arguments.
        reference: the trusted function or module, which calls its parts by their names.
        student: the student's code.
        parts: names of earlier exercises that the answer may call.
        args: the arguments of the call.
        upstream: the cotangent that was pulled back.
        kwargs: its keyword arguments.

    Raises:
        Wrong: a gradient is missing or differs; says how from the reference's.
    """

    def judge(trusted: Reference) -> None:
        try:
            assert_gradients_match(found, trusted, *args, upstream=upstream, **kwargs)
        except ValueError:  # the student's parts hand no gradient back at all
            if any(one is not None for one in (*found.inputs, *found.parameters.values())):
                raise

    held_to(judge, reference, student, parts)


def unwritten(fault: Exception) -> bool:
    """Whether an answer says that it is not written yet: what it builds on explains nothing."""
    if isinstance(fault, MissingName):
        return True
    return isinstance(fault, StudentError) and fault.builtin == "NotImplementedError"


def _explained(
    fault: Exception, check: Callable[[Reference], None], on_parts: Reference, calls: list[Call]
) -> bool:
    """Whether the student's parts fail the same check, with results like the answer's.

    Results alone do not tell: a trace that breaks a law is smaller than what rounding explains.
    """
    try:
        check(on_parts)
    except (Wrong, StudentError) as other:
        if fault_of(other) != fault_of(fault):
            return False
        for args, kwargs, found in calls:
            assert_matches(found, expected(on_parts, *args, **kwargs))
        return True
    return False


def _is_meta(call: Call) -> bool:
    args, kwargs, _ = call
    return any(isinstance(arg, Tensor) and arg.is_meta for arg in (*args, *kwargs.values()))


def fault_of(error: Exception) -> tuple[str, str]:
    """What an error says, but for the line: the same for one part, whoever calls it."""
    if isinstance(error, StudentError):
        return error.type_name, error.message
    return type(error).__name__, str(error)


def _on(student: Any, parts: tuple[str, ...], reference: Reference) -> Reference:
    """The reference, with the student's own functions under the names of its parts."""
    own = {name: _part(student, name) for name in parts}
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


def _part(student: Any, name: str) -> Reference:
    """The student's own function, through which gradients flow back as it says they do."""

    def call(*args: Any, **kwargs: Any) -> Any:
        tensors = [arg for arg in args if isinstance(arg, Tensor)]
        if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
            return _Through.apply(student, name, kwargs, *args)
        return getattr(student, name)(*args, **kwargs)

    return call


class _Through(torch.autograd.Function):
    """A call of the student's function, differentiated by the student's process."""

    @staticmethod
    def forward(ctx: Any, student: Any, name: str, kwargs: dict[str, Any], *args: Any) -> Any:
        """Call it; what comes first and is floating can be differentiated, the rest cannot."""
        given = [arg.detach() if isinstance(arg, Tensor) else arg for arg in args]
        found = getattr(student, name)(*given, **kwargs)
        several = tuple(found) if isinstance(found, tuple | list) else (found,)
        ctx.call = student, name, kwargs, given
        ctx.set_materialize_grads(False)  # a part that hands nothing back is told from one with 0
        ctx.place = next(
            place
            for place, one in enumerate(several)
            if isinstance(one, Tensor) and one.is_floating_point()
        )
        rest = (one for place, one in enumerate(several) if place != ctx.place)
        ctx.mark_non_differentiable(*(one for one in rest if isinstance(one, Tensor)))
        return several if isinstance(found, tuple | list) else found

    @staticmethod
    def backward(ctx: Any, *upstreams: Any) -> Any:
        """The gradients of the inputs, as the student's process gives them."""
        student, name, kwargs, given = ctx.call
        if upstreams[ctx.place] is None:
            return (None,) * (3 + len(given))
        with torch.enable_grad():  # for a student in this very process
            found = student.grad(name, *given, upstream=upstreams[ctx.place], **kwargs)
        return (None, None, None, *found.inputs)
