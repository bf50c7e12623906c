"""Right answers are right, and every law holds of them, at every shape that Hypothesis draws."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from shapes import DRAWS, EXAMPLES, LEADS, SIZES, answers, few_digits, of, right, wide

from autograder.judging import assert_matches, expected
from autograder.judging.answers import solution_module
from autograder.judging.properties import assert_agree, assert_linear, same_bits
from graders.causal_masking.mask_parts import mixed_mask
from graders.modules import assert_apart, mask_of


@of("attention_weights")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES)
def test_attention_weights(name, draw, lead, queries, keys):
    weights_of = answers("attention_weights")[name].attention_weights
    scores = few_digits(draw, *lead, queries, keys)
    weights = weights_of(scores)
    right("attention_weights", weights, scores)
    more = scores + few_digits(draw, *lead, queries, 1).mul(16).round()
    assert_agree(weights, weights_of(more), "a constant")
    assert_agree(weights.flip(-1), weights_of(scores.flip(-1)), "the order")
    assert_agree(weights.sum(-1), torch.ones_like(weights[..., 0]), "the sum")


@of("weighted_values")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES, SIZES)
def test_weighted_values(name, draw, lead, queries, keys, d_v):
    average = answers("weighted_values")[name].weighted_values
    weights, v = wide(draw, *lead, queries, keys).softmax(-1), wide(draw, *lead, keys, d_v)
    right("weighted_values", average(weights, v), weights, v)
    assert_agree(average(weights, v), average(weights.flip(-1), v.flip(-2)), "the order")
    assert_linear(lambda values: average(weights, values), v, wide(draw, *lead, keys, d_v))


@of("simple_attention")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES)
def test_simple_attention(name, draw, lead, seq, d):
    attend = answers("simple_attention")[name].simple_attention
    x = 0.7 * wide(draw, *lead, seq, d)
    found, turned = attend(x), attend(x.flip(-2))
    right("simple_attention", found, x)
    assert_agree(found[0].flip(-2), turned[0], "the order")
    assert_agree(found[1].flip(-2, -1), turned[1], "the order")


@of("scaled_dot_product_attention")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES, SIZES, SIZES, st.booleans())
def test_scaled_dot_product_attention(name, draw, lead, queries, keys, d_k, d_v, masked):
    exercise = "scaled_dot_product_attention"
    attend = answers(exercise)[name].scaled_dot_product_attention
    q, k = few_digits(draw, *lead, queries, d_k), few_digits(draw, *lead, keys, d_k)
    v = wide(draw, *lead, keys, d_v)
    mask = mask_of(draw, queries, keys) if masked else None
    output, weights = attend(q, k, v, mask)
    right(exercise, (output, weights), q, k, v, mask)
    assert mask is None or bool((weights[..., ~mask] == 0).all())
    turned = None if mask is None else mask.flip(-1)
    assert_agree(output, attend(q, k.flip(-2), v.flip(-2), turned)[0], "the order")
    moved = k + few_digits(draw, *(1,) * len(lead), 1, d_k).mul(4).round()
    assert_agree(output, attend(q, moved, v, mask)[0], "moved keys")
    assert_linear(lambda values: attend(q, k, values, mask)[0], v, wide(draw, *v.shape))


@pytest.mark.parametrize("exercise", ["SelfAttention", "RepairedAttention"])
@EXAMPLES
@given(DRAWS, SIZES, SIZES, SIZES, SIZES)
def test_layers(exercise, draw, seq, d_model, d_k, d_v):
    reference = getattr(solution_module(exercise), exercise)(d_model, d_k, d_v).double()
    x, mask = wide(draw, 3, seq, d_model), mask_of(draw, seq, seq)
    for student in answers(exercise).values():
        module = getattr(student, exercise)(d_model, d_k, d_v)
        module.load_state_dict(reference.state_dict(), strict=False)
        module.double()
        assert_matches(module(x, mask), expected(reference, x, mask))
        one, other = module(x, mask)[0], module(x.flip(-2), mask.flip(-2, -1))[0]
        assert_agree(one.flip(-2), other, "the order")
        assert_apart(lambda given: module(given)[0], x, torch.cat([3 * x[:1], x[1:]]))  # noqa: B023


@of("masked_softmax")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES, st.booleans())
def test_masked_softmax(name, draw, lead, queries, keys, dead):
    weights_of = answers("masked_softmax")[name].masked_softmax
    scores, mask = few_digits(draw, *lead, queries, keys), mixed_mask(draw, queries, keys)
    mask[0] &= not dead
    weights = weights_of(scores, mask)
    right("masked_softmax", weights, scores, mask)
    wild = torch.where(mask, scores, 1e30 * wide(draw, *scores.shape))
    assert same_bits(weights, weights_of(wild, mask))
    more = scores + few_digits(draw, *lead, queries, 1).mul(16).round()
    assert_agree(weights, weights_of(more, mask), "a constant")
    assert_agree(weights.flip(-1), weights_of(scores.flip(-1), mask.flip(-1)), "the order")


@of("causal_attention")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES, SIZES)
def test_causal_attention(name, draw, lead, seq, d_k, d_v):
    attend = answers("causal_attention")[name].causal_attention
    q, k, v = (draw.normal(*lead, seq, wide) for wide in (d_k, d_k, d_v))
    found, now = attend(q, k, v), draw.integer(1, seq - 1)
    right("causal_attention", found, q, k, v)
    later = [torch.cat([t[..., :now, :], 1e30 * t[..., now:, :]], -2) for t in (q, k, v)]
    for one, other in zip(found, attend(*later), strict=True):
        assert same_bits(one[..., :now, :], other[..., :now, :])
    short = attend(*(part[..., :now, :] for part in (q, k, v)))[0]
    assert_agree(found[0][..., :now, :], short, "the length")


@EXAMPLES
@given(DRAWS, SIZES, SIZES, st.integers(1, 4), SIZES)
def test_heads_are_split_and_merged(draw, batch, seq, heads, d_head):
    x = wide(draw, batch, seq, heads * d_head)
    for split in answers("split_heads").values():
        per_head = split.split_heads(x, heads)
        assert per_head.shape == (batch, heads, seq, d_head)
        for merge in answers("merge_heads").values():
            assert same_bits(merge.merge_heads(per_head), x)


@EXAMPLES
@given(DRAWS, SIZES, st.integers(1, 4), SIZES)
def test_multi_head_attention(draw, seq, heads, d_head):
    exercise, d_model = "MultiHeadAttention", heads * d_head
    reference = solution_module(exercise).MultiHeadAttention(d_model, heads).double()
    x, mask = wide(draw, 3, seq, d_model), mask_of(draw, 3, 1, 1, seq)
    for student in answers(exercise).values():
        module = student.MultiHeadAttention(d_model, heads)
        module.load_state_dict(reference.state_dict(), strict=False)
        module.double()
        assert_matches(module(x, mask), expected(reference, x, mask))
        one, other = module(x, mask)[0], module(x.flip(1), mask.flip(-1))[0]
        assert_agree(one.flip(1), other, "the order")
        assert_apart(lambda given: module(given)[0], x, torch.cat([3 * x[:1], x[1:]]))  # noqa: B023
