"""Kernels that are right on ordinary inputs and wrong in a corner: each loses marks."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source

pytestmark = pytest.mark.slow

pytest.importorskip("triton")

FILLED = 'scores = tl.where(allowed, scores, -float("inf"))'
DIVIDED = "output = output / total[:, None]"
TOTAL = "total = rescale * total"
PAST = "(columns[None, :] <= rows[:, None])"
MADE = "output = q.new_empty("
# Replacements in the reference, by name.
CORNERS = {
    "large scores cut": (FILLED, f"{FILLED}\n        scores = tl.minimum(scores, 50.0)"),
    "a soft mask": (FILLED, FILLED.replace('-float("inf")', "-1e4")),
    "small weights dropped": (
        TOTAL,
        f"weights = tl.where(weights > 1e-2, weights, 0.0)\n        {TOTAL}",
    ),
    "output cut off": (
        DIVIDED,
        "output = tl.minimum(tl.maximum(output / total[:, None], -50.0), 50.0)",
    ),
    "no mask in the second block": (PAST, f"({PAST} | (start == 32))"),
    "no mask for the first queries": (PAST, f"({PAST} | (rows[:, None] < 2))"),
    "half precision changed in place": (
        MADE,
        f"(q.mul_(1.5) if q.element_size() == 2 else None)\n    {MADE}",
    ),
    "single heads squeezed": (MADE, f"q = q.squeeze(0) if q.ndim == 4 else q\n    {MADE}"),
    "a long row by PyTorch": (
        MADE,
        "if keys > 128:\n"
        "        weights = (q.float() @ k.float().mT / math.sqrt(d_k)).softmax(-1)\n"
        f"        return (weights @ v.float()).to(q.dtype)\n    {MADE}",
    ),
}


def changed(old, new):
    source = reference_source("triton_attention")
    assert source.count(old) == 1, old
    return source.replace(old, new)


ANSWERS = [Answer("triton_attention", name, changed(*parts)) for name, parts in CORNERS.items()]


@pytest.fixture(scope="module")
def graded():
    return grade(ANSWERS, b"secret")


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_a_corner_costs_marks_and_not_all(graded, answer):
    assert 0.3 <= graded[answer].share < 1


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []
