"""Values cross as data: what goes round comes back the same, and anything odd is refused."""

import collections
import enum
import math

import numpy as np
import pytest
import torch

from autograder.checks.kit.changes import same_content
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.encoding import Encoder, Unsendable
from autograder.sandbox.inside.forms import NUMPY_DTYPES
from autograder.sandbox.inside.frames import (
    HEADER,
    MAGIC,
    MOST_JSON_BYTES,
    Violation,
    read_frame,
    write_frame,
)
from autograder.tensors.inside.crossing import TORCH_DTYPES


def encode(value, **options):
    encoder = Encoder(lambda _: None, **options)
    return encoder.encode(value), encoder


def feed(data):
    rest = memoryview(data)

    def fill(buffer):
        nonlocal rest
        if buffer.nbytes > rest.nbytes:
            raise EOFError
        buffer[:] = rest[: buffer.nbytes]
        rest = rest[buffer.nbytes :]

    return fill


def round_trip(value, owns=False, **options):
    node, encoder = encode(value, **options)
    buffers = write_frame({"value": node, "tensors": encoder.records}, encoder.parts)
    message, blob = read_frame(feed(b"".join(buffers)), 1 << 30)
    return decode(message["value"], message["tensors"], blob, owns)


def decode(node, records=(), blob=b"", owns=False):
    def no_module(number):
        raise Violation("a module")

    return Decoder(list(records), memoryview(bytearray(blob)), no_module, owns).decode(node)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(2**63),
        2**200,
        1.5,
        -0.0,
        math.inf,
        "é\n\0",
        [1, [2.0, "x"]],
        (),
        (1, (2,)),
        {"a": 1, 2: (3,), None: [], (1, 2): "t"},
        torch.float32,
        torch.device("cpu"),
        torch.device("cuda:1"),
        torch.Size([2, 3]),
    ],
    ids=repr,
)
def test_plain_values_come_back_equal_and_of_the_same_type(value):
    back = round_trip(value)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("kind", [collections.OrderedDict, collections.Counter, dict])
def test_a_dict_of_another_class_comes_back_as_a_plain_one(kind):
    found = round_trip(kind({"a": 1, "b": 2}))
    assert type(found) is dict
    assert found == {"a": 1, "b": 2}


def test_a_list_of_another_class_comes_back_as_a_plain_one():
    class Shares(list):
        def __iter__(self):
            raise RuntimeError("nobody asks")

    found = round_trip(Shares([1.0, 0.5]))
    assert type(found) is list
    assert found == [1.0, 0.5]


def test_a_named_tuple_comes_back_as_a_plain_one():
    found = round_trip(torch.return_types.max((torch.tensor(1), torch.tensor(0))))
    assert type(found) is tuple
    assert [int(one) for one in found] == [1, 0]


def test_nan_comes_back_as_nan():
    assert math.isnan(round_trip(math.nan))


def test_true_and_one_stay_apart():
    back = round_trip([True, 1, 1.0])
    assert [type(item) for item in back] == [bool, int, float]


@pytest.mark.parametrize("dtype", TORCH_DTYPES.values(), ids=list(TORCH_DTYPES))
def test_every_torch_dtype_comes_back_bit_for_bit(dtype):
    tensor = torch.randn(3, 5).mul(3).to(dtype)
    assert same_content(round_trip(tensor), tensor)
    assert same_content(round_trip(tensor, owns=True), tensor)


@pytest.mark.parametrize("dtype", NUMPY_DTYPES.values(), ids=list(NUMPY_DTYPES))
def test_every_numpy_dtype_comes_back_as_an_array_or_number(dtype):
    array = (np.arange(12).reshape(3, 4) % 3).astype(dtype)
    for value in (array, array[1, 2], array[:0], array.T, np.array(array[0, 1])):
        back = round_trip(value)
        assert type(back) is type(value)
        assert back.dtype == value.dtype
        assert np.array_equal(back, value)


def test_arrays_of_the_other_byte_order_keep_their_values():
    array = np.arange(4, dtype=">f4")
    assert np.array_equal(round_trip(array), array)


ODD_TENSORS = {
    "scalar": torch.tensor(3.0),
    "empty": torch.empty(0, 3),
    "empty transposed": torch.empty(0, 3).T,
    "transposed": torch.randn(2, 3, 4).transpose(0, 2),
    "sliced": torch.randn(6, 6)[::2, 1::2],
    "sliced to one element": torch.randn(2)[::2],
    "sliced to none": torch.randn(2)[2::2],
    "expanded": torch.randn(3, 1).expand(3, 4),
    "conjugate": torch.randn(3, dtype=torch.complex64).conj(),
    "negative view": torch.randn(3, dtype=torch.complex64).conj().imag,
    "parameter": torch.nn.Parameter(torch.randn(2)),
    "not a leaf": torch.randn(3, requires_grad=True) * 2,
    "infinite": torch.tensor([math.nan, math.inf, -math.inf, -0.0]),
    "meta": torch.empty(2, 3, device="meta"),
}


@pytest.mark.parametrize("tensor", ODD_TENSORS.values(), ids=list(ODD_TENSORS))
def test_tensors_of_every_layout_come_back_with_the_same_content(tensor):
    back = round_trip(tensor)
    assert type(back) is torch.Tensor
    assert not back.requires_grad
    assert back.shape == tensor.shape
    assert back.device == tensor.device
    if not tensor.is_meta:
        plain = tensor.detach().resolve_conj().resolve_neg()
        assert torch.equal(back.nan_to_num(7.0), plain.nan_to_num(7.0))


def test_a_transposed_argument_arrives_transposed():
    tensor = torch.randn(2, 3, 4, 5).permute(0, 2, 1, 3)
    back = round_trip(tensor, owns=True)
    assert torch.equal(back, tensor)
    assert back.stride() == tensor.stride()


def test_an_argument_that_requires_a_gradient_arrives_as_a_leaf_that_does():
    back = round_trip(torch.randn(2, requires_grad=True), owns=True, keeps_gradients=True)
    assert back.requires_grad
    assert back.is_leaf


class Level(enum.IntEnum):
    LOW = 1


class Tagged(torch.Tensor):
    pass


class Shaped(np.ndarray):
    pass


REFUSED = {
    "an object": object(),
    "a function": len,
    "an int subclass": Level.LOW,
    "a tensor subclass": torch.zeros(2).as_subclass(Tagged),
    "an array subclass": np.zeros(2).view(Shaped),
    "an object array": np.array([object()]),
    "an array of text": np.array(["a"]),
    "a record array": np.zeros(2, dtype=[("a", int)]),
    "a set": {1},
    "bytes": b"x",
    "a sparse tensor": torch.eye(3).to_sparse(),
    "half a surrogate pair": "\ud800",
    "a very long integer": 1 << 5000,
    "ellipsis": ...,
    "a tensor of too many dimensions": torch.zeros([1] * 40),
    "a meta tensor of too many bytes": torch.empty(2**50, device="meta"),
    "a dict keyed by a NumPy number": {np.float32(1): 1},
    "a dict keyed by a tuple with a tensor": {(torch.zeros(1),): 1},
    "a dict of many keys that are numbers": dict.fromkeys(range(2000)),
}


@pytest.mark.parametrize("value", REFUSED.values(), ids=list(REFUSED))
def test_values_that_are_not_plain_data_are_not_sent(value):
    with pytest.raises(Unsendable):
        encode(value)
    with pytest.raises(Unsendable):
        encode([{"key": (value,)}])


def test_values_too_deep_or_too_long_are_not_sent():
    deep = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(Unsendable, match="deeper"):
        encode(deep)
    with pytest.raises(Unsendable, match="items"):
        encode([0] * 200_000)
    with pytest.raises(Unsendable, match="tensors"):
        encode([torch.zeros(1)] * 5000)


ODD_NODES = {
    "unknown tag": {"object": 1},
    "two tags": {"tuple": [], "dict": []},
    "private tag": {"_span": 0},
    "tuple of no list": {"tuple": 3},
    "dict of triples": {"dict": [[1, 2, 3]]},
    "dict keyed by a list": {"dict": [[[1], 2]]},
    "dict keyed by a tuple with a list": {"dict": [[{"tuple": [[1]]}, 2]]},
    "odd float": {"float": "1e3"},
    "infinite float": 1e999,
    "long int": 1 << 70,
    "odd int": {"int": "0xzz"},
    "odd size": {"size": [-1]},
    "true size": {"size": [True]},
    "odd dtype": {"dtype": "object"},
    "odd device": {"device": "cuda:0; rm"},
    "device that torch refuses": {"device": "cuda:01"},
    "unknown module": {"module": 3},
    "picture where none is expected": {"drawing": {"dict": []}},
    "true module": {"module": True},
    "no such tensor": {"tensor": 0},
    "negative tensor": {"tensor": -1},
    "surrogate": "\ud800",
}


@pytest.mark.parametrize("node", ODD_NODES.values(), ids=list(ODD_NODES))
def test_a_node_of_no_known_form_is_refused(node):
    with pytest.raises(Violation):
        decode(node)


def test_nodes_too_deep_are_refused():
    node = 1
    for _ in range(40):
        node = [node]
    with pytest.raises(Violation):
        decode(node)


ODD_RECORDS = {
    "negative shape": ["float32", [-1, -4], "cpu", None, False],
    "overflowing shape": ["float32", [1 << 32, 1 << 32, 4], "cpu", None, False],
    "overflowing empty shape": ["float32", [0, 1 << 40, 1 << 40], "cpu", None, False],
    "more than the blob": ["float32", [17], "cpu", None, False],
    "less than the blob": ["float32", [], "meta", None, False],
    "unknown dtype": ["object", [16], "cpu", None, False],
    "float shape": ["float32", [16.0], "cpu", None, False],
    "odd device": ["float32", [16], "hip", None, False],
    "odd order": ["float32", [4, 4], "cpu", [0, 0], False],
    "mixed order": ["float32", [4, 4], "cpu", [0, "1"], False],
    "long order": ["float32", [4, 4], "cpu", [0, 1, 2], False],
    "gradient of integers": ["int32", [16], "cpu", None, True],
    "no list": "float32",
    "short": ["float32", [16]],
    "too many dimensions": ["float32", [1] * 100 + [16], "cpu", None, False],
}


def test_a_tensor_is_given_out_once():
    record = ["float32", [16], "cpu", None, False]
    with pytest.raises(Violation, match="twice"):
        decode([{"tensor": 0}, {"tensor": 0}], [record], bytes(64))


@pytest.mark.parametrize("form", [["meta", None, False], ["cpu", [0], False], ["cpu", None, True]])
def test_an_array_that_claims_to_be_more_is_refused(form):
    with pytest.raises(Violation):
        decode({"array": 0}, [["float32", [16], *form]], bytes(64 if form[0] == "cpu" else 0))


@pytest.mark.parametrize("record", ODD_RECORDS.values(), ids=list(ODD_RECORDS))
def test_an_odd_tensor_record_is_refused(record):
    with pytest.raises(Violation):
        decode({"tensor": 0}, [record], bytes(64))


def test_a_truth_value_that_is_neither_0_nor_1_is_refused():
    record = ["bool", [64], "cpu", None, False]
    with pytest.raises(Violation):
        decode({"tensor": 0}, [record], bytes(63) + b"\2")
    with pytest.raises(Violation):
        decode({"array": 0}, [record], bytes(63) + b"\2")


def test_a_cuda_tensor_is_refused_where_there_is_no_cuda():
    if torch.cuda.is_available():
        pytest.skip("this machine has CUDA")
    with pytest.raises(Violation):
        decode({"tensor": 0}, [["float32", [16], "cuda:0", None, False]], bytes(64))


ODD_FRAMES = {
    "another protocol": b"GET / HTTP/1.0\r\n\r\n",
    "huge JSON": HEADER.pack(MAGIC, MOST_JSON_BYTES + 1, 0),
    "huge blob": HEADER.pack(MAGIC, 2, 1 << 62) + b"{}",
    "no JSON": HEADER.pack(MAGIC, 4, 0) + b"nope",
    "no object": HEADER.pack(MAGIC, 2, 0) + b"[]",
    "not a number": HEADER.pack(MAGIC, 11, 0) + b'{"id": NaN}',
    "deep JSON": HEADER.pack(MAGIC, 200_000, 0) + b"[" * 200_000,
    "long integer": HEADER.pack(MAGIC, 9006, 0) + b'{"a":' + b"9" * 9000 + b"}",
    "UTF-16": HEADER.pack(MAGIC, 16, 0) + '{"id":1}'.encode("utf-16-le"),
    "half a surrogate pair in UTF-8": HEADER.pack(MAGIC, 11, 0) + b'{"a":"\xed\xa0\x80"}',
    "invalid UTF-8": HEADER.pack(MAGIC, 9, 0) + b'{"a":"\xff"}',
}


@pytest.mark.parametrize("data", ODD_FRAMES.values(), ids=list(ODD_FRAMES))
def test_an_odd_frame_is_refused_before_anything_of_it_is_believed(data):
    with pytest.raises(Violation):
        read_frame(feed(data), 1 << 20)
