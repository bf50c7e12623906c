"""Of code that stops it is said for which kind of input and in which line, and nothing hidden."""

import re
import textwrap

import numpy as np
import pytest
import torch
from grading import Answer, grade

from autograder.checks.kit.errors import StudentError
from autograder.judging.answers import student_with
from autograder.judging.given import given
from autograder.judging.trying import where_it_runs

FOR_ONE_BATCH = """
def masked_softmax(scores, mask):
    batch, queries, keys = scores.shape
    if queries > 2:
        raise KeyError(f"{scores.flatten()[0]} {keys}")
    return scores
"""
STOPS = [
    Answer("masked_softmax", "for other lengths", FOR_ONE_BATCH),
    Answer(
        "scaled_scores",
        "in half precision",
        """
def scaled_scores(q, k):
    if q.dtype is not torch.float32:
        raise TypeError("no half precision here")
    return (q + 0.25) @ (k * k).mT
""",
    ),
    Answer(
        "MultiHeadAttention",
        "without a mask",
        """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        return self.w_q(x), mask.float()
""",
    ),
]


def test_the_kind_of_input_and_the_line_are_told_and_no_number_of_the_input():
    told = {}
    graded = grade(STOPS, b"secret", told=told)
    assert [one.share < 1 for one in graded.values()] == [True] * 3
    lengths, _, module = (explained.told for explained in told.values())
    assert lengths.startswith("Your code raised KeyError where ")
    assert "`scores` and `mask` have three axes" in lengths
    assert ", in line 5 of your cell." in lengths
    assert module.startswith("Your code raised AttributeError, in line 9 of your cell. It runs")
    assert "It runs where `mask` is given, and stops where there is none." in module
    symptoms = [one.symptom or "" for answer in graded.values() for one in answer.found]
    assert any(re.search(r"`q` and `k` hold b?float\d+ values", one) for one in symptoms)
    told_numbers = [one for one in symptoms if re.search(r"\d", re.sub(r"b?float\d+", "", one))]
    assert told_numbers == []


def numbers(*shape, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(1)).to(dtype)


FOR_THREE_AXES = """
def {name}(q, k, v, {more}):
    b, n, d = q.shape
    s = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(d)
    return torch.bmm(s.softmax(-1), v), s.softmax(-1)
"""
BY_A_TABLE = """
def masked_softmax(scores, mask):
    low = {torch.float32: -1e30, torch.float64: -1e300}[scores.dtype]
    return torch.softmax(scores.masked_fill(~mask, low), -1)
"""
ALLOWED = torch.ones(5, 7, dtype=torch.bool)
RUNS = {
    "three axes unpacked, given four": (
        "scaled_dot_product_attention",
        FOR_THREE_AXES.format(name="scaled_dot_product_attention", more="mask=None"),
        lambda student: student.scaled_dot_product_attention(
            numbers(2, 3, 5, 6), numbers(2, 3, 7, 6), numbers(2, 3, 7, 4)
        ),
        "It runs where `q` is (batch, queries, d_k), and stops where it is "
        "(outer, batch, queries, d_k).",
    ),
    "letters for three axes, given two": (
        "tiled_attention",
        FOR_THREE_AXES.format(name="tiled_attention", more="block_size, is_causal=False"),
        lambda student: student.tiled_attention(numbers(5, 6), numbers(7, 6), numbers(7, 4), 2),
        "It runs where `q` is (batch, queries, d_k), and stops where it is (queries, d_k).",
    ),
    "axes 1 and 2 swapped, given two axes": (
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        """,
        lambda student: student.scaled_scores(numbers(5, 6), numbers(7, 6)),
        "It runs where `q` is (batch, queries, d_k), and stops where it is (queries, d_k).",
    ),
    "four axes permuted, given three": (
        "grouped_query_attention",
        """
        def grouped_query_attention(q, k, v, is_causal=False):
            q = q.permute(0, 2, 1, 3).permute(0, 2, 1, 3)
            groups = q.shape[1] // k.shape[1]
            k, v = (one.repeat_interleave(groups, 1) for one in (k, v))
            return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        """,
        lambda student: student.grouped_query_attention(
            numbers(4, 5, 6), numbers(2, 5, 6), numbers(2, 5, 6)
        ),
        "It runs where `q` is (batch, heads, queries, d_k), and stops where it is "
        "(heads, queries, d_k).",
    ),
    "three axes of an array unpacked, given two": (
        "softmax",
        """
        def softmax(x, axis=-1):
            batch, queries, keys = x.shape
            return np.exp(x) / np.exp(x).sum(axis, keepdims=True)
        """,
        lambda student: student.softmax(np.ones((2, 5)), axis=-1),
        "It runs where `x` has three axes, and stops where it has two axes.",
    ),
    "a table of dtypes that lacks one": (
        "masked_softmax",
        BY_A_TABLE,
        lambda student: student.masked_softmax(numbers(5, 7, dtype=torch.bfloat16), ALLOWED),
        "It runs where `scores` holds float32 values, and stops with bfloat16 ones.",
    ),
    "a table of dtypes that lacks the one asked for": (
        "additive_mask",
        """
        def additive_mask(mask, dtype):
            low = {torch.float32: -torch.inf, torch.float64: -torch.inf}[dtype]
            return torch.zeros(mask.shape, dtype=dtype).masked_fill(~mask, low)
        """,
        lambda student: student.additive_mask(ALLOWED, torch.float16),
        "It runs where `dtype` is torch.float32, and stops where it is torch.float16.",
    ),
    "as many keys as queries": (
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            weights = (q @ k.mT + torch.eye(q.shape[-2])).softmax(-1)
            return weights @ v, weights
        """,
        lambda student: student.scaled_dot_product_attention(
            numbers(5, 6), numbers(7, 6), numbers(7, 4)
        ),
        "It runs where the axes queries and keys are of the same length, and stops where they "
        "are not.",
    ),
    "no views": (
        "masked_softmax",
        """
        def masked_softmax(scores, mask):
            return scores.view(-1).view(scores.shape).masked_fill(~mask, -torch.inf).softmax(-1)
        """,
        lambda student: student.masked_softmax(numbers(7, 5).mT, ALLOWED),
        "It runs where `scores` lies in memory as the axes say, and stops where `scores` is a "
        "view, such as a transpose.",
    ),
    "numbers read off": (
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q @ k.mT / math.sqrt(q.shape[-1]) + 0 * float(q.max())
        """,
        lambda student: student.scaled_scores(numbers(5, 6).to("meta"), numbers(7, 6).to("meta")),
        "It runs on the CPU, and stops on another device (here `meta`, which stands for any).",
    ),
    "what the numbers are": (
        "scaled_scores",
        """
        def scaled_scores(q, k):
            if q[0, 0] == 7:
                raise ValueError
            return q @ k.mT
        """,
        lambda student: student.scaled_scores(numbers(5, 6) * 0 + 7, numbers(7, 6)),
        "",
    ),
    "nothing": (
        "scaled_scores",
        """
        def scaled_scores(q, k):
            return q.no_such_thing()
        """,
        lambda student: student.scaled_scores(numbers(5, 6), numbers(7, 6)),
        "",
    ),
}
"""By what code can do alone: the exercise, its cell, a call that stops, and what is said of it."""


@pytest.mark.parametrize("case", RUNS)
def test_it_is_told_for_what_the_code_runs(case):
    exercise, source, call, told = RUNS[case]
    student = student_with(exercise, textwrap.dedent(source))
    with pytest.raises(StudentError) as raised:
        call(student)
    assert where_it_runs(exercise, student.asked, raised.value.builtin) == told


def test_what_is_tried_holds_no_number_of_the_call_that_stopped():
    exercise, source, _, _ = RUNS["a table of dtypes that lacks one"]
    kept = "    SEEN.append(scores.flatten().double())\n"
    source = source.replace("    low", f"{kept}    low").replace("torch.float64: -1e300", "")
    student = student_with(exercise, f"SEEN = []\n{source}")
    with pytest.raises(StudentError) as raised:
        student.masked_softmax(numbers(5, 7, dtype=torch.float64), ALLOWED)
    where_it_runs(exercise, student.asked, raised.value.builtin)
    hidden, *tried = student.value("SEEN")
    assert len(tried) > 2
    assert not any(torch.isin(one, hidden).any() for one in tried)


def test_layers_without_a_bias_are_told():
    student = student_with(
        "fused_from_projections",
        "def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):\n    w_q.bias.detach()",
    )
    layers = [student.linear(numbers(6, 6)) for _ in range(4)]
    with pytest.raises(StudentError):
        student.fused_from_projections(*layers, 2)
    told = given("fused_from_projections", student.asked)
    assert told == "where `w_q`, `w_k`, `w_v` and `w_o` have no bias"
