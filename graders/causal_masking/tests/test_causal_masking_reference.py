"""The reference solutions of 03 against independent ones, and against published figures."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.attention.bias import causal_lower_right
from torch.nn.functional import scaled_dot_product_attention

from solutions.causal_masking.reference import (
    additive_mask,
    causal_attention,
    causal_mask,
    causal_mask_for_cache,
    combine_masks,
    masked_softmax,
    padding_mask,
    sliding_window_mask,
)

# (dtype, largest error against float64)
PRECISIONS = [
    (torch.float64, 1e-12),
    (torch.float32, 1e-5),
    (torch.bfloat16, 0.05),
    (torch.float16, 0.005),
]
precisions = pytest.mark.parametrize(("dtype", "tolerance"), PRECISIONS)
MASK_SHAPES = [(7,), (5, 7), (3, 1, 7), (2, 1, 1, 7), (2, 1, 5, 7), (2, 3, 5, 7)]


@pytest.fixture
def numbers():
    return torch.Generator().manual_seed(5)


def some_allowed(numbers, *shape):
    """A mask at random whose rows all allow the first key."""
    mask = torch.rand(shape, generator=numbers) < 0.5
    mask[..., 0] = True
    return mask


@pytest.mark.parametrize("seq_len", [1, 2, 7])
def test_the_mask_is_the_opposite_of_the_upper_triangle(seq_len):
    forbidden = torch.triu(torch.ones(seq_len, seq_len), diagonal=1).bool()
    assert torch.equal(causal_mask(seq_len), ~forbidden)


def test_the_mask_does_what_is_causal_does(numbers):
    q, k, v = torch.randn(3, 2, 5, 6, generator=numbers)
    torch.testing.assert_close(
        scaled_dot_product_attention(q, k, v, attn_mask=causal_mask(5)),
        scaled_dot_product_attention(q, k, v, is_causal=True),
    )


def test_the_mask_is_made_where_the_caller_says():
    assert causal_mask(4, device="meta").device.type == "meta"


def test_without_a_device_torchs_default_counts():
    with torch.device("meta"):
        assert causal_mask(4).device.type == "meta"


@pytest.mark.parametrize("kind", [list, torch.tensor, lambda n: torch.tensor(n, dtype=torch.int32)])
def test_padding_is_what_comes_after_the_real_tokens(kind):
    mask = padding_mask(kind([2, 0, 4, 9]), 4)
    assert mask.tolist() == [[j < n for j in range(4)] for n in (2, 0, 4, 9)]


def test_the_padding_mask_is_on_the_device_of_the_lengths():
    lengths = torch.empty(3, dtype=torch.long, device="meta")
    assert padding_mask(lengths, 5).device.type == "meta"


def test_combined_masks_are_one_statement_and_the_other():
    causal, padding = np.tri(5, dtype=bool), np.array([[1, 1, 1, 0, 0], [0, 1, 1, 0, 1]]) == 1
    wanted = np.logical_and(causal[None, None], padding[:, None, None])
    found = combine_masks(torch.from_numpy(causal), torch.from_numpy(padding))
    np.testing.assert_array_equal(found.numpy(), wanted)


def test_combined_masks_do_what_pytorchs_module_does_with_two(numbers):
    theirs = nn.MultiheadAttention(12, 3, batch_first=True)
    x = torch.randn(2, 5, 12, generator=numbers)
    padding = padding_mask([3, 5], 5)
    wanted, _ = theirs(x, x, x, attn_mask=~causal_mask(5), key_padding_mask=~padding)
    parts = nn.functional.linear(x, theirs.in_proj_weight, theirs.in_proj_bias).chunk(3, dim=-1)
    q, k, v = (part.unflatten(-1, (3, 4)).transpose(1, 2) for part in parts)
    weights = masked_softmax(q @ k.mT / 2, combine_masks(causal_mask(5), padding))
    found = theirs.out_proj((weights @ v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(found, wanted)


@precisions
def test_an_additive_mask_does_what_a_boolean_one_does(numbers, dtype, tolerance):
    scores = torch.randn(2, 5, 7, generator=numbers).to(dtype)
    mask = some_allowed(numbers, 2, 5, 7)
    bias = additive_mask(mask, dtype)
    assert bias.dtype == dtype
    assert sorted(set(bias.flatten().tolist())) == [-math.inf, 0.0]
    found = torch.softmax(scores + bias, dim=-1)
    torch.testing.assert_close(found, masked_softmax(scores, mask), atol=tolerance, rtol=0)


@pytest.mark.parametrize("shape", MASK_SHAPES)
@precisions
def test_masked_weights_equal_the_formula_forward_and_backward(numbers, shape, dtype, tolerance):
    scores, upstream = torch.randn(2, 2, 3, 5, 7, generator=numbers, dtype=torch.float64)
    mask = some_allowed(numbers, *shape)
    shares = scores.exp() * mask
    wanted = shares / shares.sum(dim=-1, keepdim=True)
    mean = (wanted * upstream).sum(dim=-1, keepdim=True)  # the softmax's Jacobian, by hand
    leaf = scores.to(dtype).requires_grad_()
    weights = masked_softmax(leaf, mask)
    weights.backward(upstream.to(dtype))
    assert weights.dtype == leaf.grad.dtype == dtype
    torch.testing.assert_close(weights.double(), wanted, atol=tolerance, rtol=0)
    gradient = wanted * (upstream - mean)
    torch.testing.assert_close(leaf.grad.double(), gradient, atol=2 * tolerance, rtol=0)
    assert bool((weights[~mask.expand_as(weights)] == 0).all())


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("dtype", [dtype for dtype, _ in PRECISIONS])
def test_a_row_with_nothing_allowed_is_zero_and_so_is_its_gradient(numbers, dtype):
    scores = torch.randn(3, 4, generator=numbers).to(dtype).requires_grad_()
    mask = torch.tensor([[True, True, False, False], [False] * 4, [True] * 4])
    with torch.autograd.detect_anomaly(check_nan=True):  # no NaN in between either
        weights = masked_softmax(scores, mask)
        weights.backward(torch.ones(3, 4, dtype=dtype).cumsum(-1))
    assert weights[1].tolist() == scores.grad[1].tolist() == [0, 0, 0, 0]
    assert not bool(weights.isnan().any() or scores.grad.isnan().any())
    torch.testing.assert_close(weights.sum(-1), torch.tensor([1, 0, 1], dtype=dtype))


def test_one_hot_tokens_give_the_published_weights_under_a_mask():
    weights = masked_softmax(torch.eye(3), causal_mask(3))
    wanted = torch.tensor([[1, 0, 0], [0.2689, 0.7311, 0], [0.2119, 0.2119, 0.5761]])
    torch.testing.assert_close(weights, wanted, atol=5e-5, rtol=0)


@precisions
def test_causal_attention_is_pytorchs_forward_and_backward(numbers, dtype, tolerance):
    inputs = [torch.randn(2, 3, 5, width, generator=numbers) for width in (6, 6, 10)]
    upstream = torch.randn(2, 3, 5, 10, generator=numbers).to(dtype)
    ours, theirs = ([part.to(dtype).requires_grad_() for part in inputs] for _ in range(2))
    output, weights = causal_attention(*ours)
    wanted = scaled_dot_product_attention(*theirs, is_causal=True)
    assert output.dtype == weights.dtype == dtype
    torch.testing.assert_close(output, wanted, atol=tolerance, rtol=tolerance)
    for found, other in zip(
        torch.autograd.grad(output, ours, upstream),
        torch.autograd.grad(wanted, theirs, upstream),
        strict=True,
    ):
        torch.testing.assert_close(found, other, atol=2 * tolerance, rtol=2 * tolerance)


def test_changing_the_future_leaves_the_past_bit_identical(numbers):
    x = torch.randn(2, 6, 4, generator=numbers)
    changed = x.clone()
    changed[:, 3:] = 1e30
    for before, after in zip(
        causal_attention(x, x, x), causal_attention(changed, changed, changed), strict=True
    ):
        assert torch.equal(before[:, :3], after[:, :3])


def test_other_numbers_of_keys_are_refused_with_both_numbers():
    with pytest.raises(ValueError, match=r"5.*7"):
        causal_attention(torch.zeros(5, 6), torch.zeros(7, 6), torch.zeros(7, 6))


@pytest.mark.parametrize(("num_queries", "num_keys"), [(1, 6), (2, 6), (6, 6)])
def test_a_mask_for_a_cache_is_the_end_of_the_causal_mask(num_queries, num_keys):
    wanted = causal_mask(num_keys)[-num_queries:]
    assert torch.equal(causal_mask_for_cache(num_queries, num_keys), wanted)


def test_a_mask_for_a_cache_does_what_pytorchs_bottom_right_mask_does(numbers):
    q, k, v = torch.randn(3, 2, 7, 6, generator=numbers)
    bias = causal_lower_right(3, 7)
    torch.testing.assert_close(
        scaled_dot_product_attention(q[:, -3:], k, v, attn_mask=causal_mask_for_cache(3, 7)),
        scaled_dot_product_attention(q[:, -3:], k, v, attn_mask=bias),
    )


def test_more_queries_than_keys_are_refused_with_both_numbers():
    with pytest.raises(ValueError, match=r"5.*3"):
        causal_mask_for_cache(5, 3)


@pytest.mark.parametrize(("seq_len", "window"), [(1, 1), (7, 1), (7, 3), (4, 9)])
def test_a_window_is_a_band_below_the_diagonal(seq_len, window):
    ones = np.ones((seq_len, seq_len), dtype=bool)
    wanted = np.tril(ones) & np.triu(ones, 1 - window)
    np.testing.assert_array_equal(sliding_window_mask(seq_len, window).numpy(), wanted)
