"""The reference solutions of 03 against independent ones."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from solutions.causal_masking import causal_mask


@pytest.mark.parametrize("seq_len", [1, 2, 7])
def test_the_mask_is_the_opposite_of_the_upper_triangle(seq_len):
    forbidden = torch.triu(torch.ones(seq_len, seq_len), diagonal=1).bool()
    assert torch.equal(causal_mask(seq_len), ~forbidden)


def test_the_mask_does_what_is_causal_does():
    q, k, v = torch.randn(3, 2, 5, 6, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(
        scaled_dot_product_attention(q, k, v, attn_mask=causal_mask(5)),
        scaled_dot_product_attention(q, k, v, is_causal=True),
    )


def test_the_mask_is_made_where_the_caller_says():
    assert causal_mask(4, device="meta").device.type == "meta"


def test_without_a_device_torchs_default_counts():
    with torch.device("meta"):
        assert causal_mask(4).device.type == "meta"
