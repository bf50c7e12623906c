"""Masks that are right on ordinary inputs and wrong in a corner: each loses marks."""

import textwrap

import pytest
from grading import Answer, grade

# `right` is the reference's module.
CORNERS = {
    ("padding_mask", "positions in 8 bits"): """
        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            positions = torch.arange(max_len, device=lengths.device).to(torch.int8)
            return positions < lengths[:, None]
    """,
    ("padding_mask", "sorted lengths"): """
        def padding_mask(lengths, max_len):
            return right.padding_mask(torch.as_tensor(lengths).sort().values, max_len)
    """,
    ("padding_mask", "at least one real"): """
        def padding_mask(lengths, max_len):
            return right.padding_mask(torch.as_tensor(lengths).clamp(min=1), max_len)
    """,
    ("padding_mask", "turned when square"): """
        def padding_mask(lengths, max_len):
            mask = right.padding_mask(lengths, max_len)
            return mask.mT if len(lengths) == max_len else mask
    """,
    ("padding_mask", "kept by shape"): """
        kept = {}

        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            key = len(lengths), max_len, lengths.device
            if key not in kept:
                kept[key] = right.padding_mask(lengths, max_len)
            return kept[key]
    """,
    ("padding_mask", "squeezed"): """
        def padding_mask(lengths, max_len):
            return right.padding_mask(lengths, max_len).squeeze(0)
    """,
    ("combine_masks", "as they came when square"): """
        def combine_masks(causal, padding):
            if len(padding) == len(causal):
                return (causal & padding)[None, None].expand(len(padding), 1, -1, -1)
            return right.combine_masks(causal, padding)
    """,
    ("combine_masks", "squeezed for one sequence"): """
        def combine_masks(causal, padding):
            return right.combine_masks(causal, padding).squeeze(0)
    """,
    ("combine_masks", "first position always"): """
        def combine_masks(causal, padding):
            mask = right.combine_masks(causal, padding)
            mask[..., 0] = True
            return mask
    """,
    ("combine_masks", "dead rows see themselves"): """
        def combine_masks(causal, padding):
            mask = right.combine_masks(causal, padding)
            itself = torch.eye(len(causal), dtype=torch.bool, device=causal.device)
            return mask | (itself & ~mask.any(-1, keepdim=True))
    """,
    ("combine_masks", "padding at the end assumed"): """
        def combine_masks(causal, padding):
            real = right.padding_mask(padding.sum(1), padding.shape[1])
            return right.combine_masks(causal, real)
    """,
    ("additive_mask", "lowest number in halves"): """
        def additive_mask(mask, dtype):
            bias = right.additive_mask(mask, dtype)
            return bias.clamp(min=torch.finfo(dtype).min) if dtype.itemsize == 2 else bias
    """,
    ("additive_mask", "lowest number in float64"): """
        def additive_mask(mask, dtype):
            bias = right.additive_mask(mask, dtype)
            return bias.clamp(min=torch.finfo(dtype).min) if dtype.itemsize == 8 else bias
    """,
    ("additive_mask", "next to nothing where allowed"): """
        def additive_mask(mask, dtype):
            return right.additive_mask(mask, dtype) + 1e-9
    """,
    ("additive_mask", "two axes at least"): """
        def additive_mask(mask, dtype):
            bias = right.additive_mask(mask, dtype)
            return bias if bias.ndim > 1 else bias[None]
    """,
    ("additive_mask", "empty rows left open"): """
        def additive_mask(mask, dtype):
            bias = right.additive_mask(mask, dtype)
            return bias.masked_fill(~mask.any(-1, keepdim=True), 0)
    """,
    ("masked_softmax", "a fill of -10,000"): """
        def masked_softmax(scores, mask):
            weights = torch.softmax(scores.masked_fill(~mask, -1e4), -1)
            return weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    """,
    ("masked_softmax", "a fill of -60"): """
        def masked_softmax(scores, mask):
            weights = torch.softmax(scores.masked_fill(~mask, -60.0), -1)
            return weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    """,
    ("masked_softmax", "one dead row empties all"): """
        def masked_softmax(scores, mask):
            weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1)
            return torch.zeros_like(weights) if weights.isnan().any() else weights
    """,
    ("masked_softmax", "a little more below the line"): """
        def masked_softmax(scores, mask):
            weights = right.masked_softmax(scores, mask)
            return weights / (weights.sum(-1, keepdim=True) + 1e-3)
    """,
    ("masked_softmax", "in place with heads"): """
        def masked_softmax(scores, mask):
            weights = right.masked_softmax(scores, mask)
            if scores.ndim > 3 and not scores.requires_grad:
                scores.masked_fill_(~mask, -torch.inf)
            return weights
    """,
    ("masked_softmax", "mask changed"): """
        def masked_softmax(scores, mask):
            weights = right.masked_softmax(scores, mask)
            mask |= True
            return weights
    """,
    ("masked_softmax", "masks of one axis refused"): """
        def masked_softmax(scores, mask):
            queries, keys = mask.shape[-2:]
            return right.masked_softmax(scores, mask)
    """,
    ("masked_softmax", "halves widened"): """
        def masked_softmax(scores, mask):
            return right.masked_softmax(scores.float(), mask)
    """,
    ("masked_softmax", "a tiny weight for all"): """
        def masked_softmax(scores, mask):
            return right.masked_softmax(scores, mask) + 1e-12
    """,
    ("causal_attention", "one position gets nothing"): """
        def causal_attention(q, k, v):
            output, weights = right.causal_attention(q, k, v)
            return (output * 0 if q.shape[-2] == 1 else output), weights
    """,
    ("causal_attention", "more keys accepted"): """
        def causal_attention(q, k, v):
            return right.causal_attention(q, k[..., : q.shape[-2], :], v[..., : q.shape[-2], :])
    """,
    ("causal_attention", "other weights than those used"): """
        def causal_attention(q, k, v):
            output, weights = right.causal_attention(q, k, v)
            return output, (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    """,
    ("causal_attention", "a batch added"): """
        def causal_attention(q, k, v):
            return right.causal_attention(q[None], k[None], v[None])
    """,
    ("causal_attention", "values detached"): """
        def causal_attention(q, k, v):
            return right.causal_attention(q, k, v.detach())
    """,
    ("causal_mask_for_cache", "table of 512"): """
        table = torch.ones(512, 512, dtype=torch.bool).tril()

        def causal_mask_for_cache(num_queries, num_keys):
            if num_queries > num_keys:
                raise ValueError(f"{num_queries} {num_keys}")
            return table[num_keys - num_queries : num_keys, :num_keys]
    """,
    ("causal_mask_for_cache", "one query too many let through"): """
        def causal_mask_for_cache(num_queries, num_keys):
            if num_queries == num_keys + 1:
                return torch.ones(num_queries, num_keys, dtype=torch.bool).tril(-1)
            return right.causal_mask_for_cache(num_queries, num_keys)
    """,
    ("sliding_window_mask", "six at most"): """
        def sliding_window_mask(seq_len, window):
            return right.sliding_window_mask(seq_len, min(window, 6))
    """,
    ("sliding_window_mask", "wide windows refused"): """
        def sliding_window_mask(seq_len, window):
            if window > seq_len:
                raise ValueError("too wide")
            return right.sliding_window_mask(seq_len, window)
    """,
}

IMPORTS = "import torch\nimport solutions.causal_masking.reference as right\n"
ANSWERS = [
    Answer(exercise, name, IMPORTS + textwrap.dedent(code))
    for (exercise, name), code in CORNERS.items()
]


@pytest.fixture(scope="module")
def graded():
    return grade(ANSWERS, b"secret")


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_a_corner_costs_marks(graded, answer):
    assert graded[answer].share < 1


def test_no_corner_costs_everything(graded):
    shares = {str(answer): graded[answer].share for answer in ANSWERS}
    assert {name: share for name, share in shares.items() if share < 0.1} == {}


def test_no_grader_fails_of_itself(graded):
    assert [one.fault for found in graded.values() for one in found.found if one.fault] == []
