"""The reference solutions of 01 against independent ones, and against published figures."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from solutions.attention_by_hand.reference import (
    attention_weights,
    dot_product_scores,
    scaled_scores,
    simple_attention,
    softmax,
    weighted_values,
)

# (dtype, largest error against float64)
PRECISIONS = [
    (torch.float64, 1e-12),
    (torch.float32, 1e-5),
    (torch.bfloat16, 0.05),
    (torch.float16, 0.005),
]
precisions = pytest.mark.parametrize(("dtype", "tolerance"), PRECISIONS)


@pytest.fixture
def numbers():
    return torch.Generator().manual_seed(5)


@pytest.mark.parametrize("axis", [-1, 0, 1, 2, -2])
@pytest.mark.parametrize(("dtype", "tolerance"), [("f8", 1e-14), ("f4", 1e-6), ("f2", 2e-3)])
def test_softmax_equals_torchs_on_any_axis(numbers, axis, dtype, tolerance):
    x = torch.randn(2, 3, 5, generator=numbers, dtype=torch.float64).numpy()
    shares = softmax(x.astype(dtype), axis=axis)
    assert shares.dtype == dtype
    wanted = torch.softmax(torch.from_numpy(x.astype(dtype)).double(), dim=axis)
    np.testing.assert_allclose(shares, wanted.numpy(), atol=tolerance)


def test_softmax_of_two_one_zero_is_as_worked_out_by_hand():
    np.testing.assert_allclose(softmax(np.array([2.0, 1, 0])), [0.6652, 0.2447, 0.0900], atol=5e-5)


def test_softmax_survives_scores_of_ten_thousand():
    shares = softmax(np.array([1e4, 1e4 - 1, -1e4]))
    np.testing.assert_allclose(shares, [1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0])


def test_softmax_leaves_its_input_alone():
    x = np.arange(6.0).reshape(2, 3)
    softmax(x, axis=0)
    np.testing.assert_array_equal(x, np.arange(6.0).reshape(2, 3))


@precisions
def test_dot_products_equal_einsums_forward_and_backward(numbers, dtype, tolerance):
    q = torch.randn(2, 3, 5, 6, generator=numbers, dtype=torch.float64)
    k = torch.randn(2, 3, 7, 6, generator=numbers, dtype=torch.float64)
    upstream = torch.randn(2, 3, 5, 7, generator=numbers, dtype=torch.float64)
    wanted = np.einsum("bhqd,bhkd->bhqk", q.numpy(), k.numpy())
    leaves = [part.to(dtype, copy=True).requires_grad_() for part in (q, k)]
    scores = dot_product_scores(*leaves)
    scores.backward(upstream.to(dtype))
    assert scores.dtype == dtype
    assert_near(scores, torch.from_numpy(wanted), tolerance)
    assert_near(leaves[0].grad, torch.einsum("bhqk,bhkd->bhqd", upstream, k), tolerance)
    assert_near(leaves[1].grad, torch.einsum("bhqk,bhqd->bhkd", upstream, q), tolerance)


def test_the_small_table_is_as_worked_out_by_hand():
    tokens = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]])
    wanted = torch.tensor([[2.0, 0, 1], [0, 2, 1], [1, 1, 2]])
    torch.testing.assert_close(dot_product_scores(tokens, tokens), wanted, atol=0, rtol=0)
    torch.testing.assert_close(scaled_scores(tokens, tokens), wanted / 2, atol=0, rtol=0)


@precisions
def test_scaled_scores_equal_dot_products_one_by_one(numbers, dtype, tolerance):
    q = torch.randn(2, 5, 6, generator=numbers, dtype=torch.float64)
    k = torch.randn(2, 7, 6, generator=numbers, dtype=torch.float64)
    wanted = torch.zeros(2, 5, 7, dtype=torch.float64)
    for batch, query, key in np.ndindex(2, 5, 7):
        wanted[batch, query, key] = sum(q[batch, query] * k[batch, key]) / 6**0.5
    scores = scaled_scores(q.to(dtype), k.to(dtype))
    assert scores.dtype == dtype
    torch.testing.assert_close(scores.double(), wanted, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(("width", "spread"), [(64, 8.0), (512, 22.6)])
def test_dot_products_spread_as_the_root_of_the_width(numbers, width, spread):
    q, k = torch.randn(2, 200, width, generator=numbers)
    assert (q @ k.T).std().item() == pytest.approx(spread, rel=0.03)
    assert scaled_scores(q, k).std().item() == pytest.approx(1, rel=0.03)


def test_one_hot_tokens_give_the_published_weights():
    weights = attention_weights(torch.eye(4)[:3] @ torch.eye(4)[:3].T)
    wanted = torch.tensor(
        [[0.5761, 0.2119, 0.2119], [0.2119, 0.5761, 0.2119], [0.2119, 0.2119, 0.5761]]
    )
    torch.testing.assert_close(weights, wanted, atol=5e-5, rtol=0)


@precisions
def test_weights_equal_the_formula_forward_and_backward(numbers, dtype, tolerance):
    scores = torch.randn(2, 3, 5, 7, generator=numbers, dtype=torch.float64)
    upstream = torch.randn(2, 3, 5, 7, generator=numbers, dtype=torch.float64)
    wanted = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    mean = (wanted * upstream).sum(dim=-1, keepdim=True)  # the softmax's Jacobian, by hand
    leaf = scores.to(dtype).requires_grad_()
    weights = attention_weights(leaf)
    weights.backward(upstream.to(dtype))
    assert weights.dtype == leaf.grad.dtype == dtype
    torch.testing.assert_close(weights.double(), wanted, atol=tolerance, rtol=0)
    gradient = wanted * (upstream - mean)
    torch.testing.assert_close(leaf.grad.double(), gradient, atol=tolerance, rtol=0)


@precisions
def test_together_they_are_pytorchs_attention(numbers, dtype, tolerance):
    q = torch.randn(2, 3, 5, 6, generator=numbers, dtype=dtype).requires_grad_()
    k = torch.randn(2, 3, 7, 6, generator=numbers, dtype=dtype).requires_grad_()
    v = torch.randn(2, 3, 7, 10, generator=numbers, dtype=dtype)
    upstream = torch.randn(2, 3, 5, 10, generator=numbers, dtype=dtype)
    ours = attention_weights(scaled_scores(q, k)) @ v
    theirs = scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=tolerance)
    for one, other in zip(
        torch.autograd.grad(ours, (q, k), upstream),
        torch.autograd.grad(theirs, (q, k), upstream),
        strict=True,
    ):
        torch.testing.assert_close(one, other, atol=2 * tolerance, rtol=2 * tolerance)


@precisions
def test_weighted_values_equal_einsums_forward_and_backward(numbers, dtype, tolerance):
    weights = torch.randn(2, 3, 5, 7, generator=numbers, dtype=torch.float64).softmax(-1)
    v = torch.randn(2, 3, 7, 10, generator=numbers, dtype=torch.float64)
    upstream = torch.randn(2, 3, 5, 10, generator=numbers, dtype=torch.float64)
    wanted = np.einsum("bhqk,bhkd->bhqd", weights.numpy(), v.numpy())
    leaves = [part.to(dtype, copy=True).requires_grad_() for part in (weights, v)]
    output = weighted_values(*leaves)
    output.backward(upstream.to(dtype))
    assert output.dtype == dtype
    assert_near(output, torch.from_numpy(wanted), tolerance)
    assert_near(leaves[0].grad, torch.einsum("bhqd,bhkd->bhqk", upstream, v), tolerance)
    assert_near(leaves[1].grad, torch.einsum("bhqk,bhqd->bhkd", weights, upstream), tolerance)


def test_two_averages_are_as_worked_out_by_hand():
    weights = torch.tensor([[0.5, 0, 0.5], [0.25, 0.5, 0.25]])
    values = torch.tensor([[4.0, 0], [0, 8], [2, 2]])
    wanted = torch.tensor([[3.0, 1], [1.5, 4.5]])
    torch.testing.assert_close(weighted_values(weights, values), wanted, atol=0, rtol=0)


@precisions
def test_simple_attention_is_pytorchs_without_a_scale(numbers, dtype, tolerance):
    x = torch.randn(2, 3, 5, 6, generator=numbers, dtype=torch.float64) / 2
    upstream = torch.randn(2, 3, 5, 6, generator=numbers, dtype=torch.float64)
    leaf, exact = x.to(dtype, copy=True).requires_grad_(), x.clone().requires_grad_()
    output, weights = simple_attention(leaf)
    theirs = scaled_dot_product_attention(exact, exact, exact, scale=1.0)
    output.backward(upstream.to(dtype))
    theirs.backward(upstream)
    assert output.dtype == weights.dtype == dtype
    assert_near(output, theirs.detach(), tolerance)
    assert_near(leaf.grad, exact.grad, 4 * tolerance)
    torch.testing.assert_close(
        weights.double().sum(-1), torch.ones(2, 3, 5).double(), atol=0.02, rtol=0
    )


def test_simple_attention_of_one_hot_tokens_gives_the_published_output():
    output, weights = simple_attention(torch.eye(4)[:3])
    wanted = torch.tensor(
        [[0.5761, 0.2119, 0.2119, 0], [0.2119, 0.5761, 0.2119, 0], [0.2119, 0.2119, 0.5761, 0]]
    )
    torch.testing.assert_close(output, wanted, atol=5e-5, rtol=0)
    torch.testing.assert_close(weights, wanted[:, :3], atol=5e-5, rtol=0)
    assert (output[0] @ output[1]).item() == pytest.approx(0.2891, abs=5e-5)


def assert_near(found, exact, tolerance):
    torch.testing.assert_close(found.detach().double(), exact, atol=tolerance, rtol=tolerance)
