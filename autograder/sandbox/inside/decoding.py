"""From data to values: what one side does with what it was sent, believing nothing of it."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.checks.kit.libraries import with_torch

from .encoding import WITH_TENSORS
from .forms import (
    ALIGNMENT,
    DEEPEST,
    DEVICE,
    ITEM_BYTES,
    MOST_DIMENSIONS,
    MOST_ITEMS,
    MOST_KEYS_BESIDES_TEXT,
    MOST_TENSOR_BYTES,
    MOST_TENSORS,
    NUMPY_DTYPES,
    Record,
    fits,
    is_key,
)
from .frames import Violation


def no_drawing(_: Any) -> Any:
    """Refuse a picture, where none is expected."""
    raise Violation("a picture")


class Decoder:
    """Reads the values of one frame, and believes nothing of it.

    Args:
        records: the frame's tensor records.
        blob: the frame's bytes.
        module_of: what stands for a module handle; raises Violation for one that is unknown.
        owns: whether tensors are copied out of the blob, which then keeps the values as sent.
        drawing_of: what a picture's decoded attributes stand for; raises Violation for odd ones.

    Attributes:
        owns: as given.

    Raises:
        Violation: the records are odd, or do not fill the blob exactly.
    """

    def __init__(
        self,
        records: Any,
        blob: memoryview,
        module_of: Callable[[int], Any],
        owns: bool = False,
        drawing_of: Callable[[Any], Any] = no_drawing,
    ) -> None:
        with_torch(WITH_TENSORS)
        if type(records) is not list or len(records) > MOST_TENSORS:
            raise Violation("tensor records")
        self._blob, self._module_of, self.owns = blob, module_of, owns
        self._drawing_of = drawing_of
        self._spans: list[tuple[Record, int, int]] = []
        self._items = self._keys = 0
        self._used: set[int] = set()
        self._copies: dict[int, tuple[Any, np.ndarray, int, Callable[[Any], Any], Any]] = {}
        at = 0
        for record in records:
            size = _size_of(record)
            self._spans.append((record, at, size))
            at += size + -size % ALIGNMENT
        if at != blob.nbytes:
            raise Violation("tensor records that do not fill the blob")

    def decode(self, node: Any, depth: int = 0) -> Any:
        """The value that a JSON node stands for."""
        self._items += 1
        if depth > DEEPEST or self._items > MOST_ITEMS:
            raise Violation("a value too deep or too long")
        kind = type(node)
        if node is None or kind is bool or (kind is int and node.bit_length() < 64):
            return node
        if (kind is float and math.isfinite(node)) or (kind is str and _is_unicode(node)):
            return node
        if kind is list:
            return [self.decode(item, depth + 1) for item in node]
        if kind is dict and len(node) == 1:
            ((tag, content),) = node.items()
            if tag in READERS:
                return READERS[tag](self, content, depth)
        raise Violation("a value of no known form")

    def is_as_sent(self, value: Any) -> bool:
        """Whether a copy that was decoded still lies where it did and holds what was sent.

        Returns:
            False also for what is not known: lists, arrays, tensors that are large or turned.
        """
        if id(value) not in self._copies:
            return value is None or type(value) in (bool, int, float, str)
        kept, content, start, form_of, form = self._copies[id(value)]
        sent = self._blob[start : start + content.nbytes]
        return form_of(kept) == form and content.tobytes() == sent.tobytes()

    def keep(
        self, value: Any, content: np.ndarray, start: int, form_of: Callable[[Any], Any]
    ) -> None:
        """Remember a copy, to tell whether it is as sent.

        Args:
            value: the copy.
            content: its bytes.
            start: where they stand in the blob.
            form_of: where it lies in memory, and how it is read from there.
        """
        self._copies[id(value)] = value, content, start, form_of, form_of(value)

    def _read_tuple(self, content: Any, depth: int) -> tuple[Any, ...]:
        return tuple(self.decode(item, depth + 1) for item in _list(content))

    def _read_dict(self, content: Any, depth: int) -> dict[Any, Any]:
        found = {}
        for pair in _list(content):
            if len(_list(pair)) != 2:
                raise Violation("a dict")
            key = self.decode(pair[0], depth + 1)
            self._keys += type(key) is not str
            if not is_key(key) or self._keys > MOST_KEYS_BESIDES_TEXT:
                raise Violation("a dict key")
            found[key] = self.decode(pair[1], depth + 1)
        return found

    def _read_float(self, content: Any, depth: int) -> float:
        if content not in ("nan", "inf", "-inf"):
            raise Violation("a float")
        return float(content)

    def _read_int(self, content: Any, depth: int) -> int:
        if type(content) is not str or not re.fullmatch(r"-?0x[0-9a-f]{1,1024}", content):
            raise Violation("an integer")
        return int(content, 16)

    def _read_module(self, content: Any, depth: int) -> Any:
        if type(content) is not int or content < 0:
            raise Violation("a module")
        return self._module_of(content)

    def _read_drawing(self, content: Any, depth: int) -> Any:
        return self._drawing_of(self.decode(content, depth + 1))

    def _read_array(self, content: Any, depth: int) -> np.ndarray:
        (name, shape, *form), start, size = self.span(content)
        if name not in NUMPY_DTYPES or form != ["cpu", None, False]:
            raise Violation("an array")
        return self.content(start, size, name).view(NUMPY_DTYPES[name]).reshape(shape)

    def _read_number(self, content: Any, depth: int) -> np.generic:
        array = self._read_array(content, depth)
        if array.shape != ():
            raise Violation("a number")
        number: np.generic = array[()]  # type: ignore[assignment]
        return number

    def content(self, start: int, size: int, name: str) -> np.ndarray:
        """Bytes of the blob; a copy, where this owns what it decodes."""
        if not size:
            return np.empty(0, np.uint8)
        found = np.frombuffer(self._blob, np.uint8, size, start)
        if name == "bool" and found.max() > 1:
            raise Violation("a truth value that is neither 0 nor 1")
        return found.copy() if self.owns else found

    def span(self, index: Any) -> tuple[Record, int, int]:
        """A record, and where its bytes stand: the first, and how many."""
        if type(index) is not int or not 0 <= index < len(self._spans):
            raise Violation("a tensor's number")
        if index in self._used:  # two values would share their memory
            raise Violation("a tensor that is there twice")
        self._used.add(index)
        return self._spans[index]


_TAGS = ["tuple", "dict", "float", "int", "module", "array", "number", "drawing"]
READERS: dict[str, Callable[[Decoder, Any, int], Any]] = {
    tag: getattr(Decoder, f"_read_{tag}") for tag in _TAGS
}
"""What a tag stands for; what knows a library adds its own."""


def _list(content: Any) -> list[Any]:
    if type(content) is not list:
        raise Violation("not a list")
    return content


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shape_in(content: Any) -> list[int]:
    """The lengths of axes that a node tells."""
    shape = _list(content)
    if len(shape) > MOST_DIMENSIONS:
        raise Violation("a shape")
    for size in shape:
        if type(size) is not int or not 0 <= size < MOST_TENSOR_BYTES:
            raise Violation("a shape")
    return shape


def device_in(content: Any) -> str:
    """The device that a node names."""
    if content != "cpu" and (type(content) is not str or not DEVICE.fullmatch(content)):
        raise Violation("a device")
    return content


def _size_of(record: Any) -> int:
    """Bytes that the record's content takes in the blob."""
    if type(record) is not list or len(record) != 5:
        raise Violation("a tensor record")
    name, shape, device, order, gradient = record
    if type(name) is not str or name not in ITEM_BYTES or type(gradient) is not bool:
        raise Violation("a tensor record")
    if gradient and not name.startswith(("float", "bfloat", "complex")):
        raise Violation("a tensor record")
    width = ITEM_BYTES[name]
    if not fits(shape_in(shape), width):
        raise Violation("a tensor's size")
    if order is not None and not _is_permutation(_list(order), len(shape)):
        raise Violation("an order of dimensions")
    return 0 if device_in(device) == "meta" else math.prod(shape) * width


def _is_permutation(order: list[Any], length: int) -> bool:
    return all(type(d) is int for d in order) and sorted(order) == list(range(length))
