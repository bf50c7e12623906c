"""What checks and graders do with tensors and modules."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ..values import Array, Values
from .gradients import pull_back

_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_NOT_NUMPYS = {
    getattr(torch, name)
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")
    if hasattr(torch, name)
}


class TensorValues(Values):
    """What is known of values where torch is; NumPy's are known as ever."""

    def is_array(self, value: Any) -> bool:
        """Whether it is an array or a tensor."""
        return isinstance(value, Tensor) or super().is_array(value)

    def is_module(self, value: Any) -> bool:
        """Whether it is a module."""
        return isinstance(value, nn.Module)

    def is_gradient(self, value: Any) -> bool:
        """Whether it is exactly of a type that gradients have."""
        return type(value) is Tensor

    def kind(self, array: Array) -> str:
        """What an array is called in an argument."""
        return "tensor" if isinstance(array, Tensor) else super().kind(array)

    def noun(self, array: Array) -> str:
        """What an array is called in a sentence."""
        return "tensor" if isinstance(array, Tensor) else super().noun(array)

    def dtype_text(self, array: Array) -> str:
        """The dtype without its library."""
        return super().dtype_text(array).removeprefix("torch.")

    def device_text(self, array: Array) -> str:
        """Where its numbers are."""
        return str(array.device) if isinstance(array, Tensor) else super().device_text(array)

    def holds_floats(self, array: Array) -> bool:
        """Whether it holds floating-point numbers by its dtype."""
        if isinstance(array, Tensor):
            return array.is_floating_point()
        return super().holds_floats(array)

    def holds_integers(self, array: Array) -> bool:
        """Whether it holds whole numbers by its dtype."""
        if isinstance(array, Tensor):
            return array.dtype != torch.bool and not array.is_floating_point()
        return super().holds_integers(array)

    def numbers_of(self, value: Any) -> np.ndarray | None:
        """Booleans, or else numbers in float64; None where there are none."""
        if not isinstance(value, Tensor):
            return super().numbers_of(value)
        if value.is_meta or value.is_complex() or value.layout != torch.strided:
            return None
        plain = value.detach().cpu()
        array: np.ndarray = plain.numpy() if plain.dtype == torch.bool else plain.double().numpy()
        return array

    def as_numpy(self, array: Array) -> np.ndarray:
        """The same numbers; those that NumPy has no dtype for in float64."""
        if not isinstance(array, Tensor):
            return super().as_numpy(array)
        plain = array.detach()
        plain = plain if plain.device.type == "cpu" else plain.cpu()
        found: np.ndarray = (plain.double() if plain.dtype in _NOT_NUMPYS else plain).numpy()
        return found

    def plain_number(self, value: Any) -> Any:
        """The number of Python's that a tensor without axes holds; any other value as it is."""
        if type(value) not in (Tensor, nn.Parameter) or value.ndim:
            return super().plain_number(value)
        has_one = not (value.is_meta or value.is_complex() or value.dtype == torch.bool)
        return value.item() if has_one else None

    def is_shape(self, value: Any) -> bool:
        """Whether its type is one that shapes have."""
        return type(value) is torch.Size or super().is_shape(value)

    def module_text(self, module: Any) -> str:
        """A module in one line."""
        if isinstance(module, nn.Linear):
            return f"Linear({module.in_features}, {module.out_features})"
        return super().module_text(module)

    def copied(self, array: Array) -> Array:
        """A copy; a tensor's keeps its graph."""
        return array.clone() if isinstance(array, Tensor) else super().copied(array)

    def holds_same(self, now: Array, before: Array) -> bool:
        """Whether two arrays or two tensors hold the same bits, in the same form."""
        if isinstance(now, Tensor) and isinstance(before, Tensor):
            return _same_bits(now.detach(), before.detach())
        if isinstance(now, Tensor) or isinstance(before, Tensor):
            return False
        return super().holds_same(now, before)

    def as_sent(self, value: Any) -> Any:
        """A value as it would arrive from another process, without its graph."""
        return value.detach() if isinstance(value, Tensor) else super().as_sent(value)

    def gradients(
        self, call: Callable[..., Any], args: Any, upstream: Any, module: Any
    ) -> tuple[Any, tuple[Array | None, ...], dict[str, Array | None]]:
        """One forward and one backward pass."""
        return pull_back(call, args, upstream, module)

    def linear(self, weight: Array, bias: Array | None) -> nn.Linear:
        """A linear layer with these parameters; the weight is (outputs, inputs)."""
        outputs, inputs = weight.shape
        layer = nn.Linear(inputs, outputs, device="meta")  # where no random numbers are drawn
        layer.weight = nn.Parameter(weight.detach().clone())
        own_bias = None if bias is None else nn.Parameter(bias.detach().clone())
        layer.register_parameter("bias", own_bias)
        return layer

    def seed(self, number: int) -> None:
        """Seed torch's random numbers."""
        torch.manual_seed(number)

    def random_states(self) -> dict[str, object]:
        """The same, with torch's on the CPU; whoever counts calls of torch does not see this."""
        with torch._C.DisableTorchFunction():
            state = torch.get_rng_state().numpy().tobytes()
        return super().random_states() | {"torch": state}

    def prepare(self) -> None:
        """Have torch import what it needs on device "meta" and for training: it takes a second."""
        torch.ones(1, 1, device="meta").tril()

    def autocast(self, device_type: str, dtype: Any) -> AbstractContextManager[Any]:
        """Calls inside this context run under autocast."""
        return torch.autocast(device_type, dtype=dtype)


def _same_bits(now: Tensor, before: Tensor) -> bool:
    if now.shape != before.shape or now.dtype != before.dtype or now.device != before.device:
        return False
    if before.is_meta or before.numel() == 0:  # there is no content to compare
        return True
    if now.layout != torch.strided or before.layout != torch.strided:
        return now.layout == before.layout and torch.equal(now, before)
    integer = _INTEGERS.get(before.itemsize)
    if integer is None or now.is_complex():
        return torch.equal(bits(now), bits(before))
    return torch.equal(now.view(integer), before.view(integer))


def bits(tensor: Tensor) -> Tensor:
    """The bytes of a tensor's values, in row-major order."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    # One element of a slice is contiguous whatever its stride, and only stride 1 can be viewed.
    return flat.as_strided(flat.shape, (1,)).view(torch.uint8)
