"""The reference solutions of 01 against independent ones, and against published figures."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from solutions.attention_by_hand import attention_weights, scaled_scores, softmax

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
