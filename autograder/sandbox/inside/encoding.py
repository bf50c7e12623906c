"""From values to data: what one side does before it sends."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.checks.kit.libraries import with_torch

from .forms import (
    ALIGNMENT,
    DEEPEST,
    MOST_INTEGER_BITS,
    MOST_ITEMS,
    MOST_KEYS_BESIDES_TEXT,
    MOST_TENSORS,
    NUMPY_DTYPES,
    Record,
    fits,
    is_key,
)

WITH_TENSORS = "autograder.tensors.inside"
"""Adds what knows tensors to ENCODERS here, and to READERS of `decoding`."""


class Unsendable(TypeError):
    """A value that cannot cross the boundary as data; the text says what it is."""


@dataclass
class Encoder:
    """Collects the records and bytes of the values of one frame.

    Attributes:
        handle_of: the number that stands for a module, or None for anything else.
        keeps_gradients: whether a tensor that requires a gradient arrives as a leaf that does.
        drawing_of: what a picture shows, as plain data by name; None for anything else.
        records: one for each tensor or array, in order.
        parts: their bytes, padded; what `write_frame` takes.
    """

    handle_of: Callable[[Any], int | None]
    keeps_gradients: bool = False
    drawing_of: Callable[[Any], dict[str, Any] | None] = lambda _: None
    records: list[Record] = field(default_factory=list)
    parts: list[memoryview] = field(default_factory=list)
    _items: int = 0
    _keys: int = 0

    def __post_init__(self) -> None:
        with_torch(WITH_TENSORS)

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON of a value.

        Raises:
            Unsendable: it is of a type that is not sent, too deep, or too long.
        """
        if depth > DEEPEST:
            raise Unsendable(f"a value nested deeper than {DEEPEST}")
        self._items += 1
        if self._items > MOST_ITEMS:
            raise Unsendable(f"a value of more than {MOST_ITEMS} items")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return self._integer(value)
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if kind is str:
            return self._text(value)
        if isinstance(value, list):
            return [self.encode(item, depth + 1) for item in list.__iter__(value)]
        if kind is not tuple and (told := self._by_library(value, kind)) is not None:
            return told
        if isinstance(value, tuple):  # a NamedTuple is one, too
            items = tuple.__iter__(value)
            return {"tuple": [self.encode(item, depth + 1) for item in items]}
        if isinstance(value, dict):  # a defaultdict or a Counter is one, too
            return {"dict": self._pairs(value, depth)}
        return self._special(value, kind, depth)

    def _pairs(self, value: dict[Any, Any], depth: int) -> list[list[Any]]:
        self._keys += sum(type(key) is not str for key in value)
        if self._keys > MOST_KEYS_BESIDES_TEXT:
            raise Unsendable(f"a dict of more than {MOST_KEYS_BESIDES_TEXT} keys besides text")
        for key in value:
            if not is_key(key):
                raise Unsendable(f"a dict with a key of type {type(key).__qualname__}"[:300])
        return [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()]

    def _special(self, value: Any, kind: type, depth: int) -> Any:
        if kind is np.ndarray:
            return {"array": self._array(value)}
        if isinstance(value, np.generic) and kind.__module__ == "numpy":
            return {"number": self._array(np.asarray(value))}
        handle = self.handle_of(value)
        if handle is not None:
            return {"module": handle}
        drawing = self.drawing_of(value)
        if drawing is not None:
            return {"drawing": self.encode(drawing, depth + 1)}
        raise Unsendable(f"a value of type {kind.__module__}.{kind.__qualname__}"[:300])

    def _by_library(self, value: Any, kind: type) -> Any:
        encoded = (encode(self, value, kind) for encode in ENCODERS)
        return next((one for one in encoded if one is not None), None)

    @staticmethod
    def _integer(value: int) -> Any:
        if value.bit_length() > MOST_INTEGER_BITS:
            raise Unsendable(f"an integer of more than {MOST_INTEGER_BITS} bits")
        return value if value.bit_length() < 64 else {"int": hex(value)}

    @staticmethod
    def _text(value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Unsendable("a string that is not valid Unicode") from None
        return value

    def _array(self, array: np.ndarray) -> int:
        if array.dtype.name not in NUMPY_DTYPES:
            raise Unsendable(f"an array of dtype {array.dtype}"[:300])
        if not fits(array.shape, array.itemsize):
            raise Unsendable(f"an array of {array.ndim} dimensions and {array.size} elements")
        plain = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        self.add_bytes(plain.reshape(-1).view(np.uint8).data)
        return self.add_record([array.dtype.name, list(array.shape), "cpu", None, False])

    def add_record(self, record: Record) -> int:
        """Add the form of what bytes stand for; its number."""
        if len(self.records) >= MOST_TENSORS:
            raise Unsendable(f"a value of more than {MOST_TENSORS} tensors")
        self.records.append(record)
        return len(self.records) - 1

    def add_bytes(self, content: memoryview) -> None:
        """Send these bytes along, as the content of the next record."""
        padding = -content.nbytes % ALIGNMENT
        self.parts += [content, memoryview(bytes(padding))] if padding else [content]


ENCODERS: list[Callable[[Encoder, Any, type], Any]] = []
"""The JSON of a library's values, given an encoder, the value and its type; None for all else."""
