"""Known mistakes in split_heads and merge_heads that ordinary sizes do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners

SPLIT, MERGE = "split_heads", "merge_heads"
splitting, merging = partial(Mistake, SPLIT), partial(Mistake, MERGE)

HEADS = "per_head.transpose(1, 2)"
MERGED = "x.transpose(1, 2).flatten(2)"
CHECK = "if num_heads < 1 or d_model % num_heads:"
ONE_TOKEN = "a text of one token"

SPLIT_HEADS = (
    corners.axes_of_one_lost(SPLIT, single=ONE_TOKEN, change=((HEADS, f"{HEADS}.squeeze(2)"),)),
    splitting(
        "one-head-without-an-axis",
        "With a single head, what comes back has no axis for heads.",
        "Which shape does the docstring promise when num_heads is 1?",
        change=((f"return {HEADS}", f"return x if num_heads == 1 else {HEADS}"),),
    ),
    splitting(
        "reversed-beyond-three-heads",
        "With more than three heads, yours come in reverse.",
        "Which features should head 0 hold, with two heads and with four?",
        change=((f"return {HEADS}", f"y = {HEADS}\n    return y.flip(1) if num_heads > 3 else y"),),
    ),
    corners.not_moved_when_as_many(
        SPLIT,
        diagnosis="Where there are as many heads as tokens, you leave the two axes as they are.",
        change=((f"return {HEADS}", f"return per_head if x.shape[1] == num_heads else {HEADS}"),),
    ),
    splitting(
        "more-heads-than-features",
        "More heads than there are features fall through your check.",
        "What is left of 4 % 8 in Python?",
        change=((CHECK, "if num_heads < 1 or (d_model > num_heads and d_model % num_heads):"),),
    ),
    corners.order_of_memory_assumed(
        SPLIT,
        given="x",
        change=(
            (
                "per_head = ",
                "if not x.is_contiguous():\n"
                "        order = sorted(range(3), key=lambda axis: -x.stride(axis))\n"
                "        x = x.permute(order).reshape(x.shape)\n"
                "    per_head = ",
            ),
        ),
    ),
)

MERGE_HEADS = (
    corners.axes_of_one_lost(MERGE, single=ONE_TOKEN, change=((MERGED, f"{MERGED}.squeeze()"),)),
    corners.axes_of_one_lost(MERGE, single=ONE_TOKEN, change=((MERGED, f"{MERGED}.squeeze(1)"),)),
    corners.not_moved_when_as_many(
        MERGE,
        code="""
        def merge_heads(x):
            b, h, s, d = x.shape
            return (x if h == s else x.transpose(1, 2)).reshape(b, s, h * d)
        """,
    ),
    corners.order_of_memory_assumed(
        MERGE,
        given="the heads",
        code="""
        def merge_heads(x):
            b, h, s, d = x.shape
            return x.as_strided((b, s, h, d), (h * s * d, d, s * d, 1)).reshape(b, s, h * d)
        """,
    ),
    merging(
        "large-numbers-cut-off",
        "You cut off numbers that are large; joining heads changes none.",
        "What does joining do to a number of 1000? What does `clamp` do to it?",
        change=((MERGED, f"{MERGED}.clamp(-100, 100)"),),
    ),
    merging(
        "heads-of-one-feature-not-moved",
        "Heads of one feature each are joined without moving an axis.",
        "Which number of a token comes first when each head holds one?",
        code="""
        def merge_heads(x):
            if x.shape[-1] == 1:
                return x.reshape(len(x), x.shape[2], -1)
            return x.transpose(1, 2).flatten(2)
        """,
    ),
)

MISTAKES = SPLIT_HEADS + MERGE_HEADS
