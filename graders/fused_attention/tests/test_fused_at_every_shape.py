"""Right answers of 05 and 06 at every shape: fused is unfused, tiled is whole, cached is full."""

import math

import torch
from hypothesis import given
from hypothesis import strategies as st
from shapes import DRAWS, EXAMPLES, LEADS, SIZES, answers, of, right, wide
from torch import nn

from autograder.judging import assert_matches, expected
from autograder.judging.properties import assert_agree, assert_linear, same_bits
from graders.modules import assert_apart, mask_of
from solutions.fused_attention.reference import FusedMultiHeadAttention
from solutions.multi_head_attention.reference import MultiHeadAttention

HEADS, BLOCKS = st.integers(1, 4), st.integers(1, 9)


def drawn(draw, module):
    """The module in double precision, with weights that are drawn."""
    module.double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(0.4 * wide(draw, *parameter.shape))
    return module


@EXAMPLES
@given(DRAWS, SIZES)
def test_three_products_are_one(draw, d_model):
    weights, x = [wide(draw, d_model, d_model) for _ in range(3)], wide(draw, 5, d_model)
    for answer in answers("fuse_qkv").values():
        thirds = (x @ answer.fuse_qkv(*weights).mT).chunk(3, dim=-1)
        for third, weight in zip(thirds, weights, strict=True):
            assert_agree(third, x @ weight.mT, "a third")


@EXAMPLES
@given(DRAWS, SIZES, HEADS, SIZES, st.booleans(), st.booleans())
def test_fused_is_unfused(draw, seq, heads, d_head, masked, is_causal):
    d_model = heads * d_head
    fused = drawn(draw, FusedMultiHeadAttention(d_model, heads))
    unfused = MultiHeadAttention(d_model, heads).double()
    state = {"w_o.weight": fused.out.weight, "w_o.bias": fused.out.bias}
    for part in ("weight", "bias"):
        thirds = getattr(fused.qkv, part).chunk(3)
        state |= {f"w_{name}.{part}": third for name, third in zip("qkv", thirds, strict=True)}
    unfused.load_state_dict(state)
    x, mask = wide(draw, 3, seq, d_model), mask_of(draw, 3, 1, seq, seq)
    mask = mask if masked else torch.ones_like(mask)
    allowed = mask & torch.ones(seq, seq, dtype=torch.bool).tril() if is_causal else mask
    wanted = expected(lambda given: unfused(given, allowed)[0], x)
    for student in answers("FusedMultiHeadAttention").values():
        module = student.FusedMultiHeadAttention(d_model, heads)
        module.load_state_dict(fused.state_dict(), strict=False)
        module.double()
        assert_matches(module(x, mask=mask if masked else None, is_causal=is_causal), wanted)
        assert_apart(module, x, torch.cat([3 * x[:1], x[1:]]))


@EXAMPLES
@given(DRAWS, SIZES, HEADS, SIZES)
def test_projections_give_the_same_fused(draw, seq, heads, d_head):
    d_model = heads * d_head
    layers = [drawn(draw, nn.Linear(d_model, d_model)) for _ in range(4)]
    x = wide(draw, 2, seq, d_model)
    for student in answers("fused_from_projections").values():
        given_layers = [
            student.linear(layer.weight.detach(), layer.bias.detach()) for layer in layers
        ]
        module = student.fused_from_projections(*given_layers, heads)
        unfused = MultiHeadAttention(d_model, heads).double()
        for name, layer in zip(("w_q", "w_k", "w_v", "w_o"), layers, strict=True):
            getattr(unfused, name).load_state_dict(layer.state_dict())
        assert_matches(module(x), expected(lambda given, unfused=unfused: unfused(given)[0], x))


@of("tiled_attention")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES, SIZES, BLOCKS, st.booleans())
def test_tiled_is_whole(name, draw, lead, seq, d_k, d_v, size, is_causal):
    attend = answers("tiled_attention")[name].tiled_attention
    q, k, v = (wide(draw, *lead, seq, width) for width in (d_k, d_k, d_v))
    found = attend(q, k, v, size, is_causal=is_causal)
    right("tiled_attention", found, q, k, v, seq, is_causal)
    assert_agree(found, attend(q, k, v, seq, is_causal=is_causal), "the block size")
    assert_linear(lambda values: attend(q, k, values, size), v, wide(draw, *v.shape))
    if is_causal:
        now = draw.integer(1, seq - 1)
        later = torch.cat([v[..., :now, :], 1e30 * v[..., now:, :]], -2)
        again = attend(q, k, later, size, is_causal=True)
        assert same_bits(found[..., :now, :], again[..., :now, :])


@of("decode_step")
@EXAMPLES
@given(DRAWS, SIZES, SIZES, HEADS, SIZES)
def test_cached_is_full(name, draw, batch, steps, heads, d_head):
    decode_step = answers("decode_step")[name].decode_step
    module = drawn(draw, FusedMultiHeadAttention(heads * d_head, heads))
    x, cache, found = wide(draw, batch, steps, heads * d_head), None, []
    for token in x.split(1, dim=1):
        output, cache = decode_step(module, token, cache)
        found.append(output)
    assert cache[0].shape == cache[1].shape == (batch, heads, steps, d_head)
    wanted = expected(lambda given: module(given, is_causal=True), x)
    assert_matches(torch.cat(found, dim=1), wanted)


@of("grouped_query_attention")
@EXAMPLES
@given(DRAWS, LEADS, HEADS, HEADS, SIZES, SIZES, SIZES)
def test_grouped_heads(name, draw, lead, key_heads, group, seq, d_k, d_v):
    attend = answers("grouped_query_attention")[name].grouped_query_attention
    q = wide(draw, *lead, key_heads * group, seq, d_k)
    k, v = (wide(draw, *lead, key_heads, seq, width) for width in (d_k, d_v))
    found = attend(q, k, v)
    right("grouped_query_attention", found, q, k, v)
    turned = attend(q.flip(-3), k.flip(-3), v.flip(-3))
    assert_agree(found.flip(-3), turned, "the order of the heads")
    assert_linear(lambda values: attend(q, k, values), v, wide(draw, *v.shape))


@of("attention_entropy")
@EXAMPLES
@given(DRAWS, LEADS, SIZES, SIZES)
def test_entropy(name, draw, lead, queries, keys):
    entropy = answers("attention_entropy")[name].attention_entropy
    weights = (4 * wide(draw, *lead, queries, keys)).softmax(-1)
    found = entropy(weights)
    right("attention_entropy", found, weights)
    assert_agree(found, entropy(weights.flip(-1)), "the order")
    assert bool(((found >= 0) & (found <= math.log(keys) + 1e-9)).all())
