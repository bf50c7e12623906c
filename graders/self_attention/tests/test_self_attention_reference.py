"""The reference solutions of 02 against PyTorch's own attention, and against published figures."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from solutions.self_attention.reference import (
    RepairedAttention,
    SelfAttention,
    project_qkv,
    scaled_dot_product_attention,
)

# (dtype, largest error against float64)
PRECISIONS = [
    (torch.float64, 1e-12),
    (torch.float32, 1e-5),
    (torch.bfloat16, 0.06),
    (torch.float16, 0.008),
]
precisions = pytest.mark.parametrize(("dtype", "tolerance"), PRECISIONS)
modules = pytest.mark.parametrize("module", [SelfAttention, RepairedAttention])


@pytest.fixture
def numbers():
    return torch.Generator().manual_seed(5)


@pytest.fixture
def published():
    """Three matrices as the published notebook makes them, and its three words."""
    layers = [nn.Linear(4, 4, bias=False) for _ in range(3)]
    torch.manual_seed(42)
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)
    return torch.eye(4)[:3], *(layer.weight.detach().T for layer in layers)


def drawn(numbers, *shape, dtype=torch.float64):
    return torch.randn(*shape, generator=numbers, dtype=torch.float64).to(dtype)


def near(found, exact, tolerance):
    torch.testing.assert_close(found.detach().double(), exact, atol=tolerance, rtol=tolerance)


@precisions
def test_projections_equal_einsums_forward_and_backward(numbers, dtype, tolerance):
    x = drawn(numbers, 2, 5, 11) / 3
    matrices = [drawn(numbers, 11, wide) for wide in (6, 6, 10)]
    leaves = [part.to(dtype, copy=True).requires_grad_() for part in (x, *matrices)]
    found = project_qkv(*leaves)
    for part, matrix in zip(found, matrices, strict=True):
        near(part, torch.from_numpy(np.einsum("bsd,de->bse", x.numpy(), matrix.numpy())), tolerance)
        assert part.dtype == dtype
    upstream = [drawn(numbers, *part.shape, dtype=dtype) for part in found]
    torch.autograd.backward(found, upstream)
    for leaf, up in zip(leaves[1:], upstream, strict=True):
        near(leaf.grad, torch.einsum("bsd,bse->de", x, up.double()), 4 * tolerance)


@precisions
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_pytorchs_forward_and_backward(numbers, dtype, tolerance, masked):
    q, k, v = (drawn(numbers, 2, 3, n, wide) for n, wide in ((5, 6), (7, 6), (7, 10)))
    mask = drawn(numbers, 5, 7) > 0 if masked else None
    if masked:
        mask[:, 0] = True
    upstream = drawn(numbers, 2, 3, 5, 10)
    ours = [part.to(dtype, copy=True).requires_grad_() for part in (q, k, v)]
    exact = [part.clone().requires_grad_() for part in (q, k, v)]
    output, weights = scaled_dot_product_attention(*ours, mask)
    theirs = F.scaled_dot_product_attention(*exact, attn_mask=mask)
    output.backward(upstream.to(dtype))
    theirs.backward(upstream)
    assert output.dtype == weights.dtype == dtype
    near(output, theirs.detach(), tolerance)
    near(weights, weights_of(q, k, mask), tolerance)
    for one, other in zip(ours, exact, strict=True):
        near(one.grad, other.grad, 3 * tolerance)


def weights_of(q, k, mask):
    scores = np.einsum("bhqd,bhkd->bhqk", q.numpy(), k.numpy()) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask.numpy(), scores, -np.inf)
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return torch.from_numpy(exponentials / exponentials.sum(-1, keepdims=True))


def test_a_forbidden_weight_is_exactly_zero(numbers):
    q, k, v = (drawn(numbers, 4, wide, dtype=torch.float32) for wide in (3, 3, 2))
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    _, weights = scaled_dot_product_attention(q, k, v, mask)
    assert torch.equal(weights != 0, mask)


def test_published_scores_weights_and_output_come_out(published):
    q, k, v = project_qkv(*published)
    scores = torch.tensor([0.0241, -0.3740, 0.0564])
    torch.testing.assert_close((q @ k.T / 2)[0], scores, atol=5e-5, rtol=0)
    output, weights = scaled_dot_product_attention(q, k, v)
    wanted = [[0.3698, 0.2483, 0.3819], [0.4255, 0.3111, 0.2634], [0.2928, 0.2659, 0.4413]]
    torch.testing.assert_close(weights, torch.tensor(wanted), atol=5e-5, rtol=0)
    row = torch.tensor([0.1756, 0.2598, 0.1669, 0.2820])
    torch.testing.assert_close(output[0], row, atol=5e-5, rtol=0)


def test_the_worked_example_has_a_direction():
    x = torch.tensor([[1.0, 0, 2], [0, 1, 1]])
    w_q, w_k = torch.tensor([[1.0, 0], [0, 1], [1, 1]]), torch.tensor([[0.0, 1], [1, 0], [0, 1]])
    q, k, v = project_qkv(x, w_q, w_k, torch.tensor([[2.0], [1], [0]]))
    assert (q.tolist(), k.tolist(), v.tolist()) == (
        [[3, 2], [1, 2]],
        [[0, 3], [1, 1]],
        [[2], [1]],
    )
    assert (w_q @ w_k.T).tolist() == [[0, 1, 0], [1, 0, 1], [1, 1, 1]]
    assert (q @ k.T).tolist() == (x @ w_q @ w_k.T @ x.T).tolist() == [[6, 5], [6, 3]]


@modules
def test_a_module_gives_the_published_figures(module, published):
    x, *matrices = published
    attention = module(4, 4, 4)
    names = ("w_q.weight", "w_k.weight", "w_v.weight")
    attention.load_state_dict({n: m.T for n, m in zip(names, matrices, strict=True)})
    output, weights = attention(x)
    assert weights[0].tolist() == pytest.approx([0.3698, 0.2483, 0.3819], abs=5e-5)
    assert output[0].tolist() == pytest.approx([0.1756, 0.2598, 0.1669, 0.2820], abs=5e-5)


@modules
@precisions
def test_one_head_of_pytorchs_module_gives_the_same(module, numbers, dtype, tolerance):
    x, mask = drawn(numbers, 3, 5, 8), torch.ones(5, 5, dtype=torch.bool).tril()
    theirs = nn.MultiheadAttention(8, 1, bias=True, batch_first=True).double()
    nn.init.normal_(theirs.in_proj_bias, generator=numbers)
    theirs.out_proj.load_state_dict({"weight": torch.eye(8), "bias": torch.zeros(8)})
    ours = module(8, 8, 8, bias=True).double()
    parts = ("weight", "bias")
    for kind in parts:
        packed = getattr(theirs, f"in_proj_{kind}").detach()
        for name, part in zip(("w_q", "w_k", "w_v"), packed.chunk(3), strict=True):
            getattr(getattr(ours, name), kind).data.copy_(part)
    wanted, shares = theirs(x, x, x, attn_mask=~mask)
    output, weights = ours.to(dtype)(x.to(dtype), mask)
    near(output, wanted.detach(), tolerance)
    near(weights, shares.detach(), tolerance)


@modules
def test_parameters_are_counted_as_the_text_says(module):
    assert sum(p.numel() for p in module(16, 4, 6).parameters()) == 16 * (4 + 4 + 6)
    assert sum(p.numel() for p in module(16, 4, 6, bias=True).parameters()) == 17 * (4 + 4 + 6)


def test_the_broken_class_is_wrong_in_the_three_ways_promised(published):
    from solutions.self_attention.broken import RepairedAttention as Broken

    attention, x = Broken(8, 2, 3), torch.randn(2, 5, 8)
    result = attention(x)
    assert isinstance(result, torch.Tensor)
    assert attention.scale == math.sqrt(8)
    scores = attention.w_q(x) @ attention.w_k(x).mT / attention.scale
    torch.testing.assert_close(result, scores.softmax(-2) @ attention.w_v(x))
