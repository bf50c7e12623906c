"""The Triton kernel of 05 against PyTorch's own attention, and against float64."""

import math

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F

from autograder.judging.answers import solution_module

pytest.importorskip("triton")

triton_attention = solution_module("triton_attention").triton_attention
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def numbers(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def given(queries, keys, d_k, d_v, lead=(2, 3), dtype=torch.float32):
    sizes = ((queries, d_k), (keys, d_k), (keys, d_v))
    drawn = (numbers(*lead, *size, seed=place) for place, size in enumerate(sizes))
    return [tensor.to(DEVICE, dtype) for tensor in drawn]


@pytest.mark.parametrize(("dtype", "off"), [(torch.float32, 2e-6), (torch.float16, 4e-3)])
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("sizes", [(5, 7, 6, 10), (70, 70, 20, 3), (1, 1, 1, 1), (3, 130, 33, 17)])
def test_a_kernel_gives_pytorchs_attention(sizes, is_causal, dtype, off):
    if is_causal and sizes[0] != sizes[1]:
        sizes = (sizes[1], *sizes[1:])
    q, k, v = given(*sizes, lead=(2,), dtype=dtype)
    found = triton_attention(q, k, v, is_causal=is_causal)
    wanted = F.scaled_dot_product_attention(*(t.double() for t in (q, k, v)), is_causal=is_causal)
    assert found.dtype == dtype
    assert (found.double() - wanted).abs().max() <= off


@pytest.mark.parametrize("lead", [(), (4,), (2, 1, 3)])
def test_any_leading_dimensions(lead):
    q, k, v = given(5, 7, 6, 4, lead)
    assert triton_attention(q, k, v).shape == (*lead, 5, 4)
    torch.testing.assert_close(
        triton_attention(q, k, v), F.scaled_dot_product_attention(q, k, v), atol=2e-6, rtol=0
    )


def test_transposed_views_are_read_as_what_they_show():
    q, k, v = (tensor.transpose(0, 1) for tensor in given(5, 5, 6, 6, lead=(4, 3)))
    found = triton_attention(q, k, v)
    torch.testing.assert_close(found, F.scaled_dot_product_attention(q, k, v), atol=2e-6, rtol=0)


def test_values_beyond_the_past_change_no_bit():
    q, k, v = given(70, 70, 5, 4, lead=())
    later = v.clone()
    later[40:] = 1e30
    before, after = (triton_attention(q, k, each, is_causal=True) for each in (v, later))
    assert torch.equal(before[:40], after[:40])
    assert not torch.equal(before[40:], after[40:])


def test_scores_of_thousands_stay_finite():
    k = 40.0 * torch.arange(1, 151, device=DEVICE)[:, None].expand(150, 4)
    v = torch.arange(150.0, device=DEVICE)[:, None]
    q = torch.tensor([[1.0] * 4, [-1.0] * 4], device=DEVICE)
    assert triton_attention(q, k, v).flatten().tolist() == pytest.approx([149.0, 0.0])


def test_the_row_of_the_text():
    scores = torch.tensor([[1.0], [2.0], [3.0], [0.0]], device=DEVICE)
    values = torch.tensor([[10.0], [20.0], [30.0], [40.0]], device=DEVICE)
    found = triton_attention(torch.ones(1, 1, device=DEVICE), scores, values).item()
    shares = [math.exp(score) for score in (1, 2, 3, 0)]
    wanted = sum(a * b for a, b in zip(shares, (10, 20, 30, 40), strict=True)) / sum(shares)
    assert found == pytest.approx(wanted, rel=1e-6)


def test_what_does_not_fit_is_refused():
    q, k, v = given(5, 7, 6, 4)
    with pytest.raises(ValueError, match=r"8.*6|6.*8"):
        triton_attention(q, given(5, 7, 8, 4)[1], v)
    with pytest.raises(ValueError, match=r"7.*3|3.*7"):
        triton_attention(q, k, v[..., :3, :])
