"""The reference MultiHeadAttention and to_torch_mask against PyTorch's, and published figures."""

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from torch import nn

from solutions.multi_head_attention.reference import MultiHeadAttention, split_heads, to_torch_mask

WIDTH, HEADS, BATCH, SEQ = 12, 3, 2, 5
TOLERANCES = [
    (torch.float64, 1e-12),
    (torch.float32, 1e-5),
    (torch.bfloat16, 0.03),
    (torch.float16, 0.004),
]
dtypes = pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCES)


def twins(dtype=torch.float32, bias=True):
    """The reference and PyTorch's module with the same weights."""
    torch.manual_seed(3)
    ours = MultiHeadAttention(WIDTH, HEADS, bias=bias).to(dtype)
    theirs = nn.MultiheadAttention(WIDTH, HEADS, bias=bias, batch_first=True).to(dtype)
    projections = (ours.w_q, ours.w_k, ours.w_v)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in projections]))
        if bias:
            theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in projections]))
        theirs.out_proj.load_state_dict(ours.w_o.state_dict())
    return ours, theirs


def tokens(dtype=torch.float32):
    numbers = torch.Generator().manual_seed(1)
    return torch.randn(BATCH, SEQ, WIDTH, generator=numbers).to(dtype)


def a_mask(*shape):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(2)) < 0.5
    return mask | (torch.arange(shape[-1]) == 0)  # key 0 is open to all, so that no row is empty


@pytest.mark.parametrize("bias", [True, False])
@dtypes
def test_it_equals_pytorchs_module_forward_and_backward(dtype, tolerance, bias):
    ours, theirs = twins(dtype, bias)
    mask = a_mask(SEQ, SEQ)
    x, other = (tokens(dtype).requires_grad_() for _ in range(2))
    output, weights = ours(x, mask)
    wanted, wanted_weights = theirs(
        other, other, other, attn_mask=to_torch_mask(mask), average_attn_weights=False
    )
    assert output.dtype == weights.dtype == dtype
    torch.testing.assert_close(output, wanted, atol=tolerance, rtol=tolerance)
    torch.testing.assert_close(weights, wanted_weights, atol=tolerance, rtol=tolerance)
    output.sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(x.grad, other.grad, atol=8 * tolerance, rtol=8 * tolerance)
    ours_grad = torch.cat([layer.weight.grad for layer in (ours.w_q, ours.w_k, ours.w_v)])
    torch.testing.assert_close(
        ours_grad, theirs.in_proj_weight.grad, atol=16 * tolerance, rtol=16 * tolerance
    )


@pytest.mark.parametrize(
    "shape", [(SEQ, SEQ), (HEADS, SEQ, SEQ), (BATCH, 1, 1, SEQ), (BATCH, HEADS, SEQ, SEQ)]
)
def test_a_mask_broadcasts_as_in_pytorchs_function(shape):
    ours, _ = twins()
    x, mask = tokens(), a_mask(*shape)
    q, k, v = (split_heads(layer(x), HEADS) for layer in (ours.w_q, ours.w_k, ours.w_v))
    attended = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    wanted = ours.w_o(attended.transpose(1, 2).reshape(x.shape))
    torch.testing.assert_close(ours(x, mask)[0], wanted)


@pytest.mark.parametrize("argument", ["attn_mask", "key_padding_mask"])
def test_a_translated_mask_means_the_same_to_pytorchs_module(argument):
    ours, theirs = twins()
    x = tokens()
    mask = a_mask(SEQ, SEQ) if argument == "attn_mask" else a_mask(BATCH, SEQ)
    own = mask if argument == "attn_mask" else mask[:, None, None]
    wanted, _ = theirs(x, x, x, **{argument: to_torch_mask(mask)})
    torch.testing.assert_close(ours(x, own)[0], wanted)


def test_our_causal_mask_untranslated_gives_the_last_token_nan():
    _, theirs = twins()
    x = tokens()
    output, _ = theirs(x, x, x, attn_mask=torch.ones(SEQ, SEQ, dtype=torch.bool).tril())
    assert output[:, -1].isnan().all()
    assert not output[:, :-1].isnan().any()


def test_forbidden_weights_are_exactly_zero():
    ours, _ = twins()
    mask = a_mask(SEQ, SEQ)
    _, weights = ours(tokens(), mask)
    assert (weights[..., ~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(BATCH, HEADS, SEQ))


@pytest.mark.parametrize("num_heads", [5, 0, -3])
def test_heads_that_do_not_fit_are_refused_with_both_numbers(num_heads):
    with pytest.raises(ValueError, match=f"12.*{num_heads}"):
        MultiHeadAttention(WIDTH, num_heads)


def test_the_published_figures_of_two_heads_and_their_output():
    torch.manual_seed(42)
    layers = [nn.Linear(4, 4, bias=False) for _ in range(3)]
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)
    last = nn.Linear(4, 4, bias=False)
    torch.manual_seed(42)
    nn.init.xavier_uniform_(last.weight)
    attention = MultiHeadAttention(4, 2, bias=False)
    attention.w_q, attention.w_k, attention.w_v, attention.w_o = (*layers, last)
    output, weights = attention(torch.eye(4)[:3][None])
    for found, published in (
        (weights[0, 0, 0], [0.4005, 0.3486, 0.2509]),
        (weights[0, 1, 2], [0.4776, 0.2712, 0.2512]),
        (output[0, 0], [0.1767, 0.2147, -0.3701, -0.1822]),
    ):
        torch.testing.assert_close(found, torch.tensor(published), atol=6e-5, rtol=0)


def test_the_published_figures_of_a_new_module():
    first = nn.Linear(4, 4, bias=False)
    torch.manual_seed(42)
    nn.init.xavier_uniform_(first.weight)
    _, weights = MultiHeadAttention(4, 2, bias=False)(torch.eye(4)[:3][None])
    published = torch.tensor(
        [
            [[0.365, 0.319, 0.316], [0.340, 0.330, 0.330], [0.322, 0.323, 0.354]],
            [[0.329, 0.349, 0.322], [0.309, 0.386, 0.305], [0.349, 0.305, 0.346]],
        ]
    )
    torch.testing.assert_close(weights[0], published, atol=6e-4, rtol=0)
    assert weights[0].argmax(-1).tolist() == [[0, 0, 2], [1, 1, 0]]
