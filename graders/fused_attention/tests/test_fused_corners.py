"""Answers of 05 that are right on ordinary inputs and wrong in a corner: each loses marks."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source

pytestmark = pytest.mark.slow

TO = ".to(w_q.weight)"
GROW = "k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)"
SHARED = "t.repeat_interleave(heads // key_heads, dim=-3)"
IN_TURN = "t.repeat(*[1] * (t.ndim - 3), heads // key_heads, 1, 1)"
# Replacements in the reference, by exercise and name.
CORNERS = {
    ("fuse_qkv", "half precision changed in place"): (
        ("return", "(w_v.mul_(1.5) if w_v.dtype == torch.bfloat16 else None)\n    return"),
    ),
    ("fused_from_projections", "float32 but for float64"): (
        (TO, ".to(torch.float64 if w_q.weight.dtype == torch.float64 else torch.float32)"),
    ),
    ("fused_from_projections", "biases of q and k alike when heads are two"): (
        ("(w_q.bias, w_k.bias,", "(w_q.bias, w_q.bias if num_heads > 3 else w_k.bias,"),
    ),
    ("tiled_attention", "large scores cut"): (
        ("if is_causal:", "scores = scores.clamp(-50, 50)\n        if is_causal:"),
    ),
    ("tiled_attention", "small weights dropped"): (
        ("total = rescale", "weights = weights * (weights > 1e-2)\n        total = rescale"),
    ),
    ("tiled_attention", "no mask in one whole block"): (
        ("if is_causal:", "if is_causal and block_size < k.shape[-2]:"),
    ),
    ("tiled_attention", "no mask in the first block"): (
        ("if is_causal:", "if is_causal and (start or block_size == 1):"),
    ),
    ("tiled_attention", "queries scaled in place when causal"): (
        ("position = ", "(q.mul_(1.1) if is_causal and q.ndim == 3 else None)\n    position = "),
    ),
    ("tiled_attention", "blocks of five rescaled"): (
        ("return output / total", "return output / total * (1.01 if block_size == 5 else 1)"),
    ),
    ("tiled_attention", "output cut off"): (
        ("return output / total", "return (output / total).clamp(-50, 50)"),
    ),
    ("tiled_attention", "a trace of the first text"): (
        ("return output / total", "return output / total + 1e-9 * output[:1]"),
    ),
    ("FusedMultiHeadAttention", "findings cut off"): (
        ("return self.out(attended", "return self.out(attended.clamp(-30, 30)"),
    ),
    ("decode_step", "findings cut off"): (
        ("return attention.out(attended", "return attention.out(attended.clamp(-30, 30)"),
    ),
    ("decode_step", "four steps remembered"): (
        (GROW, f"{GROW}\n        k, v = k[:, :, -4:], v[:, :, -4:]"),
    ),
    ("decode_step", "one buffer for all"): (
        (
            "if cache is not None:",
            "past = 0 if cache is None else cache[0].shape[2]\n"
            "    store = decode_step.__dict__.setdefault('store', {})\n"
            "    kept = store.setdefault((q.shape, q.dtype, q.device, id(attention)), {})\n"
            "    kept[past] = (k, v)\n"
            "    if cache is not None:",
        ),
        (
            GROW,
            "pairs = [kept.get(step, (k, v)) for step in range(past + 1)]\n"
            "        k, v = (torch.cat(parts, dim=2) for parts in zip(*pairs))",
        ),
    ),
    ("decode_step", "cache widened in half precision"): (
        (
            "(k, v)\n    ### END",
            "tuple(t.float() if t.dtype.itemsize == 2 else t for t in (k, v))\n    ### END",
        ),
    ),
    ("grouped_query_attention", "dealt in turn when two share a key head"): (
        (SHARED, f"({IN_TURN} if heads == 2 * key_heads else {SHARED})"),
    ),
    ("grouped_query_attention", "values cut off"): (
        ("if heads % key_heads:", "v = v.clamp(-50, 50)\n    if heads % key_heads:"),
    ),
    ("grouped_query_attention", "a trace of the first text"): (
        ("if heads % key_heads:", "v = v + 1e-9 * v[:1]\n    if heads % key_heads:"),
    ),
    ("grouped_query_attention", "one key head asked by one query head"): (
        (
            "if heads % key_heads:",
            "q = q[..., :1, :, :].expand_as(q) if key_heads == 1 else q\n    if heads % key_heads:",
        ),
    ),
}


def changed(exercise, replacements):
    source = reference_source(exercise)
    for old, new in replacements:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


ANSWERS = [Answer(*place, changed(place[0], parts)) for place, parts in CORNERS.items()]


@pytest.fixture(scope="module")
def graded():
    return grade(ANSWERS, b"secret")


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_a_corner_costs_marks_and_not_all(graded, answer):
    assert 0.3 <= graded[answer].share < 1


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []
