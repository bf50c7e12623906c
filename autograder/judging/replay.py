"""Runs a recording of a student's operations again, on inputs that the student's code never saw.

A recording is a claim by an untrusted process. Only operations of the list below run, on small
tensors of ours, and what comes out tells whether the claim was true: a program that gives the right
answer for new numbers is one that computes it. Whatever is odd about a recording makes it unfit.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

from autograder.sandbox.inside.recording import MOST_OPERATIONS

MOST_ELEMENTS = 1 << 20  # of one tensor
MOST_WORK = 1 << 26  # elements that all operations together read and write

# Names in torch.ops.aten; each with its variant in place. Arithmetic, layout and selection: none
# that reads a file, that has more to do than its tensors are large, or that trusts its arguments.
PRODUCTS = frozenset("mm bmm mv dot vdot addmm baddbmm addbmm addmv addr".split())  # noqa: SIM905
FUSED_ATTENTION = frozenset(
    f"_scaled_dot_product_{kind}"
    for kind in ("flash_attention_for_cpu", "flash_attention", "efficient_attention")
)
_SAFE = """
    alias as_strided detach expand permute select slice split split_with_sizes squeeze t transpose
    unbind unfold unsqueeze view _unsafe_view _reshape_alias diagonal unsafe_split unsafe_chunk
    unsafe_split_with_sizes
    clone copy _to_copy cat stack lift lift_fresh lift_fresh_copy constant_pad_nd repeat roll flip
    tril triu gather scatter scatter_add index index_put _unsafe_index index_select index_fill
    index_add index_copy masked_fill masked_select masked_scatter where nonzero take slice_scatter
    select_scatter fill zero full full_like empty empty_like empty_strided new_empty new_full
    new_zeros new_ones new_empty_strided zeros zeros_like ones ones_like arange scalar_tensor eye
    linspace tril_indices triu_indices rand rand_like randn randn_like bernoulli native_dropout
    fill_diagonal count_nonzero diag_embed
    add sub rsub mul div neg abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt pow reciprocal
    sigmoid tanh erf sin cos maximum minimum fmax fmin clamp clamp_min clamp_max floor ceil round
    trunc sign remainder fmod floor_divide lerp addcmul addcdiv logaddexp logaddexp2 isnan isinf
    isposinf isneginf nan_to_num eq ne lt le gt ge logical_and logical_or logical_not logical_xor
    bitwise_and bitwise_or bitwise_not bitwise_xor __and__ __or__ __xor__ positive heaviside
    any all sum mean amax amin aminmax max min argmax argmin prod cumsum cumprod cummax logcumsumexp
    logsumexp norm linalg_vector_norm var std var_mean nansum sort topk median
    _softmax _log_softmax _safe_softmax relu gelu silu native_layer_norm threshold hardtanh
    _local_scalar_dense is_nonzero equal _fused_sdp_choice
"""
# Their results are no larger than what goes in, and are not known without content.
_BY_CONTENT = frozenset("masked_select nonzero _local_scalar_dense is_nonzero equal".split())  # noqa: SIM905
# Their results are as large as their arguments say. Those of all others are at most as large as
# what goes in multiplied together: one broadcast against the other.
_ARGUMENTS_DECIDE = """
    as_strided expand unfold repeat constant_pad_nd full empty empty_strided new_empty new_full
    new_zeros new_ones new_empty_strided zeros ones arange scalar_tensor eye linspace tril_indices
    triu_indices rand randn diag_embed
"""
_BY_ARGUMENTS = frozenset(_ARGUMENTS_DECIDE.split())
_RUN_HERE = PRODUCTS | FUSED_ATTENTION | frozenset(_SAFE.split())
_FACTORY_DEVICES = (None, torch.device("cpu"))


class Unfit(Exception):
    """A recording that cannot be run again; says why, for a person who looks into it."""


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
) -> Replayed:
    """Run a recording again.

    Args:
        recording: what `student.traced` gave beside the value; nothing of it is believed.
        inputs: new arguments, by position or name.
        parameters: new values of the module's parameters, by name.

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
    run = _Run(values)
    with torch.no_grad():
        steps = tuple(run.step(number, operation) for number, operation in enumerate(operations))
    return Replayed(run.value_of(recording.get("result")), steps)


class _Run:
    """The state of one replay.

    Args:
        values: every tensor by what the recording calls it.
    """

    def __init__(self, values: dict[tuple[Any, ...], Tensor]) -> None:
        self._values = values
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
        function, base = _function(name), _base(name.split(".")[1])
        given, named = self._filled(args), self._filled(kwargs)
        if named.get("device") not in _FACTORY_DEVICES:
            raise Unfit("another device")
        try:
            if _may_be_large(function, base, given, named):
                self._count(_sized(function, base, given, named))
            result = function(*given, **named)
        except Unfit:
            raise
        except Exception as error:  # arguments that do not fit, by any of torch's own errors
            raise Unfit(f"{name} does not run: {str(error)[:200]}") from None
        taken, made = list(_tensors([given, named])), list(_tensors(result))
        self._count([*taken, *made])
        weights = frozenset[str]().union(*(self._weights.get(id(one), ()) for one in taken))
        for place, tensor in enumerate(made):
            self._values["made", number, place] = tensor
            if base not in PRODUCTS | FUSED_ATTENTION:
                self._weights[id(tensor)] = weights
        elements = max(map(_elements_in_memory, made), default=0)
        return Step(base, _is_view(function), elements, weights)

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
            return _memory_format(node)
        if isinstance(node, Tensor):
            raise Unfit("a tensor among the arguments")
        return node

    def _count(self, result: Any) -> None:
        sizes = [tensor.numel() for tensor in _tensors(result)]
        self._work += sum(sizes)
        if max(sizes, default=0) > MOST_ELEMENTS or self._work > MOST_WORK:
            raise Unfit("too much work")


@cache
def _function(name: str) -> Any:
    """The operation of this name in a recording, where it is one that runs here.

    Raises:
        Unfit: it is none.
    """
    library, _, rest = name.partition(".")
    packet, _, which = rest.partition(".")
    if library == "aten" and _base(packet) in _RUN_HERE and hasattr(torch.ops.aten, packet):
        functions = getattr(torch.ops.aten, packet)
        if which in functions.overloads():
            return getattr(functions, which)
    raise Unfit(f"{name[:80]} is not run here")


def _base(packet: str) -> str:
    """The operation's name, without the underscore of the variant in place."""
    return packet if packet.endswith("__") else packet.removesuffix("_")


def _is_view(function: Any) -> bool:
    aliases = [one.alias_info for one in function._schema.returns]
    return any(alias is not None and not alias.is_write for alias in aliases)


def _memory_format(name: str) -> torch.memory_format:
    known = (torch.contiguous_format, torch.preserve_format, torch.channels_last)
    for one in known:
        if str(one) == f"torch.{name}":
            return one
    raise Unfit("an odd memory format")


def _may_be_large(function: Any, base: str, given: list[Any], named: dict[str, Any]) -> bool:
    if base in _BY_CONTENT:
        return False
    if base in _BY_ARGUMENTS:
        return True
    sizes = (max(tensor.numel(), 1) for tensor in _tensors([given, named]))
    return not _is_view(function) and math.prod(sizes) > MOST_ELEMENTS


def _sized(function: Any, base: str, given: list[Any], named: dict[str, Any]) -> Any:
    """The operation's result without content: its size is known before anything is made."""
    if base.endswith(("index", "index_put")) and len(given) > 1 and type(given[1]) is list:
        given = [given[0], [part for one in given[1] for part in _as_numbers(one)], *given[2:]]
    options = _on_meta(named)
    if "device" in named:
        options["device"] = torch.device("meta")
    return function(*_on_meta(given), **options)


def _as_numbers(index: Any) -> list[Any]:
    """An index of truth values by the places that it selects, whose number is in its content."""
    if isinstance(index, Tensor) and index.dtype is torch.bool:
        return list(index.nonzero(as_tuple=True))
    return [index]


def _on_meta(value: Any) -> Any:
    """The same arguments without content."""
    if isinstance(value, Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    if isinstance(value, list):
        return [_on_meta(item) for item in value]
    if isinstance(value, dict):
        return {name: _on_meta(item) for name, item in value.items()}
    return value


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


def _elements_in_memory(tensor: Tensor) -> int:
    """How many numbers a tensor holds; an expanded one holds fewer than it shows."""
    return min(tensor.numel(), tensor.untyped_storage().nbytes() // tensor.itemsize)
