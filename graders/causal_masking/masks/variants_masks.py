"""Right answers to padding_mask, combine_masks, causal_mask_for_cache and sliding_window_mask."""

from functools import partial

from autograder.bank import Variant

padding = partial(Variant, "padding_mask")
combine = partial(Variant, "combine_masks")
cache = partial(Variant, "causal_mask_for_cache")
window = partial(Variant, "sliding_window_mask")

PADDING = (
    padding(
        "positions repeated for every sequence",
        """
        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            positions = torch.arange(max_len, device=lengths.device).expand(len(lengths), -1)
            return torch.lt(positions, lengths.unsqueeze(1))
        """,
    ),
    padding(
        "a loop over sequences",
        """
        def padding_mask(lengths, max_len):
            device = lengths.device if isinstance(lengths, torch.Tensor) else None
            mask = torch.zeros(len(lengths), max_len, dtype=torch.bool, device=device)
            for row, length in enumerate(lengths):
                mask[row, :length] = True
            return mask
        """,
    ),
    padding(
        "lists",
        """
        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            rows = [[j < n for j in range(max_len)] for n in lengths.tolist()]
            return torch.tensor(rows, device=lengths.device)
        """,
    ),
    padding(
        "the padding inverted",
        """
        def padding_mask(lengths, max_len):
            if not torch.is_tensor(lengths):
                lengths = torch.tensor(lengths)
            filling = torch.arange(max_len, device=lengths.device)[None] >= lengths.view(-1, 1)
            return ~filling
        """,
    ),
    padding(
        "a running sum, and a check of its own result",
        """
        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            ones = torch.ones(lengths.shape[0], max_len, device=lengths.device)
            mask = ones.cumsum(dim=1) <= lengths[:, None]
            assert mask.sum() <= lengths.sum()
            return mask
        """,
    ),
    padding(
        "other names and more arguments",
        """
        def padding_mask(sizes, width, *, left=False):
            sizes = sizes if isinstance(sizes, torch.Tensor) else torch.tensor(sizes)
            columns = torch.arange(width, device=sizes.device)
            if left:
                return columns >= width - sizes[:, None]
            return columns[None, :] < sizes[:, None]
        """,
    ),
)

COMBINE = (
    combine(
        "logical_and of unsqueezed masks",
        """
        def combine_masks(causal, padding):
            return torch.logical_and(
                causal.unsqueeze(0).unsqueeze(0), padding.unsqueeze(1).unsqueeze(2)
            )
        """,
    ),
    combine(
        "a product of masks",
        """
        def combine_masks(causal, padding):
            batch, seq_len = padding.shape
            return causal.view(1, 1, seq_len, seq_len) * padding.view(batch, 1, 1, seq_len)
        """,
    ),
    combine(
        "masked_fill of the causal mask",
        """
        def combine_masks(causal, padding):
            seq_len = causal.shape[0]
            mask = causal.expand(len(padding), 1, seq_len, seq_len)
            return mask.masked_fill(~padding[:, None, None], False)
        """,
    ),
    combine(
        "where",
        """
        def combine_masks(causal, padding):
            return torch.where(padding[:, None, None, :], causal, torch.zeros_like(causal))
        """,
    ),
    combine(
        "a loop over sequences",
        """
        def combine_masks(causal, padding):
            return torch.stack([causal & row for row in padding]).unsqueeze(1)
        """,
    ),
    combine(
        "either forbids",
        """
        def combine_masks(causal, padding):
            return ~(~causal | ~padding[:, None, None])
        """,
    ),
    combine(
        "einsum",
        """
        def combine_masks(causal, padding):
            both = torch.einsum("ij,bj->bij", causal.float(), padding.float())
            return both[:, None].bool()
        """,
    ),
    combine(
        "other names and more arguments",
        """
        def combine_masks(first, real, *others):
            mask = first[None, None] & real[:, None, None]
            for other in others:
                mask = mask & other
            return mask
        """,
    ),
)

REFUSE = """
    if num_queries > num_keys:
        raise ValueError(f"num_queries={num_queries}, num_keys={num_keys}")
"""

CACHE = (
    cache(
        "positions compared",
        f"""
def causal_mask_for_cache(num_queries, num_keys):{REFUSE}
    query = torch.arange(num_keys - num_queries, num_keys)
    return torch.arange(num_keys) <= query[:, None]
""",
    ),
    cache(
        "the last rows of the square",
        f"""
def causal_mask_for_cache(num_queries, num_keys):{REFUSE}
    return causal_mask(num_keys)[-num_queries:]
""",
    ),
    cache(
        "the cache beside a square",
        f"""
def causal_mask_for_cache(num_queries, num_keys, device=None):{REFUSE}
    cached = torch.ones(num_queries, num_keys - num_queries, dtype=torch.bool, device=device)
    return torch.cat([cached, causal_mask(num_queries, device)], dim=1)
""",
    ),
    cache(
        "not triu",
        """
def causal_mask_for_cache(num_queries, num_keys):
    past = num_keys - num_queries
    if past < 0:
        raise ValueError(f"{num_queries} > {num_keys}")
    return torch.triu(torch.ones(num_queries, num_keys), diagonal=past + 1) == 0
""",
    ),
    cache(
        "a loop over rows",
        """
class TooManyQueries(ValueError):
    pass

def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise TooManyQueries(f"{num_queries} queries, {num_keys} keys")
    mask = torch.zeros(num_queries, num_keys).bool()
    for i in range(num_queries):
        mask[i, : num_keys - num_queries + i + 1] = True
    return mask
""",
    ),
    cache(
        "a helper, other names and more arguments",
        f"""
def _offset(new, all_of_them):
    return all_of_them - new

def causal_mask_for_cache(num_queries, num_keys, device=None, dtype=torch.bool):{REFUSE}
    i = torch.arange(num_queries, device=device).unsqueeze(1)
    j = torch.arange(num_keys, device=device).unsqueeze(0)
    return (j - i <= _offset(num_queries, num_keys)).to(dtype)
""",
    ),
)

WINDOW = (
    window(
        "two triangles",
        """
        def sliding_window_mask(seq_len, window):
            return torch.ones(seq_len, seq_len, dtype=torch.bool).tril().triu(1 - window)
        """,
    ),
    window(
        "the causal mask and a band",
        """
        def sliding_window_mask(seq_len, window):
            p = torch.arange(seq_len)
            return causal_mask(seq_len) & (p[None, :] > p[:, None] - window)
        """,
    ),
    window(
        "a causal mask less an older one",
        """
        def sliding_window_mask(seq_len, window, device=None):
            ones = torch.ones(seq_len, seq_len, device=device)
            return (ones.tril() - ones.tril(-window)).bool()
        """,
    ),
    window(
        "a loop over rows",
        """
        def sliding_window_mask(seq_len, window):
            mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
            for i in range(seq_len):
                mask[i, max(0, i - window + 1) : i + 1] = True
            return mask
        """,
    ),
    window(
        "lists",
        """
        def sliding_window_mask(seq_len, window):
            return torch.tensor(
                [[i - window < j <= i for j in range(seq_len)] for i in range(seq_len)]
            )
        """,
    ),
    window(
        "other names and more arguments",
        """
        def sliding_window_mask(n, width, causal=True, device=None):
            p = torch.arange(n, device=device)
            back = p.view(-1, 1) - p.view(1, -1)
            near = back.abs() < width
            return near & (back >= 0) if causal else near
        """,
    ),
)

VARIANTS = (*PADDING, *COMBINE, *CACHE, *WINDOW)
