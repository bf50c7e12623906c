"""The other references of 05 against PyTorch's functions and NumPy, and the figures of its text."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from torch import nn

from solutions.fused_attention.reference import (
    FusedMultiHeadAttention,
    decode_step,
    fuse_qkv,
    fused_from_projections,
    grouped_query_attention,
    tiled_attention,
)

TOLERANCES = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.bfloat16: 0.04,
    torch.float16: 0.006,
}
dtypes = pytest.mark.parametrize("dtype", TOLERANCES, ids=str)


def numbers(*shape, dtype=torch.float64, seed=1):
    return torch.randn(*shape, dtype=torch.float64, generator=seeded(seed)).to(dtype)


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def agree(found, wanted, dtype, factor=1):
    tolerance = factor * TOLERANCES[dtype]
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), wanted.double(), atol=tolerance, rtol=tolerance)


@dtypes
def test_one_product_gives_three(dtype):
    x = numbers(4, 6, dtype=dtype)
    three = [numbers(6, 6, dtype=dtype, seed=seed) for seed in (2, 3, 4)]
    found = x @ fuse_qkv(*three).mT
    agree(found, torch.cat([x @ weight.mT for weight in three], dim=-1), dtype, factor=4)


def test_the_rows_of_the_text_make_its_numbers():
    turn = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    made = fuse_qkv(torch.eye(2), turn, 2 * torch.eye(2)) @ torch.tensor([3.0, 5.0])
    assert made.tolist() == [3, 5, 5, 3, 6, 10]


def projections(bias, dtype=torch.float64):
    torch.manual_seed(5)
    return [nn.Linear(12, 12, bias=bias, dtype=dtype) for _ in range(4)]


@dtypes
@pytest.mark.parametrize("bias", [True, False])
def test_projections_carried_over_answer_as_pytorchs_module(dtype, bias):
    layers, x = projections(bias, dtype), numbers(2, 5, 12, dtype=dtype)
    theirs = nn.MultiheadAttention(12, 3, bias=bias, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers[:3]]))
        theirs.out_proj.weight.copy_(layers[3].weight)
        if bias:
            theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers[:3]]))
            theirs.out_proj.bias.copy_(layers[3].bias)
    wide = x.double()
    wanted, _ = theirs(wide, wide, wide)
    agree(fused_from_projections(*layers, 3)(x), wanted, dtype)


def test_the_module_shares_nothing_with_the_projections():
    layers = projections(bias=True)
    before = [layer.weight.clone() for layer in layers]
    module = fused_from_projections(*layers, 4)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.zero_()
    assert all(torch.equal(*pair) for pair in zip(before, [a.weight for a in layers], strict=True))


@dtypes
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("block_size", [1, 2, 3, 7, 12])
def test_every_block_size_equals_pytorchs_function(block_size, is_causal, dtype):
    keys = 7 if is_causal else 9
    given = [numbers(2, 3, n, d, seed=n + d) for n, d in ((7, 6), (keys, 6), (keys, 4))]
    ours = [tensor.to(dtype).requires_grad_() for tensor in given]
    theirs = [tensor.detach().double().requires_grad_() for tensor in ours]
    found = tiled_attention(*ours, block_size, is_causal=is_causal)
    wanted = F.scaled_dot_product_attention(*theirs, is_causal=is_causal)
    agree(found, wanted, dtype)
    upstream = numbers(*found.shape, seed=9)
    gradients = torch.autograd.grad(found, ours, upstream.to(dtype))
    expected = torch.autograd.grad(wanted, theirs, upstream)
    for one, other in zip(gradients, expected, strict=True):
        agree(one, other, dtype, factor=4)


def test_tiles_of_the_text_give_its_average():
    scores, values = torch.tensor([1.0, 2.0, 3.0, 0.0]), torch.tensor([10.0, 20.0, 30.0, 40.0])
    found = tiled_attention(torch.ones(1, 1), scores[:, None], values[:, None], 2)
    shares = np.exp(scores.numpy()) / np.exp(scores.numpy()).sum()
    assert found.item() == pytest.approx(float(shares @ values.numpy()), rel=1e-6)
    assert round(found.item(), 3) == 26.209


def test_the_table_of_the_text_is_what_the_formulas_give():
    total = output = 0.0
    highest, table = -math.inf, []
    for scores, values in (((1, 2), (10, 20)), ((3, 0), (30, 40))):
        higher = max(highest, *scores)
        factor = math.exp(highest - higher)
        terms = [math.exp(score - higher) for score in scores]
        total = factor * total + sum(terms)
        output = factor * output + sum(t * v for t, v in zip(terms, values, strict=True))
        highest = higher
        table.append(tuple(round(n, 3) for n in (higher, factor, total, output)))
    assert table == [(2, 0.0, 1.368, 23.679), (3, 0.368, 1.553, 40.702)]


def test_scores_of_any_size_stay_finite():
    k = torch.tensor([[-5e3], [5e3], [1e4], [0.0]])
    for block_size in (1, 2, 3):
        found = tiled_attention(torch.ones(1, 1), k, torch.arange(4.0)[:, None], block_size)
        assert found.item() == 2


def test_no_tile_makes_a_table():
    largest = 0

    class Sizes(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            nonlocal largest
            result = function(*args, **(kwargs or {}))
            if isinstance(result, torch.Tensor):
                largest = max(largest, result.numel())
            return result

    x = torch.randn(257, 4)
    with Sizes():
        tiled_attention(x, x, x, 16, is_causal=True)
    assert largest <= 257 * 16


@dtypes
def test_steps_equal_the_full_causal_pass(dtype):
    torch.manual_seed(2)
    attention = FusedMultiHeadAttention(12, 3).to(dtype)
    x, cache, steps = numbers(2, 6, 12, dtype=dtype), None, []
    for now in range(6):
        y, cache = decode_step(attention, x[:, now : now + 1], cache)
        assert [part.shape for part in cache] == [(2, 3, now + 1, 4)] * 2
        steps.append(y)
    agree(torch.cat(steps, dim=1), attention(x, is_causal=True), dtype)
    keys = attention.qkv(x)[..., 12:24].unflatten(-1, (3, 4)).transpose(1, 2)
    agree(cache[0], keys, dtype)


def test_gradients_of_steps_are_those_of_the_full_pass():
    torch.manual_seed(2)
    attention = FusedMultiHeadAttention(8, 2).double()
    x = numbers(2, 4, 8).requires_grad_()
    cache, steps = None, []
    for now in range(4):
        y, cache = decode_step(attention, x[:, now : now + 1], cache)
        steps.append(y)
    upstream = numbers(2, 4, 8, seed=7)
    (found,) = torch.autograd.grad(torch.cat(steps, dim=1), x, upstream)
    (wanted,) = torch.autograd.grad(attention(x, is_causal=True), x, upstream)
    agree(found, wanted, torch.float64)


def test_a_step_leaves_its_cache_alone():
    attention = FusedMultiHeadAttention(8, 2)
    _, cache = decode_step(attention, torch.randn(1, 1, 8))
    before = [part.clone() for part in cache]
    decode_step(attention, torch.randn(1, 1, 8), cache)
    assert all(torch.equal(*pair) for pair in zip(before, cache, strict=True))


def test_the_steps_of_the_text_give_its_outputs():
    outputs = []
    for count in (1, 2, 3):
        k, v = (torch.tensor(t[:count])[:, None] for t in ([0.0, 1.0, 0.0], [4.0, 8.0, 5.0]))
        outputs.append(F.scaled_dot_product_attention(torch.ones(1, 1), k, v).item())
    assert outputs == pytest.approx([4, 6.9242, 6.5164], abs=5e-5)


@dtypes
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("key_heads", [1, 2, 3, 6])
def test_groups_equal_pytorchs_own(key_heads, is_causal, dtype):
    keys = 5 if is_causal else 7
    given = [numbers(2, h, n, 8, seed=h) for h, n in ((6, 5), (key_heads, keys), (key_heads, keys))]
    ours = [tensor.to(dtype).requires_grad_() for tensor in given]
    theirs = [tensor.detach().double().requires_grad_() for tensor in ours]
    found = grouped_query_attention(*ours, is_causal=is_causal)
    wanted = F.scaled_dot_product_attention(*theirs, is_causal=is_causal, enable_gqa=True)
    agree(found, wanted, dtype)
    gradients = torch.autograd.grad(found.sum(), ours)
    expected = torch.autograd.grad(wanted.sum(), theirs)
    for one, other in zip(gradients, expected, strict=True):
        agree(one, other, dtype, factor=4)


@pytest.mark.parametrize(("heads", "key_heads"), [(6, 4), (3, 6)])
def test_key_heads_that_do_not_divide_are_refused_with_both_numbers(heads, key_heads):
    q, k = torch.ones(heads, 5, 8), torch.ones(key_heads, 5, 8)
    with pytest.raises(ValueError, match=f"{heads}.*{key_heads}"):
        grouped_query_attention(q, k, k)


def test_nothing_is_tied_to_a_device():
    q = torch.empty(2, 6, 5, 8, device="meta")
    assert tiled_attention(q, q, q, 2, is_causal=True).is_meta
    assert grouped_query_attention(q, q[:, :3], q[:, :3], is_causal=True).is_meta
    attention = FusedMultiHeadAttention(8, 2).to("meta")
    y, cache = decode_step(attention, q[:, 0, :1])
    assert y.is_meta
    assert all(part.is_meta for part in cache)
    layers = [nn.Linear(6, 6, device="meta") for _ in range(4)]
    assert fused_from_projections(*layers, 3).qkv.weight.is_meta


def test_the_memory_of_the_text():
    assert 32 * 4096**2 * 2 == 2**30
    assert [32 * n * 128 * 2 // 2**20 for n in (4096, 16384, 65536)] == [32, 128, 512]
    assert 2 * 32 * 4096 * 2 * 32768 == 16 * 2**30
    assert sum(range(1001)) == 500_500
    assert sum(n * n for n in range(1001)) == 333_833_500
