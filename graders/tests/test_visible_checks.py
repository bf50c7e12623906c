"""Every visible check passes on the reference, and names typical mistakes without the answer."""

import re

import pytest
from student_cells import EXERCISES, check_cell, solved

from autograder.bank import mistakes
from autograder.checks.kit.discovery import module_of
from autograder.checks.kit.running import run_checks
from autograder.judging.answers import source_of

# exercise, slug of the mistake, what the checks say of it
NAMED = [
    ("softmax", "shares-of-everything", "All your shares together sum to 1"),
    ("softmax", "axis-ignored", "Your rows sum to 1; with axis=0 the columns must"),
    ("softmax", "left-to-pytorch", "Write it yourself, in NumPy"),
    ("softmax", "no-maximum-subtracted", "exp(10000) is too large"),
    ("softmax", "not-normalised", "Your shares sum to 1.5032"),
    ("softmax", "log-softmax", "logarithms"),
    ("softmax", "float64-always", "The numbers are of type float64; float32 is wanted"),
    ("softmax", "input-changed", "Your code changed its input (argument number 1)"),
    ("softmax", "tensor-for-array", "A NumPy array is wanted here"),
    ("softmax", "nothing-returned", "Does your function end with `return`"),
    ("scaled_scores", "no-scale", "plain dot products"),
    ("scaled_scores", "scale-without-root", "too small"),
    ("scaled_scores", "multiplied-by-root", "Multiply, or divide?"),
    ("scaled_scores", "keys-by-queries", "Rows and columns are swapped"),
    ("scaled_scores", "transpose-of-a-matrix-only", "RuntimeError"),
    ("attention_weights", "softmax-over-queries", "Which axis lists the keys?"),
    ("attention_weights", "softmax-over-second-axis", "when there are more dimensions?"),
    ("attention_weights", "softmax-over-the-matrix", "Each whole matrix sums to 1"),
    ("attention_weights", "scores-returned", "Some weights are negative"),
    ("attention_weights", "two-values-returned", "A tuple of 2 came back"),
    ("causal_mask", "mask-inverted", "In this course True means"),
    ("causal_mask", "mask-transposed", "Which axis lists the queries?"),
    ("causal_mask", "diagonal-excluded", "no position sees itself"),
    ("causal_mask", "one-step-ahead", "one step into the future"),
    ("causal_mask", "float-mask", "a mask here is boolean"),
    ("causal_mask", "additive-mask", "numbers to add to the scores"),
    ("causal_mask", "device-ignored", "The argument `device` has no effect"),
    ("split_heads", "no-heads-let-through", "ZeroDivisionError"),
    ("split_heads", "no-transpose", "positions come before heads"),
    ("split_heads", "view-straight-to-heads", "tokens were torn apart"),
    ("split_heads", "interleaved-features", "features that are neighbours"),
    ("split_heads", "assertion-for-value-error", "by another kind of error"),
    ("split_heads", "numbers-not-named", "name both numbers"),
    ("split_heads", "remainder-dropped", "yet it was accepted"),
    ("merge_heads", "no-transpose", "one row holds features of two tokens"),
    ("merge_heads", "interleaved-features", "must stay in one piece"),
]
CODE = r"tril|transpose\(|sqrt\(|dim=-1|keepdims|flatten\(|\.max\("


def cell_of(exercise: str, slug: str) -> str:
    """The first entry of the bank with this name."""
    return source_of(next(entry for entry in mistakes(exercise) if entry.slug == slug))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_passes_two_to_five_checks(exercise):
    findings = run_checks(exercise, module_of(exercise), solved(exercise))
    assert 2 <= len(findings) <= 5
    assert [finding.says for finding in findings if not finding.passed] == []


@pytest.mark.parametrize(("exercise", "slug", "wanted"), NAMED)
def test_a_typical_mistake_is_named(exercise, slug, wanted):
    findings = check_cell(exercise, cell_of(exercise, slug))
    told = [finding.says + finding.came_back for finding in findings if not finding.passed]
    assert any(wanted in text for text in told), told
    assert [text for text in told if re.search(CODE, text)] == []


@pytest.mark.parametrize("line", ["assert mask[0, 0]", "assert torch.equal(mask, mask)"])
def test_looking_at_the_masks_numbers_is_no_fault(line):
    cell = (
        "def causal_mask(n, device=None):\n"
        f"    mask = torch.ones(n, n, device=device).tril().bool()\n    {line}\n    return mask"
    )
    assert all(finding.passed for finding in check_cell("causal_mask", cell))
