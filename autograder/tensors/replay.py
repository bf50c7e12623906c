"""Runs a recording of a student's operations again, on inputs that the student's code never saw.

A recording is a claim by an untrusted process. Only operations of a list run, on small tensors of
ours, and what comes out tells whether the claim was true: a program that gives the right
answer for new numbers is one that computes it. Whatever is odd about a recording makes it unfit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.tensors.inside.recording import MOST_OPERATIONS
from autograder.tensors.operations import (
    FUSED_ATTENTION,
    MOST_ELEMENTS,
    PRODUCTS,
    Unfit,
    elements_in_memory,
    memory_format,
    operation_of,
    tensors,
)

MOST_WORK = 1 << 26  # elements that all operations together read and write


@dataclass(frozen=True)
class Step:
    """One operation that ran again.

    Attributes:
        name: its name in torch.ops.aten, without the underscore of the variant in place.
        is_view: whether it computes nothing, and gives another view of what went in.
        elements: numbers that its largest result has in memory.
        weights: names of the parameters among what it multiplies or otherwise takes in, cut, turned
            or scaled as they may be; not what products have made of them.
    """

    name: str
    is_view: bool
    elements: int
    weights: frozenset[str]


@dataclass(frozen=True)
class Replayed:
    """What a recording gives for new inputs.

    Attributes:
        result: the outcome.
        steps: what ran, in order.
    """

    result: Tensor
    steps: tuple[Step, ...]


def replayed(
    recording: Mapping[str, Any],
    inputs: Mapping[int | str, Tensor],
    parameters: Mapping[str, Tensor],
    blank: frozenset[str] = frozenset(),
) -> Replayed:
    """Run a recording again.

    Args:
        recording: what `student.traced` gave beside the value; nothing of it is believed.
        inputs: new arguments, by position or name.
        parameters: new values of the module's parameters, by name.
        blank: names of operations that give zeros in place of their results.

    Raises:
        Unfit: it is no recording, or not one that can be run here.
    """
    if recording.get("complete") is not True:
        raise Unfit("the recording is not complete")
    operations, constants = recording.get("operations"), recording.get("constants")
    if type(operations) is not list or type(constants) is not list:
        raise Unfit("no recording")
    if len(operations) > MOST_OPERATIONS or any(type(one) is not Tensor for one in constants):
        raise Unfit("too many operations, or odd constants")
    values: dict[tuple[Any, ...], Tensor] = {
        **{("input", place): value.detach().clone() for place, value in inputs.items()},
        **{("parameter", name): value.detach().clone() for name, value in parameters.items()},
        **{("constant", number): value.clone() for number, value in enumerate(constants)},
    }
    run = _Run(values, blank)
    with torch.no_grad():
        steps = tuple(run.step(number, operation) for number, operation in enumerate(operations))
    return Replayed(run.value_of(recording.get("result")), steps)


class _Run:
    """The state of one replay.

    Args:
        values: every tensor by what the recording calls it.
        blank: names of operations that give zeros.
    """

    def __init__(self, values: dict[tuple[Any, ...], Tensor], blank: frozenset[str]) -> None:
        self._values = values
        self._blank = blank
        self._work = 0
        self._weights = {
            id(value): frozenset({name[1]})
            for name, value in values.items()
            if name[0] == "parameter"
        }

    def value_of(self, reference: Any) -> Tensor:
        """The tensor that a recording means."""
        try:
            return self._values[reference]
        except (KeyError, TypeError):
            raise Unfit("a tensor from nowhere") from None

    def step(self, number: int, operation: Any) -> Step:
        """Run one operation."""
        if type(operation) is not list or len(operation) != 3:
            raise Unfit("an odd operation")
        name, args, kwargs = operation
        if type(name) is not str or type(args) is not list or type(kwargs) is not dict:
            raise Unfit("an odd operation")
        known = operation_of(name)
        given, named = self._filled(args), self._filled(kwargs)
        known.check(given, named)
        try:
            self._count(known.sizes(given, named))
            result = known.run(given, named)
        except Unfit:
            raise
        except Exception as error:  # arguments that do not fit, by any of torch's own errors
            raise Unfit(f"{name} does not run: {str(error)[:200]}") from None
        taken, made = list(tensors([given, named])), list(tensors(result))
        self._count([*taken, *made])
        weights = frozenset[str]().union(*(self._weights.get(id(one), ()) for one in taken))
        for place, tensor in enumerate(made):
            if known.base in self._blank:
                tensor.zero_()
            self._values["made", number, place] = tensor
            if known.base not in PRODUCTS | FUSED_ATTENTION:
                self._weights[id(tensor)] = weights
        elements = max(map(elements_in_memory, made), default=0)
        return Step(known.base, known.is_view, elements, weights)

    def _filled(self, node: Any, depth: int = 0) -> Any:
        """The arguments with the tensors that they refer to."""
        if depth > 3:
            raise Unfit("arguments too deep")
        if type(node) is tuple:
            return self.value_of(node)
        if type(node) is list:
            return [self._filled(item, depth + 1) for item in node]
        if type(node) is dict:
            return {name: self._filled(item, depth + 1) for name, item in node.items()}
        if type(node) is str and node.endswith("_format"):
            return memory_format(node)
        if isinstance(node, Tensor):
            raise Unfit("a tensor among the arguments")
        return node

    def _count(self, result: Any) -> None:
        sizes = [tensor.numel() for tensor in tensors(result)]
        self._work += sum(sizes)
        if max(sizes, default=0) > MOST_ELEMENTS or self._work > MOST_WORK:
            raise Unfit("too much work")
