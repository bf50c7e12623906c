"""Whatever a frame says, decoding it gives plain data or refuses; what can be sent comes back."""

from typing import Any

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from json_pieces import JUNK
from plain_values import check_plain
from trying import cases
from wire_pieces import DRAWINGS, NODES, RECORDS, VALUES, contents, encoded, replies

from autograder.checks.kit.changes import same_content
from autograder.sandbox.drawing import read_drawing
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.frames import Violation

pytestmark = pytest.mark.slow


def no_module(number: int) -> Any:
    raise Violation("a module")


def decoded(node: Any, records: Any, blob: bytes) -> Any:
    held = memoryview(bytearray(blob))
    try:
        value = Decoder(records, held, no_module, drawing_of=read_drawing).decode(node)
    except Violation:
        return None
    check_plain(value, held)
    return value


@cases(600)
@given(VALUES)
@example(torch.arange(2.0)[::2])
@example(torch.arange(2.0, dtype=torch.bfloat16)[2::2])
def test_what_can_be_sent_comes_back_bit_for_bit(value: Any) -> None:
    back = decoded(*encoded(value))
    assert type(back) is type(value)
    assert same_content(back, value) or repr(back) == repr(value)  # a NaN key equals no other


@cases(200)
@given(DRAWINGS)
def test_a_picture_that_can_be_told_comes_back_as_it_was(drawing: Any) -> None:
    back = decoded(*encoded(drawing))
    assert type(back) is type(drawing)
    assert repr(back) == repr(drawing)


@cases(800)
@given(NODES | JUNK, contents())
@example({"array": 0}, ([["float32", [16], "meta", None, False]], b""))
@example({"number": 0}, ([["float32", [], "meta", None, False]], b""))
@example({"device": "cuda:01"}, ([], b""))
@example([{"tensor": 0}, {"tensor": 0}], ([["float32", [16], "cpu", None, False]], bytes(64)))
@example([{"tensor": 0}, {"array": 0}], ([["float32", [16], "cpu", None, False]], bytes(64)))
@example({"tensor": 0}, ([["float32", [3], "meta", None, True]], b""))
@example({"tensor": 0}, ([["float32", [0, 2**40], "cpu", [1, 0], False]], b""))
@example({"tensor": 0}, ([["bool", [64], "cpu", None, False]], bytes(range(64))))
@example({"dict": [[[1], 2]]}, ([], b""))
@example({"dict": [[{"tuple": [{"tensor": 0}]}, 2]]}, ([["int8", [1], "meta", None, False]], b""))
def test_any_node_with_any_tensors_is_plain_data_or_refused(
    node: Any, sent: tuple[Any, bytes]
) -> None:
    decoded(node, *sent)


@cases(300)
@given(NODES, st.lists(RECORDS, min_size=1, max_size=3), st.integers(0, 4))
def test_any_records_are_plain_data_or_refused(node: Any, records: list[Any], blocks: int) -> None:
    decoded(node, records, bytes(range(64)) * blocks)


@cases(600)
@given(replies())
def test_a_reply_that_went_wrong_is_plain_data_or_refused(sent: tuple[dict, bytes]) -> None:
    reply, blob = sent
    decoded(reply.get("result"), reply.get("tensors"), blob)


COLLIDING = 2**61 - 1  # its multiples all have hash 0


@cases(5)
@given(st.integers(9, 10**6), st.integers(2000, 20_000))
def test_keys_chosen_to_collide_are_refused_before_they_cost_time(start: int, count: int) -> None:
    pairs = [[{"int": hex(COLLIDING * (start + n))}, 0] for n in range(count)]
    decoder = Decoder([], memoryview(b""), no_module)
    try:
        decoder.decode({"dict": pairs})
    except Violation:
        return
    raise AssertionError("a dict of thousands of colliding keys was made")
