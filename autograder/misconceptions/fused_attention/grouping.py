"""Known mistakes in grouped_query_attention."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "grouped_query_attention")

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


MISTAKES = (
    mistake(
        "key-heads-dealt-in-turn",
        "You deal the key heads out in turn; each should serve a whole block of query heads.",
        BLOCK,
        change=((SHARED, IN_TURN),),
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
        "How many heads should your output have?",
        change=((LINE, "q = q.unflatten(-3, (key_heads, -1)).mean(dim=-3)"),),
    ),
    mistake(
        "query-heads-dropped",
        "You use only as many query heads as there are key heads.",
        "How many heads should your output have?",
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
    mistake(
        "heads-on-the-second-axis",
        "You count the heads on the second axis, which holds only with one batch axis in front.",
        "Counted from which end do the heads always stand in the same place?",
        change=(
            ("q.shape[-3], k.shape[-3]", "q.shape[1], k.shape[1]"),
            ("dim=-3", "dim=1"),
        ),
    ),
    mistake(
        "is-causal-ignored",
        "Your function does not look at is_causal.",
        "Where in your code does is_causal make a difference?",
        change=((ATTEND, "F.scaled_dot_product_attention(q, k, v)"),),
    ),
    mistake(
        "always-causal",
        "Your attention is causal even when nobody asked for it.",
        "What should happen when is_causal is False?",
        change=(("is_causal=is_causal", "is_causal=True"),),
    ),
    mistake(
        "one-step-ahead",
        "With is_causal, every query sees one step into the future.",
        "Which keys may the first query see?",
        change=((ATTEND, by_hand(causal="triu(2)")),),
    ),
    mistake(
        "fill-too-soft",
        "A trace of the future still reaches the output.",
        "Is each forbidden weight exactly 0? If you fill scores, what is exp of your fill value?",
        change=((ATTEND, by_hand(fill="-20.0")),),
    ),
    mistake(
        "no-scale",
        "Your scores are not divided by the square root of the keys' width.",
        "What does PyTorch's function divide by when `scale` is left alone?",
        change=((ATTEND, by_hand(scale="")),),
    ),
    mistake(
        "scale-by-group",
        "You divide by the square root of a number of heads; it should be of the keys' width.",
        "How many terms does one dot product between a query and a key have?",
        change=((ATTEND, by_hand(scale=" / (heads // key_heads) ** 0.5")),),
    ),
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
    mistake(
        "assertion-for-value-error",
        "A bad number of heads raises AssertionError; ValueError was promised.",
        "What does Python do with assert when it runs with -O?",
        change=(("raise ValueError(", "raise AssertionError("),),
    ),
    mistake(
        "numbers-not-named",
        "Your ValueError does not say which numbers do not fit together.",
        "What would you like to read in the error when your own model fails?",
        change=((TEXT, '"the heads do not fit together"'),),
    ),
    mistake(
        "gradient-cut",
        "Your keys and values are cut off from what came in: only the queries can learn.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((SHARED, f"{SHARED}.detach()"),),
    ),
    mistake(
        "output-cut-off",
        "You cut off what is large: your output does not grow with its values.",
        "How large may an output be whose values are large? What does `clamp` do to one?",
        change=((ATTEND, f"{ATTEND}.clamp(-30, 30)"),),
    ),
    mistake(
        "trace-of-the-first-text",
        "A little of the first text of the batch comes out for the others as well.",
        "What may the output for one text depend on? Which of your indices leave out the batch?",
        change=(
            (f"return {ATTEND}", f"attended = {ATTEND}\n    return attended + 1e-9 * attended[:1]"),
        ),
    ),
    mistake(
        "float32-always",
        "Your output is float32 whatever goes in.",
        "Compare q.dtype with the dtype of your output. Where does it change?",
        change=((ATTEND, f"{ATTEND}.float()"),),
    ),
    mistake(
        "made-on-the-cpu",
        "You fill tensors that are made on the CPU in float32, whatever k and v are.",
        "Where does torch.zeros put its tensor, and with which dtype, when nobody says so?",
        change=(
            (SHARED, f"torch.zeros(*t.shape[:-3], heads, *t.shape[-2:]).add(\n        {SHARED})"),
        ),
    ),
    mistake(
        "changed-in-place",
        "Your code changes the keys or values that it was given.",
        "Which of your operations end in an underscore or write into an argument?",
        change=(("heads, key_heads =", "q *= 1.5\n    heads, key_heads ="),),
    ),
)
