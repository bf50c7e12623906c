"""How an answer was computed, judged by the operations that ran.

The student's process says what ran, and can say anything: code under test can switch the recording
off, or compute where it does not see. So the operations run again here, on numbers that process
never saw, and count only where they give the output for those. Whoever forges a recording that does
so has written a program of the structure that is asked for.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from autograder.judging.assertions import Wrong
from autograder.judging.draw import Draw
from autograder.tensors.operations import (
    EXPONENTIALS,
    FUSED_ATTENTION,
    OWN_ATTENTION,
    PRODUCTS,
    Unfit,
)
from autograder.tensors.replay import Replayed, Step, replayed
from autograder.tensors.traced import traced

UNSEEN = (
    "The operations that PyTorch saw cannot be run again on other numbers to give the right output "
    "for these, so how your output is computed cannot be seen."
)

NO_NUMBERS = (
    "Most of your output is NaN or infinite, so how it is computed cannot be told from its numbers."
)

# New numbers near the first ones, so that code with a choice in it, such as whether a maximum has
# risen, chooses as it did. What was computed elsewhere and comes in as a constant is off by as much
# as the numbers are moved, a thousand times further than rounding in float32.
MOVED = 0.1
ALIKE = 1e-4  # of the largest number in the right output


class NoNumbers(Wrong):
    """Most of an output is NaN or infinite, so that nothing can be told from it."""


@dataclass(frozen=True)
class Structure:
    """What ran for one call.

    Attributes:
        steps: the operations, in order; those that ran again and gave the right output.
        calls_attention: whether PyTorch's own attention ran, fused or as it is written out there,
            and the output would be another without what it gave.
    """

    steps: tuple[Step, ...]
    calls_attention: bool

    def products_with(self, parameter: str) -> int:
        """How many matrix products take in this parameter, or pieces of it."""
        return sum(step.name in PRODUCTS and parameter in step.weights for step in self.steps)

    @property
    def calls_fused_attention(self) -> bool:
        """Whether PyTorch's own attention made the output, in one of its fused kernels."""
        return self.calls_attention and any(step.name in FUSED_ATTENTION for step in self.steps)

    @property
    def largest(self) -> int:
        """Numbers in the largest tensor that was made."""
        return max((step.elements for step in self.steps), default=0)

    @property
    def most_exponentials(self) -> int:
        """Numbers in the largest tensor of exponentials, a softmax's included."""
        return max((step.elements for step in self.steps if step.name in EXPONENTIALS), default=0)

    def growth_over(self, smaller: "Structure") -> int:
        """How many more operations of one kind ran here than for a smaller input, at the most."""
        here, there = (
            Counter(step.name for step in one.steps if not step.is_view) for one in (self, smaller)
        )
        return max((here[name] - there[name] for name in here), default=0)


def structure_of(
    student: Any,
    target: Any,
    *args: Any,
    draw: Draw,
    reference: Callable[[Mapping[str, Tensor]], Callable[..., Tensor]],
    parameters: Mapping[str, Tensor] = MappingProxyType({}),
    own: Any = None,
    **kwargs: Any,
) -> Structure:
    """What runs when the student's code is called.

    Args:
        student: the student's code.
        target: a name of the student's, or a module that a call returned.
        args: its arguments; for the second run tensors of numbers are moved, and those of
            truth values turned round along all their axes but the last, so that no row loses all
            that is true in it.
        draw: where the new numbers come from.
        reference: the trusted function or module for given parameters.
        parameters: the values that a module's parameters have, by name.
        own: what gives the student's own function or module for given parameters; where it is
            given, an answer that is wrong in its values is seen, too, so that its structure earns
            what it deserves. All that goes in has to make a difference to it.
        kwargs: its keyword arguments, which stay.

    Raises:
        NoNumbers: most of the output is NaN or infinite.
        Wrong: what was recorded does not lead to the output.
    """
    value, recording = traced(student, target, *args, **kwargs)
    if isinstance(value, Tensor) and not value.is_meta and not _mostly_numbers(value):
        raise NoNumbers(NO_NUMBERS)
    if own is not None and not _agree(value, own(parameters)(*args, **kwargs)):
        raise Wrong(UNSEEN)
    moved = [_moved(argument, draw) for argument in args]
    weights = {name: _moved(weight, draw) for name, weight in parameters.items()}
    inputs: dict[int | str, Any] = dict(enumerate(moved)) | kwargs
    tensors = {place: one for place, one in inputs.items() if isinstance(one, Tensor)}
    try:
        again = replayed(recording, tensors, weights)
    except Unfit:
        raise Wrong(UNSEEN) from None
    if not _agree(again.result, reference(weights)(*moved, **kwargs)):
        if own is None or not _agree(again.result, own(weights)(*moved, **kwargs)):
            raise Wrong(UNSEEN)
        # A wrong answer, but one of all the numbers that went in; truth values it may have ignored.
        for place in [place for place, one in tensors.items() if one.is_floating_point()]:
            fewer = replayed(recording, tensors | {place: _original(place, args, kwargs)}, weights)
            if _agree(fewer.result, again.result):
                raise Wrong(UNSEEN)
    return Structure(again.steps, _attends(again, recording, tensors, weights))


def _attends(
    again: Replayed,
    recording: Mapping[str, Any],
    tensors: Mapping[int | str, Tensor],
    weights: Mapping[str, Tensor],
) -> bool:
    """Whether PyTorch's own attention ran, and the result is another with zeros in its place."""
    if not any(step.name in OWN_ATTENTION for step in again.steps):
        return False
    try:
        without = replayed(recording, tensors, weights, blank=OWN_ATTENTION)
    except Unfit:  # what follows cannot even run without what it gave
        return True
    return not _agree(without.result, again.result)


def _original(place: int | str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Tensor:
    value: Tensor = args[place] if isinstance(place, int) else kwargs[place]
    return value


def _moved(value: Any, draw: Draw) -> Any:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value + MOVED * draw.normal(*value.shape, dtype=value.dtype)
    if isinstance(value, Tensor) and value.dtype is torch.bool:
        return value.flip(tuple(range(value.ndim - 1)))
    return value


def _agree(found: object, right: object) -> bool:
    if not isinstance(found, Tensor) or not isinstance(right, Tensor):
        return False
    if (found.shape, found.dtype, found.device) != (right.shape, right.dtype, right.device):
        return False
    if not found.is_floating_point() or found.is_meta or not found.numel():
        return False
    finite = right.isfinite()
    if not _mostly_numbers(right) or not torch.equal(finite, found.isfinite()):
        return False
    numbers, others = right.detach()[finite], found.detach()[finite]
    return bool((others - numbers).abs().max() <= ALIKE * numbers.abs().max())


def _mostly_numbers(value: Tensor) -> bool:
    """Whether no more than half of them are NaN or infinite."""
    return 2 * int(value.isfinite().sum()) >= value.numel()
