"""The visible checks of FusedMultiHeadAttention name typical mistakes."""

import inspect

import pytest
from student_cells import check_cell

from solutions.fused_attention.reference import FusedMultiHeadAttention

SOURCE = inspect.getsource(FusedMultiHeadAttention)
SPLIT = SOURCE[SOURCE.index("per_head = ") : SOURCE.index("  # each (batch")]
CHANGES = {
    "dropout-in-eval": (
        "self.dropout if self.training else 0.0",
        "self.dropout",
        "After eval(), two calls with the same input differ",
    ),
    "no-dropout": ("self.dropout if self.training else 0.0", "0.0", "Where does dropout go in?"),
    "causality-dropped": (
        "mask = mask & torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()",
        "pass",
        "Does is_causal apply?",
    ),
    "mask-dropped": ("mask = mask & torch", "mask = torch", "Does the mask apply?"),
    "both-passed-on": ("if mask is not None and is_causal:", "if False:", "RuntimeError"),
    "one-head": ("(3, self.num_heads, -1)", "(3, 1, -1)", "a single head of width 4"),
    "nothing-attended": (
        "self.out(attended.transpose(1, 2).flatten(2))",
        "self.out(x)",
        "The input came out again",
    ),
    "other-names": ("self.qkv", "self.in_proj", "Not found: qkv.weight, qkv.bias"),
    "any-heads": ("if num_heads < 1 or d_model % num_heads:", "if False:", "yet it was accepted"),
    "zero-heads": ("num_heads < 1 or ", "", "ZeroDivisionError"),
    "split-torn": (
        SPLIT,
        "q, k, v = (t.reshape(x.shape[0], self.num_heads, x.shape[1], -1) "
        "for t in self.qkv(x).chunk(3, -1))",
        "hold pieces of several tokens",
    ),
    "never-transposed": (
        SPLIT,
        "q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).unbind(2)\n"
        "        return self.out(F.scaled_dot_product_attention(q, k, v).flatten(2))",
        "Each token attended to itself alone",
    ),
    "split-in-another-order": (
        SPLIT,
        "q, k, v = self.qkv(x).unflatten(-1, (self.num_heads, 3, -1)).permute(3, 0, 2, 1, 4)",
        "q, k and v in another order",
    ),
    "merge-torn": (
        "attended.transpose(1, 2).flatten(2)",
        "attended.reshape(x.shape)",
        "one row of the output holds two",
    ),
    "scaled-twice": (
        "attended = F",
        "q = q / q.shape[-1] ** 0.5\n        attended = F",
        "is it taken once?",
    ),
    "batch-mixed": (
        "return self.out(attended",
        "attended = attended.mean(0, keepdim=True).expand_as(attended)\n"
        "        return self.out(attended",
        "Are they kept apart?",
    ),
    "a-tuple": (
        "return self.out(attended.transpose(1, 2).flatten(2))",
        "return self.out(attended.transpose(1, 2).flatten(2)), attended",
        "A tuple of 2 came back",
    ),
}


def failed(cell):
    """What the checks say of a cell: claim, call, result and advice of each that fails."""
    return [
        f"{finding.claim} {finding.called} {finding.came_back} {finding.says}"
        for finding in check_cell("FusedMultiHeadAttention", cell)
        if not finding.passed
    ]


@pytest.mark.parametrize("mistake", CHANGES)
def test_a_typical_mistake_is_named(mistake):
    old, new, wanted = CHANGES[mistake]
    assert old in SOURCE
    told = failed(SOURCE.replace(old, new))
    assert any(wanted in text for text in told), told


def test_a_class_that_is_no_module_is_told_so():
    cell = (
        "class FusedMultiHeadAttention:\n"
        "    def __init__(self, d_model, num_heads, dropout=0.0, bias=True): pass"
    )
    first, *_ = check_cell("FusedMultiHeadAttention", cell)
    assert "made from nn.Module" in first.says


@pytest.mark.parametrize("mistake", ["dropout-in-eval", "split-torn", "merge-torn"])
def test_neither_mask_nor_causality_is_blamed_for_another_mistake(mistake):
    old, new, _ = CHANGES[mistake]
    told = failed(SOURCE.replace(old, new))
    assert not any("Does the mask apply?" in text for text in told)
    assert not any("Does is_causal apply?" in text for text in told)


def test_a_parameter_or_buffer_more_is_no_fault():
    more = (
        "self.num_heads = num_heads\n        self.scale = nn.Parameter(torch.ones(1))\n"
        "        self.register_buffer('grid', torch.ones(3, 3))"
    )
    assert failed(SOURCE.replace("self.num_heads = num_heads", more)) == []


def test_a_row_shows_the_call_that_was_compared():
    *_, dropout, _ = check_cell("FusedMultiHeadAttention", SOURCE)
    assert dropout.called.startswith("FusedMultiHeadAttention(4, 2, dropout=0.5).eval()(")
    assert dropout.came_back.startswith("[[[0.8022 0.5989 1.7886 0.1586]")
