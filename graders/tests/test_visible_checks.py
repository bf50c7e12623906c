"""Every visible check passes on the reference, and names typical mistakes without the answer."""

import re

import pytest
from student_cells import EXERCISES, check_cell, solved

from autograder.checks.kit.discovery import module_of
from autograder.checks.kit.running import run_checks

MISTAKES = {
    # softmax
    "softmax-global-sum": (
        "softmax",
        "def softmax(x, axis=-1):\n    e = np.exp(x - x.max())\n    return e / e.sum()",
        "All your shares together sum to 1",
    ),
    "softmax-fixed-axis": (
        "softmax",
        "def softmax(x, axis=-1):\n    e = np.exp(x - x.max())\n"
        "    return e / e.sum(axis=-1, keepdims=True)",
        "Your rows sum to 1; with axis=0 the columns must",
    ),
    "softmax-of-pytorch": (
        "softmax",
        "def softmax(x, axis=-1):\n    return torch.softmax(torch.from_numpy(x), dim=axis).numpy()",
        "Write it yourself, in NumPy",
    ),
    "softmax-overflow": (
        "softmax",
        "def softmax(x, axis=-1):\n    with np.errstate(all='ignore'):\n        e = np.exp(x)\n"
        "        return e / e.sum(axis=axis, keepdims=True)",
        "exp(10000) is too large",
    ),
    "softmax-not-normalised": (
        "softmax",
        "def softmax(x, axis=-1):\n    return np.exp(x - x.max(axis=axis, keepdims=True))",
        "Your shares sum to 1.5032",
    ),
    "softmax-log": (
        "softmax",
        "def softmax(x, axis=-1):\n    s = x - x.max(axis=axis, keepdims=True)\n"
        "    return s - np.log(np.exp(s).sum(axis=axis, keepdims=True))",
        "logarithms",
    ),
    "softmax-wide-dtype": (
        "softmax",
        "def softmax(x, axis=-1):\n    e = np.exp(x.astype(float) - x.max(axis, keepdims=True))\n"
        "    return e / e.sum(axis=axis, keepdims=True)",
        "The numbers are of type float64; float32 is wanted",
    ),
    "softmax-in-place": (
        "softmax",
        "def softmax(x, axis=-1):\n    x -= x.max(axis=axis, keepdims=True)\n    e = np.exp(x)\n"
        "    return e / e.sum(axis=axis, keepdims=True)",
        "Your code changed its input (argument number 1)",
    ),
    "softmax-as-tensor": (
        "softmax",
        "def softmax(x, axis=-1):\n    return torch.softmax(torch.from_numpy(x), axis)",
        "A NumPy array is wanted here",
    ),
    "softmax-nothing": (
        "softmax",
        "def softmax(x, axis=-1):\n    x - x.max()",
        "Does your function end with `return`",
    ),
    # scores
    "scores-unscaled": (
        "scaled_scores",
        "def scaled_scores(q, k):\n    return q @ k.mT",
        "plain dot products",
    ),
    "scores-without-root": (
        "scaled_scores",
        "def scaled_scores(q, k):\n    return q @ k.mT / q.shape[-1]",
        "too small",
    ),
    "scores-multiplied": (
        "scaled_scores",
        "def scaled_scores(q, k):\n    return q @ k.mT * math.sqrt(q.shape[-1])",
        "Multiply, or divide?",
    ),
    "scores-transposed": (
        "scaled_scores",
        "def scaled_scores(q, k):\n    return k @ q.mT / math.sqrt(q.shape[-1])",
        "Rows and columns are swapped",
    ),
    "scores-two-dimensions": (
        "scaled_scores",
        "def scaled_scores(q, k):\n    return q @ k.permute(1, 0) / math.sqrt(q.shape[-1])",
        "RuntimeError",
    ),
    # weights
    "weights-over-queries": (
        "attention_weights",
        "def attention_weights(scores):\n    return torch.softmax(scores, dim=-2)",
        "Your columns sum to 1, your rows do not. Which axis lists the keys?",
    ),
    "weights-fixed-axis": (
        "attention_weights",
        "def attention_weights(scores):\n    return torch.softmax(scores, dim=1)",
        "Where do the keys stand when there are more dimensions?",
    ),
    "weights-flattened": (
        "attention_weights",
        "def attention_weights(s):\n    return torch.softmax(s.flatten(), 0).view_as(s)",
        "Each whole matrix sums to 1",
    ),
    "weights-are-scores": (
        "attention_weights",
        "def attention_weights(scores):\n    return scores",
        "Some weights are negative",
    ),
    "weights-as-tuple": (
        "attention_weights",
        "def attention_weights(scores):\n    return torch.softmax(scores, -1), scores",
        "A tuple of 2 came back where one tensor is wanted",
    ),
    # mask
    "mask-inverted": (
        "causal_mask",
        "def causal_mask(n, device=None):\n"
        "    return torch.ones(n, n, device=device).triu(1).bool()",
        "In this course True means",
    ),
    "mask-transposed": (
        "causal_mask",
        "def causal_mask(n, device=None):\n"
        "    return torch.ones(n, n, device=device).triu().bool()",
        "Which axis lists the queries?",
    ),
    "mask-excludes-itself": (
        "causal_mask",
        "def causal_mask(n, device=None):\n"
        "    return torch.ones(n, n, device=device).tril(-1).bool()",
        "no position sees itself",
    ),
    "mask-leaks-one": (
        "causal_mask",
        "def causal_mask(n, device=None):\n"
        "    return torch.ones(n, n, device=device).tril(1).bool()",
        "one step into the future",
    ),
    "mask-float": (
        "causal_mask",
        "def causal_mask(n, device=None):\n    return torch.ones(n, n, device=device).tril()",
        "a mask here is boolean",
    ),
    "mask-additive": (
        "causal_mask",
        "def causal_mask(n, device=None):\n"
        "    return torch.full((n, n), -torch.inf, device=device).triu(1)",
        "numbers to add to the scores",
    ),
    "mask-on-the-cpu": (
        "causal_mask",
        "def causal_mask(n, device=None):\n    return torch.ones(n, n).tril().bool()",
        "The argument `device` has no effect",
    ),
    # heads
    "split-by-zero": (
        "split_heads",
        "def split_heads(x, h):\n    if x.shape[-1] % h:\n"
        "        raise ValueError(f'{x.shape[-1]} {h}')\n"
        "    return x.unflatten(-1, (h, -1)).transpose(1, 2)",
        "ZeroDivisionError",
    ),
    "split-without-transpose": (
        "split_heads",
        "def split_heads(x, h):\n    return x.view(*x.shape[:2], h, -1)",
        "positions come before heads",
    ),
    "split-torn": (
        "split_heads",
        "def split_heads(x, h):\n    return x.reshape(x.shape[0], h, x.shape[1], -1)",
        "tokens were torn apart",
    ),
    "split-interleaved": (
        "split_heads",
        "def split_heads(x, h):\n    return x.view(*x.shape[:2], -1, h).permute(0, 3, 1, 2)",
        "features that are neighbours",
    ),
    "split-by-assertion": (
        "split_heads",
        "def split_heads(x, h):\n    assert x.shape[-1] % h == 0\n"
        "    return x.unflatten(-1, (h, -1)).transpose(1, 2)",
        "by another kind of error",
    ),
    "split-silent-error": (
        "split_heads",
        "def split_heads(x, h):\n    if x.shape[-1] % h:\n        raise ValueError('no')\n"
        "    return x.unflatten(-1, (h, -1)).transpose(1, 2)",
        "name both numbers",
    ),
    "split-accepts-all": (
        "split_heads",
        "def split_heads(x, h):\n    d = x.shape[-1] // h\n"
        "    return x[..., : h * d].unflatten(-1, (h, d)).transpose(1, 2)",
        "yet it was accepted",
    ),
    "merge-torn": (
        "merge_heads",
        "def merge_heads(x):\n    return x.reshape(x.shape[0], x.shape[2], -1)",
        "one row holds features of two tokens",
    ),
    "merge-interleaved": (
        "merge_heads",
        "def merge_heads(x):\n    return x.permute(0, 2, 3, 1).flatten(2)",
        "must stay in one piece",
    ),
}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_passes_two_to_five_checks(exercise):
    findings = run_checks(exercise, module_of(exercise), solved(exercise))
    assert 2 <= len(findings) <= 5
    assert [finding.says for finding in findings if not finding.passed] == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_typical_mistake_is_named(mistake):
    exercise, cell, wanted = MISTAKES[mistake]
    findings = check_cell(exercise, cell)
    told = [finding.says + finding.came_back for finding in findings if not finding.passed]
    assert any(wanted in text for text in told), told


@pytest.mark.parametrize("mistake", MISTAKES)
def test_no_message_contains_the_code_that_is_asked_for(mistake):
    exercise, cell, _ = MISTAKES[mistake]
    for finding in check_cell(exercise, cell):
        assert not re.search(
            r"tril|transpose\(|sqrt\(|dim=-1|keepdims|flatten\(|\.max\(", finding.says
        )


@pytest.mark.parametrize("line", ["assert mask[0, 0]", "assert torch.equal(mask, mask)"])
def test_looking_at_the_masks_numbers_is_no_fault(line):
    cell = (
        "def causal_mask(n, device=None):\n"
        f"    mask = torch.ones(n, n, device=device).tril().bool()\n    {line}\n    return mask"
    )
    assert all(finding.passed for finding in check_cell("causal_mask", cell))
