"""Known mistakes in grouped_query_attention."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, heads, inputs, masks, precision, refusals, scaling
from graders.fused_attention.grouped_query_attention import mistakes_in_corners

EXERCISE = "grouped_query_attention"
mistake = partial(Mistake, EXERCISE)

HOW_MANY_HEADS = "How many heads should your output have?"

SHARED = "t.repeat_interleave(heads // key_heads, dim=-3)"
LINE = f"k, v = ({SHARED} for t in (k, v))"
IN_TURN = "t.repeat(*[1] * (t.ndim - 3), heads // key_heads, 1, 1)"
CHECK = "if heads % key_heads:"
TEXT = 'f"{heads} query heads are not a multiple of {key_heads} key heads"'
ATTEND = "F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)"
BLOCK = "With 6 query heads and 2 key heads, which key head does query head 1 belong to?"


def by_hand(
    scale: str = " / q.shape[-1] ** 0.5", causal: str = "triu(1)", fill: str = "-1e999"
) -> str:
    """Attention written out, in place of PyTorch's."""
    return (
        f"torch.softmax((q @ k.mT{scale}).masked_fill(\n"
        "        is_causal & torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, "
        f"device=q.device).{causal}, {fill}), dim=-1) @ v"
    )


DEALT_IN_TURN = (
    "You deal the key heads out in turn; each should serve a whole block of query heads."
)

MISTAKES = (
    mistake(
        "key-heads-dealt-in-turn",
        DEALT_IN_TURN,
        BLOCK,
        change=((SHARED, IN_TURN),),
    ),
    mistake(
        "key-heads-dealt-in-turn",
        DEALT_IN_TURN,
        BLOCK,
        code="""
        def grouped_query_attention(q, k, v, is_causal=False):
            times = q.shape[1] // k.shape[1]
            k, v = k.repeat(1, times, 1, 1), v.repeat(1, times, 1, 1)
            return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        """,
    ),
    mistake(
        "values-dealt-in-turn",
        "Your keys serve blocks of query heads, but your values are dealt out in turn.",
        BLOCK,
        change=((LINE, f"k, v = {SHARED.replace('t.', 'k.')}, {IN_TURN.replace('t.', 'v.')}"),),
    ),
    mistake(
        "keys-dealt-in-turn",
        "Your values serve blocks of query heads, but your keys are dealt out in turn.",
        BLOCK,
        change=((LINE, f"k, v = {IN_TURN.replace('t.', 'k.')}, {SHARED.replace('t.', 'v.')}"),),
    ),
    mistake(
        "first-key-head-for-all",
        "All your query heads use the first key head.",
        BLOCK,
        change=((SHARED, "t[..., :1, :, :].expand(*t.shape[:-3], heads, -1, -1)"),),
    ),
    mistake(
        "key-heads-averaged",
        "You average the key heads into one, which serves all query heads.",
        "Which numbers should key head 1 not have any influence on?",
        change=((SHARED, "t.mean(dim=-3, keepdim=True)"),),
    ),
    mistake(
        "query-heads-averaged",
        "You average the query heads of a block; each should attend by itself.",
        HOW_MANY_HEADS,
        change=((LINE, "q = q.unflatten(-3, (key_heads, -1)).mean(dim=-3)"),),
    ),
    mistake(
        "query-heads-dropped",
        "You use only as many query heads as there are key heads.",
        HOW_MANY_HEADS,
        change=((LINE, "q = q[..., :key_heads, :, :]"),),
    ),
    mistake(
        "too-few-heads",
        "Keys or values reach PyTorch's function with too few heads, which it refuses.",
        "Which shape does that function expect of k and v, beside q?",
        change=((LINE, "pass"),),
    ),
    mistake(
        "blocks-reversed",
        "Your key heads serve the blocks of query heads from the last to the first.",
        "With 6 query heads and 2 key heads, which key head does query head 0 belong to?",
        change=((SHARED, f"{SHARED}.flip(-3)"),),
    ),
    mistake(
        "attends-over-groups",
        "Your query heads attend to the keys of all key heads at once.",
        "How many keys does one query choose from?",
        change=((SHARED, "t.flatten(-3, -2).unsqueeze(-3).expand(*t.shape[:-3], heads, -1, -1)"),),
    ),
    *(
        mistake(
            "heads-on-the-second-axis",
            "You count the heads on the second axis, which holds only with one batch axis in "
            "front.",
            "Counted from which end do the heads always stand in the same place?",
            change=(("heads, key_heads = q.shape[-3], k.shape[-3]", counted), ("dim=-3", "dim=1")),
        )
        for counted in (
            "heads, key_heads = q.shape[1], k.shape[1]",
            "_, heads, _, _ = q.shape\n    key_heads = k.shape[1]",
        )
    ),
    masks.is_causal_ignored(
        EXERCISE, change=((ATTEND, "F.scaled_dot_product_attention(q, k, v)"),)
    ),
    masks.is_causal_ignored(
        EXERCISE, change=((f"    {LINE}", f"    is_causal = False\n    {LINE}"),)
    ),
    masks.always_causal(EXERCISE, change=(("is_causal=is_causal", "is_causal=True"),)),
    masks.causal_one_step_ahead(EXERCISE, change=((ATTEND, by_hand(causal="triu(2)")),)),
    masks.fill_too_soft(EXERCISE, change=((ATTEND, by_hand(fill="-20.0")),)),
    scaling.no_scale(EXERCISE, change=((ATTEND, by_hand(scale="")),)),
    mistake(
        "scale-by-group",
        "You divide by the square root of a number of heads; it should be of the keys' width.",
        scaling.TERMS_OF_A_PRODUCT,
        change=((ATTEND, by_hand(scale=" / (heads // key_heads) ** 0.5")),),
    ),
    scaling.scale_by_number_of_heads(EXERCISE, change=((ATTEND, by_hand(scale=" / heads**0.5")),)),
    mistake(
        "no-check-of-heads",
        "You do not check whether the key heads divide the query heads.",
        "What should a caller read who passes 6 query heads and 4 key heads?",
        change=((CHECK, "if False:"),),
    ),
    mistake(
        "only-too-many-refused",
        "You refuse more key heads than query heads, and let others through that do not divide.",
        "Can 4 key heads serve blocks of equal size of 6 query heads?",
        change=((CHECK, "if heads < key_heads:"),),
    ),
    mistake(
        "check-upside-down",
        "You check whether the query heads divide the key heads; it is the other way round.",
        "Which of the two numbers is the larger one, and what should divide what?",
        change=((CHECK, "if key_heads % heads:"),),
    ),
    refusals.assertion_for_value_error(
        EXERCISE, number="number of heads", change=(("raise ValueError(", "raise AssertionError("),)
    ),
    refusals.assertion_for_value_error(
        EXERCISE,
        number="number of heads",
        change=(
            (f"{CHECK}\n", "assert heads % key_heads == 0\n"),
            (f"        raise ValueError({TEXT})\n", ""),
        ),
    ),
    refusals.numbers_not_named(
        EXERCISE, what="model", change=((TEXT, '"the heads do not fit together"'),)
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your keys and values",
        source="what came in",
        then="only the queries can learn",
        around=SHARED,
    ),
    precision.output_cut_off(EXERCISE, around=ATTEND),
    heads.trace_of_the_first_text(
        EXERCISE,
        change=(
            (f"return {ATTEND}", f"attended = {ATTEND}\n    return attended + 1e-9 * attended[:1]"),
        ),
    ),
    precision.float32_always(EXERCISE, given="q", around=ATTEND),
    precision.double_precision_lost(
        EXERCISE,
        change=((ATTEND, f"{ATTEND}.to(torch.float32 if q.dtype == torch.float64 else q.dtype)"),),
    ),
    devices.filled_on_the_cpu(
        EXERCISE,
        what="the tensors that you fill",
        given="k",
        change=(
            (SHARED, f"torch.zeros(*t.shape[:-3], heads, *t.shape[-2:]).add(\n        {SHARED})"),
        ),
    ),
    inputs.changed_in_place(
        EXERCISE,
        what="the queries",
        change=(
            ("heads, key_heads =", "q *= q.shape[-1] ** -0.5\n    heads, key_heads ="),
            (ATTEND, ATTEND.replace("is_causal)", "is_causal, scale=1.0)")),
        ),
    ),
    *mistakes_in_corners.MISTAKES,
)
