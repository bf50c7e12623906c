"""Hidden graders of 07-attention-vs-recurrence: attention_cost."""

from numbers import Integral
from typing import Any

import pytest
import torch

import graders.attention_vs_recurrence.probes  # noqa: F401 - registers the probe
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from solutions.attention_vs_recurrence.reference import attention_cost

DTYPES = (torch.float32, torch.bfloat16, torch.float64, torch.float16, torch.float8_e4m3fn)


@exercise("attention_cost")
@pytest.mark.points(3, "values")
def test_both_products_are_counted(student: Any, draw: Draw) -> None:
    """The arithmetic is that of both products, two for each multiply-add."""
    for seq_len, d_model, heads in _sizes(draw):
        _assert_counted(student, "flops", seq_len, d_model, heads, torch.float32)


@exercise("attention_cost")
@pytest.mark.points(3, "values")
def test_every_heads_table_takes_memory(student: Any, draw: Draw) -> None:
    """The scores of all heads are counted, in bytes of the dtype."""
    for dtype, (seq_len, d_model, heads) in zip(DTYPES, _sizes(draw), strict=False):
        _assert_counted(student, "score_bytes", seq_len, d_model, heads, dtype)


@exercise("attention_cost")
@pytest.mark.points(1, "form")
def test_two_whole_numbers_come_back(student: Any, draw: Draw) -> None:
    """A dictionary comes back, with the two names that the text gives, and whole numbers."""
    seq_len, d_model, heads = _sizes(draw)[0]
    found = student.attention_cost(seq_len, d_model, heads, torch.bfloat16)
    if not isinstance(found, dict) or not {"flops", "score_bytes"} <= set(found):
        raise Wrong("A dictionary with the entries `flops` and `score_bytes` was promised.")
    counts = [found["flops"], found["score_bytes"]]
    if not all(isinstance(count, Integral) and type(count) is not bool for count in counts):
        raise Wrong("The numbers that you return are not whole numbers.")


@exercise("attention_cost")
@pytest.mark.points(0.5, "numerics")
def test_long_sequences_are_counted_exactly(student: Any, draw: Draw) -> None:
    """However long the sequence, no digit of the counts is lost."""
    seq_len, d_model = 3_000_017 + 2 * draw.integer(0, 500), 12_287  # 11 · 1,117
    for name in ("flops", "score_bytes"):
        _assert_counted(student, name, seq_len, d_model, 11, torch.float64)


def _sizes(draw: Draw) -> list[tuple[int, int, int]]:
    """Lengths, widths and numbers of heads."""
    return [
        (draw.integer(101, 900), heads * draw.integer(11, 60), heads) for heads in (3, 1, 12, 7, 5)
    ]


def _assert_counted(
    student: Any, name: str, seq_len: int, d_model: int, heads: int, dtype: torch.dtype
) -> None:
    found = student.attention_cost(seq_len, d_model, heads, dtype)
    if not isinstance(found, dict) or name not in found:
        raise Wrong(f"What you return has no entry `{name}`.")
    if found[name] != attention_cost(seq_len, d_model, heads, dtype)[name]:
        raise Wrong(f"`{name}` is not the number that the text's formula gives.")
