"""What an ordinary course asserts of each exercise: fixed inputs, and the values expected there.

Each function is one graded cell for nbgrader (its body), one hidden test for otter, and one call
in the process of the floor; its argument is the student's function, by its name.
"""


def test_causal_mask(causal_mask):
    """Values, dtype and shape for several lengths."""
    import torch

    for seq_len in (1, 2, 5, 9):
        mask = causal_mask(seq_len)
        assert mask.dtype == torch.bool
        assert mask.shape == (seq_len, seq_len)
        assert torch.equal(mask, torch.ones(seq_len, seq_len, dtype=torch.bool).tril())


def test_padding_mask(padding_mask):
    """A tensor and a list of lengths, one of them longer than the batch is."""
    import torch

    expected = [[True, True, False, False], [True] * 4, [False] * 4]
    mask = padding_mask(torch.tensor([2, 4, 0]), 4)
    assert mask.dtype == torch.bool
    assert mask.tolist() == expected
    assert padding_mask([2, 7, 0], 4).tolist() == expected


def test_combine_masks(combine_masks):
    """Against the rule, element by element, for two sequences and three heads."""
    import torch

    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    padding = torch.tensor([[True, True, True, False], [True, True, False, False]])
    mask = combine_masks(causal, padding)
    assert mask.dtype == torch.bool
    whole = torch.broadcast_to(mask, (2, 3, 4, 4))
    for b in range(2):
        for i in range(4):
            for j in range(4):
                assert whole[b, 1, i, j] == (j <= i and bool(padding[b, j]))


def test_additive_mask(additive_mask):
    """Exactly 0 and exactly minus infinity, in two dtypes."""
    import torch

    mask = torch.tensor([[True, False, False], [True, True, False]])
    for dtype in (torch.float32, torch.float16):
        added = additive_mask(mask, dtype)
        assert added.dtype == dtype
        assert added.shape == mask.shape
        assert (added[mask] == 0).all()
        assert (added[~mask] == -torch.inf).all()


def test_masked_softmax(masked_softmax):
    """Against a softmax over the allowed keys alone, and zeros where there is none."""
    import torch

    torch.manual_seed(0)
    scores = torch.randn(2, 4, 4)
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    mask[2] = False
    weights = masked_softmax(scores, mask)
    assert weights.shape == scores.shape
    assert not weights.isnan().any()
    for i in range(4):
        expected = torch.zeros(2, 4)
        if i != 2:
            expected[:, : i + 1] = torch.softmax(scores[:, i, : i + 1], dim=-1)
        torch.testing.assert_close(weights[:, i], expected)


def test_causal_attention(causal_attention):
    """Against PyTorch's own, and the weights' rows and zeros; and a refusal."""
    import torch

    torch.manual_seed(0)
    q, k, v = torch.randn(2, 5, 6), torch.randn(2, 5, 6), torch.randn(2, 5, 3)
    output, weights = causal_attention(q, k, v)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(output, expected)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 5))
    assert (weights.triu(1) == 0).all()
    try:
        causal_attention(q, k[:, :4], v[:, :4])
    except ValueError:
        pass
    else:
        raise AssertionError("more queries than keys were accepted")


def test_causal_mask_for_cache(causal_mask_for_cache):
    """Against the last rows of the whole mask; and a refusal."""
    import torch

    for queries, keys in ((1, 4), (3, 5), (4, 4)):
        mask = causal_mask_for_cache(queries, keys)
        assert mask.dtype == torch.bool
        whole = torch.ones(keys, keys, dtype=torch.bool).tril()
        assert torch.equal(mask, whole[-queries:])
    try:
        causal_mask_for_cache(5, 3)
    except ValueError:
        pass
    else:
        raise AssertionError("more queries than keys were accepted")
