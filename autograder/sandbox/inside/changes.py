"""Which arguments a call changed: every argument is compared with what was sent."""

from typing import Any

import numpy as np
import torch

_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def same_content(now: Any, sent: Any) -> bool:
    """Whether a value still equals, bit for bit, the value as it was sent."""
    if type(now) is not type(sent):
        return False
    if isinstance(sent, torch.Tensor):
        return _same_tensor(now, sent)
    if isinstance(sent, np.ndarray):
        same_form = now.shape == sent.shape and now.dtype == sent.dtype
        return same_form and now.tobytes() == sent.tobytes()
    if isinstance(sent, list | tuple):
        return len(now) == len(sent) and all(map(same_content, now, sent))
    if isinstance(sent, dict):
        return now.keys() == sent.keys() and all(same_content(now[k], sent[k]) for k in sent)
    return now is sent or now == sent or now != now  # NaN is what it was


def _same_tensor(now: torch.Tensor, sent: torch.Tensor) -> bool:
    if now.shape != sent.shape or now.dtype != sent.dtype or now.device != sent.device:
        return False
    if sent.is_meta or sent.numel() == 0:
        return True
    integer = _INTEGERS.get(sent.itemsize)
    if integer is None:
        return bool(torch.equal(bits(now), bits(sent)))
    return bool(torch.equal(now.detach().view(integer), sent.view(integer)))


def bits(tensor: torch.Tensor) -> torch.Tensor:
    """The bytes of a tensor's values, in row-major order."""
    flat = tensor.detach().contiguous().reshape(-1)
    # One element of a slice is contiguous whatever its stride, and only stride 1 can be viewed.
    return flat.as_strided(flat.shape, (1,)).view(torch.uint8)
