"""The forms of values that cross the boundary: which types, how long and how deep.

Exact types only: a subclass could answer comparisons as it likes. A value becomes JSON for its
form and raw bytes for its tensors and arrays. Every tagged value is an object with one key, such
as `{"tuple": [1, 2]}` or `{"tensor": 0}`; the number points into the frame's records.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

DEEPEST = 16
MOST_ITEMS = 100_000
MOST_TENSORS = 4096
MOST_DIMENSIONS = 32
MOST_TENSOR_BYTES = 1 << 48  # of a meta tensor, which has no content
MOST_INTEGER_BITS = 4096
# Text is hashed with a secret; other keys can be chosen so that a dict of them takes minutes.
MOST_KEYS_BESIDES_TEXT = 1000
ALIGNMENT = 64

_SHARED = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
_SHARED += ["float16", "float32", "float64", "complex64", "complex128"]
NUMPY_DTYPES: dict[str, np.dtype] = {name: np.dtype(name) for name in _SHARED}
# Bytes of an element, by the dtypes that can cross; what knows a library adds its own.
ITEM_BYTES = {name: dtype.itemsize for name, dtype in NUMPY_DTYPES.items()}
DEVICE = re.compile(r"cpu|meta|cuda(:(0|[1-9][0-9]?))?")

# [dtype, shape, device, order of the dimensions in memory or None, requires_grad]
Record = list[Any]


def is_key(value: Any) -> bool:
    """Whether a value can be a dict's key: text, a plain number, None, or a tuple of these."""
    if type(value) is tuple:
        return all(map(is_key, value))
    return type(value) in (str, int, bool, float, type(None))


def fits(shape: Sequence[int], width: int) -> bool:
    """Whether a tensor of this shape, of `width` bytes an element, is one that can cross."""
    size = math.prod(length or 1 for length in shape) * width
    return len(shape) <= MOST_DIMENSIONS and size <= MOST_TENSOR_BYTES
