"""Known mistakes in grouped_query_attention that ordinary heads do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import masks

EXERCISE = "grouped_query_attention"
mistake = partial(Mistake, EXERCISE)

SHARED = "t.repeat_interleave(heads // key_heads, dim=-3)"
IN_TURN = "t.repeat(*[1] * (t.ndim - 3), heads // key_heads, 1, 1)"
CHECK = "if heads % key_heads:"
CAUSAL = "is_causal=is_causal)"

MISTAKES = (
    mistake(
        "dealt-in-turn-to-pairs",
        "Where two query heads share a key head, you deal the key heads out in turn.",
        "With 6 query heads and 3 key heads, which two belong to key head 0?",
        change=((SHARED, f"({IN_TURN} if heads == 2 * key_heads else {SHARED})"),),
    ),
    mistake(
        "first-query-head-for-all",
        "Where there is one key head, all query heads ask what the first one asks.",
        "Which heads are shared in this exercise: those of the keys, or those of the queries?",
        change=(
            (
                CHECK,
                f"q = q[..., :1, :, :].expand_as(q) if key_heads == 1 else q\n    {CHECK}",
            ),
        ),
    ),
    mistake(
        "single-key-squeezed",
        "One key of one head loses its axes, and what is left no longer broadcasts as it should.",
        "What becomes of an axis of length 1 in your code? Try one key and one key head.",
        change=(
            (
                CHECK,
                "if k.shape[-3] == k.shape[-2] == 1:\n"
                "        k, v = k.squeeze(), v.squeeze()\n"
                f"    {CHECK}",
            ),
        ),
    ),
    *(
        masks.fill_too_soft(
            EXERCISE,
            change=(
                (
                    CAUSAL,
                    f"attn_mask={number} * q.new_ones(q.shape[-2], q.shape[-2]).triu(1)"
                    " if is_causal else None)",
                ),
            ),
        )
        for number in ("-200.0", "-2e4")
    ),
)
