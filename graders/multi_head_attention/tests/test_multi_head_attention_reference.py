"""The reference solutions of 04 against independent ones, and against published figures."""

import math

import pytest
import torch
from torch import nn

from solutions.multi_head_attention.reference import merge_heads, split_heads

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]


@pytest.fixture
def x():
    return torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("num_heads", [1, 3, 12])
def test_head_h_owns_block_h_of_the_features(x, num_heads, dtype):
    heads = split_heads(x.to(dtype), num_heads)
    blocks = x.to(dtype).chunk(num_heads, dim=-1)
    assert torch.equal(heads, torch.stack(blocks, dim=1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_merging_undoes_splitting_forward_and_backward(x, dtype):
    leaf = x.to(dtype).requires_grad_()
    merged = merge_heads(split_heads(leaf, 3))
    merged.backward(x.to(dtype))
    assert torch.equal(merged, leaf)
    assert torch.equal(leaf.grad, x.to(dtype))


@pytest.mark.parametrize("num_heads", [5, 0, -3])
def test_heads_that_do_not_fit_are_refused_with_both_numbers(x, num_heads):
    with pytest.raises(ValueError, match=rf"12.*{num_heads}"):
        split_heads(x, num_heads)


def test_the_published_figures_of_two_heads():
    torch.manual_seed(42)
    layers = [nn.Linear(4, 4, bias=False) for _ in range(3)]
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)
    project_out = nn.Linear(4, 4, bias=False)
    torch.manual_seed(42)
    nn.init.xavier_uniform_(project_out.weight)
    tokens = torch.eye(4)[:3][None]
    q, k, v = (split_heads(layer(tokens), 2) for layer in layers)
    weights = torch.softmax(q @ k.mT / math.sqrt(2), dim=-1)
    merged = merge_heads(weights @ v)
    for found, published in (
        (q[0, 0, 0], [0.4398, -0.6643]),
        (weights[0, 0, 0], [0.4005, 0.3486, 0.2509]),
        (weights[0, 1, 2], [0.4776, 0.2712, 0.2512]),
        (merged[0, 0], [-0.2697, 0.2631, -0.0389, 0.1989]),
        (project_out(merged)[0, 0], [0.1767, 0.2147, -0.3701, -0.1822]),
    ):
        torch.testing.assert_close(found, torch.tensor(published), atol=6e-5, rtol=0)


def test_heads_are_cut_as_in_pytorchs_module(x):
    theirs = nn.MultiheadAttention(12, 3, batch_first=True)
    projected = nn.functional.linear(x, theirs.in_proj_weight, theirs.in_proj_bias)
    q, k, v = (split_heads(part, 3) for part in projected.chunk(3, dim=-1))
    weights = torch.softmax(q @ k.mT / 2, dim=-1)
    output, wanted = theirs(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(weights, wanted)
    torch.testing.assert_close(theirs.out_proj(merge_heads(weights @ v)), output)
