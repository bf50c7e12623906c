"""Strategies for what crosses the line: values that can be sent, replies, and near misses."""

from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st
from json_pieces import JUNK, SCALARS, TEXT, mutated

from autograder.checks.kit.drawn import LONGEST_TEXT, DrawnAxes, DrawnFigure
from autograder.sandbox.inside.encoding import Encoder
from autograder.sandbox.inside.forms import NUMPY_DTYPES
from autograder.tensors.inside.crossing import TORCH_DTYPES

SHAPES = st.lists(st.integers(0, 3), max_size=4)
DTYPES = sorted(TORCH_DTYPES)
ORDERS = st.none() | st.permutations([0, 1]) | st.permutations([0, 1, 2]) | st.lists(SCALARS)


@st.composite
def tensors(draw: Any) -> torch.Tensor:
    """Tensors of every dtype and layout that can be sent."""
    shape, dtype = draw(SHAPES), TORCH_DTYPES[draw(st.sampled_from(DTYPES))]
    if draw(st.booleans()) and draw(st.booleans()):
        return torch.empty(shape, dtype=dtype, device="meta")
    tensor = torch.arange(1, 1 + int(np.prod(shape))).reshape(shape).to(dtype)
    tensor = tensor.permute(draw(st.permutations(range(len(shape)))))
    return tensor[..., ::2] if shape and draw(st.booleans()) else tensor


@st.composite
def arrays(draw: Any) -> np.ndarray | np.generic:
    """NumPy arrays and numbers that can be sent."""
    dtype = NUMPY_DTYPES[draw(st.sampled_from(sorted(NUMPY_DTYPES)))]
    array = np.arange(int(np.prod(shape := draw(SHAPES)))).reshape(shape).astype(dtype)
    return array.T if draw(st.booleans()) else array[()]


KEYS = st.text(max_size=5) | st.integers() | st.booleans() | st.none() | st.floats()
LEAVES = KEYS | tensors() | arrays() | st.builds(torch.Size, SHAPES)
LEAVES |= st.sampled_from([torch.float16, torch.device("cpu"), torch.device("cuda:3"), 2**4000])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS | st.tuples(KEYS, st.tuples(KEYS)), inner, max_size=3)
    ),
    max_leaves=6,
)


LENGTHS = st.sampled_from([0, 1, 2**20, 2**40, 2**47, 2**63, True, -1, 2.0])
DEVICES = st.sampled_from(["cpu", "cpu", "meta", "cuda", "cuda:0", "cuda:01", "cuda:99", "CPU"])
RECORDS = st.tuples(
    st.sampled_from([*DTYPES, "float32", "bool"]) | SCALARS,
    SHAPES | st.lists(LENGTHS, max_size=40),
    DEVICES | SCALARS,
    ORDERS,
    st.booleans() | SCALARS,
).map(list)

TAGS = ["tuple", "dict", "float", "int", "size", "dtype", "device", "module", "tensor", "array"]
TAGS += ["number", "drawing", "object", "_span", "decode"]
CONTENTS = st.sampled_from(["nan", "-inf", "0xff", "-0x" + "f" * 1024, "0x", "float32", "cuda:07"])
NODES = st.recursive(
    SCALARS | CONTENTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.builds(lambda tag, content: {tag: content}, st.sampled_from(TAGS), inner)
        | st.lists(st.lists(inner, max_size=3), max_size=3).map(lambda pairs: {"dict": pairs})
        | st.integers(-1, 3).map(lambda n: {"tensor": n})
        | st.integers(-1, 3).map(lambda n: {"array": n})
    ),
    max_leaves=10,
)


PLACES_OF_TICKS = st.lists(st.floats(-9, 9), max_size=3).map(tuple)
LABELS = st.lists(TEXT.filter(str.isascii), max_size=3).map(tuple)
POINTS = st.integers(0, 3).map(lambda count: np.zeros((count, 2)))
DRAWN_AXES = st.builds(
    DrawnAxes,
    *[st.just("") | st.just("x" * LONGEST_TEXT)] * 3,
    *[PLACES_OF_TICKS, PLACES_OF_TICKS, LABELS, LABELS],
    mesh=st.none() | st.just(np.eye(2)),
    mesh_limits=st.none() | st.just((0.0, 1.0)),
    rows_from_top=st.booleans(),
    colorbar=st.booleans(),
    lines=st.lists(POINTS, max_size=2).map(tuple),
    texts=LABELS,
)
DRAWINGS = DRAWN_AXES | st.builds(
    DrawnFigure, st.lists(DRAWN_AXES, max_size=2).map(tuple), st.text("x ")
)


def encoded(value: Any) -> tuple[Any, list[Any], bytes]:
    """A value as it crosses: its node, its records, its bytes."""
    encoder = Encoder(
        lambda _: None, drawing_of=lambda one: asdict(one) if is_dataclass(one) else None
    )
    node = encoder.encode(value)
    return node, encoder.records, b"".join(encoder.parts)


def decodable(value: Any) -> tuple[dict[str, Any], bytes]:
    """A reply's fields that give a value, and its blob."""
    node, records, blob = encoded(value)
    return {"result": node, "tensors": records, "changed": [], "drawn": []}, blob


def mostly(right: st.SearchStrategy, wrong: st.SearchStrategy) -> st.SearchStrategy:
    """A strategy that is right nine times out of ten."""
    return st.integers(0, 9).flatmap(lambda drawn: wrong if drawn == 0 else right)


NO_ERRORS = st.sampled_from(["print", "__import__", "\ud800", "", "object", "__debug__"])
ERRORS = st.fixed_dictionaries(
    {
        "type": mostly(TEXT, JUNK),
        "builtin": mostly(st.sampled_from(["ValueError", "MemoryError", "SystemExit"]), NO_ERRORS),
        "message": mostly(TEXT | st.just("x" * 9000), JUNK),
        "line": mostly(st.none() | st.integers(0, 99), SCALARS),
        "reason": mostly(st.sampled_from([None, None, "out_of_memory"]), JUNK),
    }
)
CELLS = st.fixed_dictionaries(
    {
        "error": mostly(st.none() | ERRORS, JUNK),
        "printed": mostly(TEXT | st.just("é" * 90_000), JUNK),
        "bound": mostly(st.booleans(), JUNK),
        "missing": mostly(st.just([]), JUNK),
    }
)
PLACES = st.lists(st.sampled_from([0, 0, 1, "k", "k", True, -1, 0.0]), max_size=2)
GRADIENTS = st.tuples(
    VALUES,
    st.lists(tensors() | st.none() | arrays(), min_size=1, max_size=2).map(tuple),
    st.dictionaries(TEXT.filter(str.isascii), tensors() | st.none() | st.integers(), max_size=2),
)


@st.composite
def replies(draw: Any) -> tuple[dict[str, Any], bytes]:
    """What a process may answer: a right answer, or one that went wrong somewhere."""
    kind = draw(st.sampled_from(["value", "value", "gradients", "cell", "error", "missing"]))
    values = VALUES | DRAWINGS
    reply, blob = decodable(draw(GRADIENTS if kind == "gradients" else values))
    if kind in ("cell", "error", "missing"):
        reply[kind] = draw({"cell": CELLS, "error": ERRORS, "missing": mostly(TEXT, JUNK)}[kind])
    if draw(st.integers(0, 3)) == 0:
        reply["changed"] = draw(mostly(PLACES, JUNK))
        reply["drawn"] = draw(mostly(st.lists(st.sampled_from(["torch", "NumPy", "x", 0])), JUNK))
    if draw(st.integers(0, 9)) == 0:
        reply["tensors"] = reply["tensors"] + draw(st.lists(RECORDS, max_size=2))
    if draw(st.booleans()):
        reply = draw(mutated(reply, JUNK | NODES))
    if draw(st.integers(0, 9)) == 0:
        blob = blob[: draw(st.integers(0, len(blob)))] + draw(st.binary(max_size=64))
    return reply, blob


@st.composite
def contents(draw: Any) -> tuple[list[Any], bytes]:
    """Records that fit their blob, of any bytes; or nearly."""
    records, blob = [], b""
    for _ in range(draw(st.integers(0, 3))):
        name, shape = draw(st.sampled_from([*DTYPES, "bool"])), draw(SHAPES)
        device = draw(st.sampled_from(["cpu", "cpu", "cpu", "meta"]))
        order = draw(st.none() | st.permutations(range(len(shape))))
        kind = TORCH_DTYPES[name]
        gradient = (kind.is_floating_point or kind.is_complex) and draw(st.booleans())
        records.append([name, shape, device, order, gradient])
        size = 0 if device == "meta" else int(np.prod(shape)) * kind.itemsize
        blob += draw(st.binary(min_size=size, max_size=size)) + bytes(-size % 64)
    if draw(st.integers(0, 4)) == 0:
        records = draw(mutated(records, SCALARS | JUNK, 2))
    return records, blob
