"""Tensors, and what belongs to them, as data that crosses the boundary, and back."""

from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.tensors.values import bits
from autograder.sandbox.inside.decoding import Decoder, device_in, shape_in
from autograder.sandbox.inside.encoding import Encoder, Unsendable
from autograder.sandbox.inside.forms import DEVICE, NUMPY_DTYPES, fits
from autograder.sandbox.inside.frames import TOGETHER, Violation

_TORCH_ONLY = ("bfloat16", "float8_e4m3fn", "float8_e5m2")
TORCH_DTYPES: dict[str, torch.dtype] = {
    name: getattr(torch, name) for name in (*NUMPY_DTYPES, *_TORCH_ONLY) if hasattr(torch, name)
}
TORCH_NAME_OF = {dtype: name for name, dtype in TORCH_DTYPES.items()}

Form = tuple[int, torch.Size, tuple[int, ...], torch.dtype]
"""Where a tensor lies in memory, and how it is read from there."""


def encode(encoder: Encoder, value: Any, kind: type) -> Any:
    """The JSON of a tensor, a shape, a dtype or a device; None for all else."""
    if kind is Tensor or kind is torch.nn.Parameter:
        return {"tensor": _encode_tensor(encoder, value)}
    if kind is torch.Size:
        return {"size": list(value)}
    if kind is torch.dtype and value in TORCH_NAME_OF:
        return {"dtype": TORCH_NAME_OF[value]}
    if kind is torch.device and DEVICE.fullmatch(str(value)):
        return {"device": str(value)}
    return None


def _encode_tensor(encoder: Encoder, tensor: Tensor) -> int:
    name = TORCH_NAME_OF.get(tensor.dtype)
    if name is None or tensor.layout is not torch.strided or tensor.is_nested:
        raise Unsendable(f"a tensor of dtype {tensor.dtype} and layout {tensor.layout}")
    if not fits(tensor.shape, tensor.itemsize):
        raise Unsendable(f"a tensor of {tensor.dim()} dimensions and {tensor.numel()} elements")
    device, gradient = str(tensor.device), encoder.keeps_gradients and tensor.requires_grad
    order = None
    if device != "meta":
        plain = tensor.detach().cpu().resolve_conj().resolve_neg()
        order = _memory_order(plain)
        laid_out = plain.permute(order) if order else plain
        if name in NUMPY_DTYPES and tensor.nbytes <= TOGETHER:  # a copy costs less than a view
            content = memoryview(laid_out.numpy().tobytes())
        else:
            content = bits(laid_out).numpy().data
        encoder.add_bytes(content)
    return encoder.add_record([name, list(tensor.shape), device, order, gradient])


def _memory_order(tensor: Tensor) -> list[int] | None:
    """The order of dimensions in which a transposed tensor is contiguous, if there is one."""
    if tensor.is_contiguous():
        return None
    strides, shape = tensor.stride(), tensor.shape
    order = sorted(range(tensor.dim()), key=lambda d: (-strides[d], -shape[d]))
    return order if tensor.permute(order).is_contiguous() else None


def _read_tensor(decoder: Decoder, content: Any, depth: int) -> Tensor:
    (name, shape, device, order, gradient), start, size = decoder.span(content)
    if name not in TORCH_DTYPES:
        raise Violation("a tensor's dtype")
    dtype = TORCH_DTYPES[name]
    if device == "meta":
        tensor = torch.empty(shape, dtype=dtype, device="meta")
        return tensor.requires_grad_() if gradient and decoder.owns else tensor
    laid_out = [shape[d] for d in order] if order else shape
    if size:
        content = decoder.content(start, size, name)
        tensor = torch.frombuffer(content, dtype=dtype).view(laid_out)
        if decoder.owns and not order and device == "cpu" and size <= TOGETHER:
            decoder.keep(tensor, content, start, _form)
    else:
        tensor = torch.empty(laid_out, dtype=dtype, device="cpu")
    if order:
        tensor = tensor.permute([order.index(d) for d in range(len(order))])
    if device != "cpu":
        if (torch.device(device).index or 0) >= torch.cuda.device_count():
            raise Violation("a CUDA tensor where there is no such GPU")
        tensor = tensor.to(device)
    return tensor.requires_grad_() if gradient and decoder.owns else tensor


def _form(tensor: Tensor) -> Form:
    return tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype


def _read_size(decoder: Decoder, content: Any, depth: int) -> torch.Size:
    return torch.Size(shape_in(content))


def _read_dtype(decoder: Decoder, content: Any, depth: int) -> torch.dtype:
    if type(content) is not str or content not in TORCH_DTYPES:
        raise Violation("a dtype")
    return TORCH_DTYPES[content]


def _read_device(decoder: Decoder, content: Any, depth: int) -> torch.device:
    return torch.device(device_in(content))


READERS = {
    "tensor": _read_tensor,
    "size": _read_size,
    "dtype": _read_dtype,
    "device": _read_device,
}
