"""The visible checks of FusedMultiHeadAttention name typical mistakes."""

import inspect

import pytest
from student_cells import check_cell

from solutions.fused_attention import FusedMultiHeadAttention

SOURCE = inspect.getsource(FusedMultiHeadAttention)
CHANGES = {
    "dropout-in-eval": (
        "self.dropout if self.training else 0.0",
        "self.dropout",
        "After eval(), dropout=0.5",
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
    "a-tuple": (
        "return self.out(attended.transpose(1, 2).flatten(2))",
        "return self.out(attended.transpose(1, 2).flatten(2)), attended",
        "A tuple of 2 came back",
    ),
}


@pytest.mark.parametrize("mistake", CHANGES)
def test_a_typical_mistake_is_named(mistake):
    old, new, wanted = CHANGES[mistake]
    assert old in SOURCE
    findings = check_cell("FusedMultiHeadAttention", SOURCE.replace(old, new))
    told = [
        f"{finding.claim} {finding.came_back} {finding.says}"
        for finding in findings
        if not finding.passed
    ]
    assert any(wanted in text for text in told), told


def test_a_class_that_is_no_module_is_told_so():
    cell = (
        "class FusedMultiHeadAttention:\n"
        "    def __init__(self, d_model, num_heads, dropout=0.0, bias=True): pass"
    )
    first, *_ = check_cell("FusedMultiHeadAttention", cell)
    assert "made from nn.Module" in first.says
