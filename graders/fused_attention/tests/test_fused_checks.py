"""The visible checks of FusedMultiHeadAttention name typical mistakes."""

import inspect

import pytest
from student_cells import check_cell

from autograder.bank import mistakes
from autograder.judging.answers import source_of
from solutions.fused_attention.reference import FusedMultiHeadAttention

SOURCE = inspect.getsource(FusedMultiHeadAttention)
# What the checks say, by the mistake.
SAID = {
    "dropout-in-evaluation": "After eval(), two calls with the same input differ",
    "no-dropout": "Where does dropout go in?",
    "causal-lost-with-a-mask": "Does is_causal apply?",
    "mask-lost-when-causal": "Does the mask apply?",
    "mask-and-is-causal-together": "RuntimeError",
    "heads-ignored": "a single head of width 4",
    "nobody-attended-to": "The input came out again",
    "three-projections": "Not found: qkv.weight, qkv.bias",
    "no-check-of-heads": "yet it was accepted",
    "no-heads-let-through": "ZeroDivisionError",
    "view-straight-to-heads": "hold pieces of several tokens",
    "heads-attend-to-heads": "Each token attended to itself alone",
    "thirds-within-each-head": "q, k and v in another order",
    "no-merge-transpose": "one row of the output holds two",
    "scale-without-root": "is it taken once?",
    "texts-averaged": "Are they kept apart?",
    "returns-a-tuple": "A tuple of 2 came back",
    "num-heads-not-kept": "as the attribute num_heads",
    "dropout-gone-after-an-evaluation": "What does an evaluation leave behind?",
    "gradient-cut": "cut off from `x` and `qkv.weight`",
    "no-gradient-at-all": "cut off from `x`, `qkv.weight` and `out.weight`",
    "mask-made-on-the-cpu": "You make something on the CPU, and `x` is on another device",
    "read-back-with-a-mask": "reads a tensor's value",
    "mask-changed": "changed its input",
}
CELLS = {entry.slug: source_of(entry) for entry in reversed(mistakes("FusedMultiHeadAttention"))}


def failed(cell):
    """What the checks say of a cell: claim, call, result and advice of each that fails."""
    return [
        f"{finding.claim} {finding.called} {finding.came_back} {finding.says}"
        for finding in check_cell("FusedMultiHeadAttention", cell)
        if not finding.passed
    ]


@pytest.mark.parametrize("slug", SAID)
def test_a_typical_mistake_is_named(slug):
    told = failed(CELLS[slug])
    assert any(SAID[slug] in text for text in told), told


def test_a_class_that_is_no_module_is_told_so():
    cell = (
        "class FusedMultiHeadAttention:\n"
        "    def __init__(self, d_model, num_heads, dropout=0.0, bias=True): pass"
    )
    first, *_ = check_cell("FusedMultiHeadAttention", cell)
    assert "made from nn.Module" in first.says


@pytest.mark.parametrize(
    "slug", ["dropout-in-evaluation", "view-straight-to-heads", "no-merge-transpose"]
)
def test_neither_mask_nor_causality_is_blamed_for_another_mistake(slug):
    told = failed(CELLS[slug])
    assert not any("Does the mask apply?" in text for text in told)
    assert not any("Does is_causal apply?" in text for text in told)


def test_a_parameter_or_buffer_more_is_no_fault():
    more = (
        "self.num_heads = num_heads\n        self.scale = nn.Parameter(torch.ones(1))\n"
        "        self.register_buffer('grid', torch.ones(3, 3))"
    )
    assert failed(SOURCE.replace("self.num_heads = num_heads", more)) == []


def test_a_row_shows_the_call_that_was_compared():
    *_, dropout = check_cell("FusedMultiHeadAttention", SOURCE)
    assert dropout.called.startswith("FusedMultiHeadAttention(4, 2, dropout=0.5).eval()(")
    assert dropout.came_back.startswith("[[[0.8022 0.5989 1.7886 0.1586]")
