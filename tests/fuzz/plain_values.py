"""What may come out of a decoder: plain data of exact types, each tensor in memory of its own."""

import math
from typing import Any

import numpy as np
import torch

from autograder.checks.kit.drawn import LONGEST_TEXT, DrawnAxes, DrawnFigure
from autograder.sandbox.worker import ModuleHandle

PLAIN = (type(None), bool, int, float, str, torch.dtype, torch.device, ModuleHandle)
MOST_VALUES = 100_000


class NotPlain(AssertionError):
    """A value that must never come out."""


def check_plain(value: Any, blob: memoryview | None = None) -> None:
    """Demand that a decoded value holds nothing but plain data.

    Args:
        value: what came out.
        blob: the bytes that it was read from; tensors must lie in them and share none.
    """
    seen = _Seen([], 0)
    _check(value, seen, 0)
    seen.check_memory(blob)


class _Seen:
    def __init__(self, spans: list[tuple[int, int]], count: int) -> None:
        self.spans, self.count = spans, count

    def check_memory(self, blob: memoryview | None) -> None:
        start = np.frombuffer(blob, np.uint8).ctypes.data if blob is not None and blob.nbytes else 0
        end = start + (blob.nbytes if blob is not None else 0)
        before = 0
        for low, high in sorted(self.spans):
            if low < before:
                raise NotPlain("two tensors share memory")
            if blob is not None and not start <= low <= high <= end:
                raise NotPlain("a tensor outside of its blob")
            before = high


def _check(value: Any, seen: _Seen, depth: int) -> None:
    seen.count += 1
    if depth > 20 or seen.count > 2 * MOST_VALUES:
        raise NotPlain("too deep or too long")
    kind = type(value)
    if kind in (list, tuple):
        for item in value:
            _check(item, seen, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            if not _is_key(key):
                raise NotPlain("a key that could answer for itself")
            _check(key, seen, depth + 1)
            _check(item, seen, depth + 1)
    elif kind in (DrawnAxes, DrawnFigure):
        for item in vars(value).values():
            _check(item, seen, depth + 1)
            if type(item) is str and len(item) > LONGEST_TEXT:
                raise NotPlain("a long text in a picture")
    elif kind is torch.Size:
        if not all(type(size) is int and size >= 0 for size in value):
            raise NotPlain("a size")
    elif kind is torch.Tensor:
        _check_tensor(value, seen)
    elif kind is np.ndarray:
        low, high = np.lib.array_utils.byte_bounds(value) if value.size else (0, 0)
        if value.size:
            seen.spans.append((low, high))
        if value.dtype.hasobject:
            raise NotPlain("an array of objects")
    elif isinstance(value, np.generic) and kind.__module__ == "numpy":
        value.tobytes()
    elif kind not in PLAIN:
        raise NotPlain(f"a value of type {kind}")
    elif kind is str:
        value.encode()


def _is_key(key: Any) -> bool:
    if type(key) is tuple:
        return all(map(_is_key, key))
    return type(key) in (type(None), bool, int, float, str)


def _check_tensor(tensor: torch.Tensor, seen: _Seen) -> None:
    if tensor.layout is not torch.strided or tensor.requires_grad or tensor.grad_fn is not None:
        raise NotPlain("a tensor that is more than its values")
    if tensor.device.type == "meta" or not tensor.numel():
        return
    held = tensor.untyped_storage()
    size = tensor.numel() * tensor.itemsize
    last = sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True))
    if (last + 1) * tensor.itemsize != size or math.prod(tensor.shape) != tensor.numel():
        raise NotPlain("a tensor with holes")
    if not held.data_ptr() <= tensor.data_ptr() <= held.data_ptr() + held.nbytes() - size:
        raise NotPlain("a tensor outside of its storage")
    if tensor.dtype is torch.bool and int(tensor.view(torch.uint8).max()) > 1:
        raise NotPlain("a truth value that is neither")
    seen.spans.append((tensor.data_ptr(), tensor.data_ptr() + size))
