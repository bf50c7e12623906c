"""Which tensor operations of a recording run here, and with which arguments.

Arithmetic, layout and selection: none that reads a file, that has more to do than its tensors are
large, or that trusts its arguments. Torch trusts some: a number for a dtype, strides that lead out
of a tensor's memory. `tests/fuzz/test_fuzz_replay.py` looks for more of them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

MOST_ELEMENTS = 1 << 20  # of one tensor

# Names in torch.ops.aten; each with its variant in place.
PRODUCTS = frozenset("mm bmm mv dot vdot addmm baddbmm addbmm addmv addr".split())  # noqa: SIM905
FUSED_ATTENTION = frozenset(
    f"_scaled_dot_product_{kind}"
    for kind in ("flash_attention_for_cpu", "flash_attention", "efficient_attention")
)
# Nothing else in torch calls the latter: it is part of its attention where no kernel fuses that.
OWN_ATTENTION = FUSED_ATTENTION | {"_safe_softmax"}
EXPONENTIALS = frozenset("exp exp2 expm1 pow sigmoid _softmax _log_softmax _safe_softmax".split())  # noqa: SIM905
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
# What strides say is checked there against the memory that a tensor has.
_CHECKED_INSTEAD = {"_reshape_alias": "as_strided"}
_DTYPES = (
    *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
)
# By the type of an argument in a schema: the values that it may have, beside None.
_KNOWN: dict[str, Any] = {
    "ScalarType": _DTYPES,
    "Layout": (torch.strided,),
    "MemoryFormat": (torch.contiguous_format, torch.preserve_format, torch.channels_last),
    "Device": (torch.device("cpu"),),
    "Generator": (),
}
_NEVER = ("Dimname", "Storage", "Stream")


class Unfit(Exception):
    """A recording that cannot be run again; says why, for a person who looks into it."""


@dataclass(frozen=True)
class Operation:
    """An operation of torch's that may run here.

    Attributes:
        function: the overload itself, as torch.ops.aten has it.
        base: its name, without the underscore of the variant in place.
    """

    function: Any
    base: str

    @property
    def is_view(self) -> bool:
        """Whether it computes nothing, and gives another view of what goes in."""
        aliases = [one.alias_info for one in self.function._schema.returns]
        return any(alias is not None and not alias.is_write for alias in aliases)

    def check(self, given: list[Any], named: dict[str, Any]) -> None:
        """Refuse arguments that torch would take on trust, among them numbers for a dtype.

        Raises:
            Unfit: one of them is not what its schema says.
        """
        arguments = self.function._schema.arguments
        if len(given) > len(arguments):
            raise Unfit("too many arguments")
        values = {one.name: value for one, value in zip(arguments, given, strict=False)} | named
        for argument in arguments:
            value, known = values.get(argument.name), _KNOWN.get(_kind(argument))
            if value is not None and known is not None and not _is_one_of(value, known):
                raise Unfit(f"an odd {argument.name}")

    def sizes(self, given: list[Any], named: dict[str, Any]) -> Any:
        """What it would give, without content, where that may be large; else None."""
        return _sized(self, given, named) if _may_be_large(self, given, named) else None

    def run(self, given: list[Any], named: dict[str, Any]) -> Any:
        """What it gives for arguments that have been checked."""
        return self.function(*given, **named)


@cache
def operation_of(name: str) -> Operation:
    """The operation of this name in a recording, where it is one that runs here.

    Raises:
        Unfit: it is none.
    """
    library, _, rest = name.partition(".")
    packet, _, which = rest.partition(".")
    base = packet if packet.endswith("__") else packet.removesuffix("_")
    packet = _CHECKED_INSTEAD.get(packet, packet)
    if library == "aten" and base in _RUN_HERE and hasattr(torch.ops.aten, packet):
        functions = getattr(torch.ops.aten, packet)
        if which in functions.overloads() and _is_safe(getattr(functions, which)):
            return Operation(getattr(functions, which), base)
    raise Unfit(f"{name[:80]} is not run here")


def runnable() -> list[str]:
    """The names of all operations that may run here, with their overloads."""
    packets = [name for base in _RUN_HERE for name in (base, f"{base}_")]
    known = [(packet, getattr(torch.ops.aten, packet, None)) for packet in packets]
    named = [
        f"aten.{packet}.{which}"
        for packet, functions in known
        if functions is not None
        for which in functions.overloads()
        if _is_safe(getattr(functions, which))
    ]
    return sorted(named)


def memory_format(name: str) -> torch.memory_format:
    """The memory format that a recording names.

    Raises:
        Unfit: there is none of this name.
    """
    for one in _KNOWN["MemoryFormat"]:
        if str(one) == f"torch.{name}":
            return one
    raise Unfit("an odd memory format")


def tensors(value: Any) -> Iterator[Tensor]:
    """All tensors in nested lists, tuples and dicts."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors(item)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))


def elements_in_memory(tensor: Tensor) -> int:
    """How many numbers a tensor holds; an expanded one holds fewer than it shows."""
    return min(tensor.numel(), tensor.untyped_storage().nbytes() // tensor.itemsize)


def _is_safe(function: Any) -> bool:
    """Whether it is a kernel of torch's whose arguments can be checked."""
    schema = function._schema
    which = "" if schema.overload_name == "" else f".{schema.overload_name}"
    kinds = [_kind(argument) for argument in schema.arguments]
    return torch._C._dispatch_has_kernel(f"{schema.name}{which}") and not any(
        word in kind for kind in kinds for word in _NEVER
    )


def _kind(argument: Any) -> str:
    return str(argument.real_type).removeprefix("Optional[").removesuffix("]")


def _is_one_of(value: Any, known: Any) -> bool:
    return any(type(value) is type(one) and value == one for one in known)


def _may_be_large(operation: Operation, given: list[Any], named: dict[str, Any]) -> bool:
    if operation.base in _BY_CONTENT:
        return False
    if operation.base in _BY_ARGUMENTS:
        return True
    sizes = (max(tensor.numel(), 1) for tensor in tensors([given, named]))
    return not operation.is_view and math.prod(sizes) > MOST_ELEMENTS


def _sized(operation: Operation, given: list[Any], named: dict[str, Any]) -> Any:
    """The operation's result without content: its size is known before anything is made."""
    if (
        operation.base.endswith(("index", "index_put"))
        and len(given) > 1
        and type(given[1]) is list
    ):
        given = [given[0], [part for one in given[1] for part in _as_numbers(one)], *given[2:]]
    options = _on_meta(named)
    if "device" in named:
        options["device"] = torch.device("meta")
    return operation.run(_on_meta(given), options)


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
