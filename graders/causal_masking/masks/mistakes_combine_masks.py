"""Known mistakes in combine_masks."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, inputs, masks

EXERCISE = "combine_masks"
mistake = partial(Mistake, EXERCISE)

LINED_UP = "How does broadcasting line up (batch, seq_len) with (seq_len, seq_len)?"

padding_as_it_came = Family(
    "padding-as-it-came",
    "You combine the masks as they are, so that sequences are taken for queries.",
    LINED_UP,
)

MASK = "causal & padding[:, None, None, :]"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another combination."""
    return ((MASK, call),)


MISTAKES = (
    mistake(
        "padding-on-the-query-axis",
        "Your padding hides queries, not keys: padding can still be attended to.",
        "Whose column should be False when token 5 is padding, and does its row matter?",
        change=instead("causal & padding[:, None, :, None]"),
    ),
    mistake(
        "padding-on-both-axes",
        "Your padding hides keys, as it should, and empties the rows of padding queries as well.",
        "What does softmax give for a row with nothing in it, and who needs that row?",
        change=instead("causal & padding[:, None, None, :] & padding[:, None, :, None]"),
    ),
    mistake(
        "either-mask-allows",
        "You allow a key where one of the two masks does; both have a say.",
        "May a query attend to padding in its past? May it attend to a real token in its future?",
        change=instead(MASK.replace("&", "|")),
    ),
    mistake(
        "heads-axis-missing",
        "Your mask has no axis for the heads; it has to meet (batch, heads, queries, keys).",
        "How does broadcasting line up three axes with four?",
        change=instead("causal & padding[:, None, :]"),
    ),
    padding_as_it_came(
        EXERCISE,
        change=instead("(causal & padding)[None, None].expand(len(padding), -1, -1, -1)"),
    ),
    padding_as_it_came(
        EXERCISE,
        change=instead("(causal & padding)[None, None]"),
    ),
    mistake(
        "masks-too-few-axes",
        "You combine the masks as they are; four axes were promised.",
        LINED_UP,
        change=instead("causal & padding"),
    ),
    mistake(
        "batch-where-heads-belong",
        "Your sequences stand on the axis of the heads.",
        "Print mask.shape. Where do the scores have their batch?",
        change=instead("causal & padding[None, :, None, :]"),
    ),
    mistake(
        "batch-where-queries-belong",
        "Your sequences stand on the axis of the queries.",
        "Print mask.shape for three sequences of five tokens. Does every pair of lengths fit?",
        change=instead("causal & padding[None]"),
    ),
    mistake(
        "padding-lost",
        "Your result does not depend on the padding.",
        "Is the result of combining kept? Where does the padding enter?",
        change=instead("causal.expand(len(padding), 1, -1, -1)"),
    ),
    mistake(
        "causal-lost",
        "Your result does not depend on the causal mask.",
        "Where does the first mask enter?",
        change=instead("padding[:, None, None, :].expand(-1, -1, len(causal), -1)"),
    ),
    mistake(
        "causal-mask-made-anew",
        "You make a causal mask of your own and do not look at the one that you are given.",
        "What if the caller's mask allows less, such as a window?",
        change=instead("torch.ones_like(causal).tril() & padding[:, None, None, :]"),
    ),
    mistake(
        "padding-inverted",
        "You read the padding mask the wrong way round: True stands for a real token.",
        "Which tokens does `padding` name, the real ones or the filling?",
        change=instead("causal & ~padding[:, None, None, :]"),
    ),
    masks.mask_inverted(EXERCISE, around=MASK),
    mistake(
        "causal-transposed",
        masks.SWAPPED,
        "Row i belongs to query i. Is it still so in your result?",
        change=instead("causal.mT & padding[:, None, None, :]"),
    ),
    mistake(
        "copied-for-every-query",
        "You repeat the mask on the axis of the heads; length 1 was promised there.",
        "Does any head see another mask than the others? What does broadcasting do for you?",
        change=instead("(causal & padding[:, None, None, :]).expand(-1, len(causal), -1, -1)"),
    ),
    masks.float_mask(EXERCISE, around=MASK),
    masks.additive_mask(EXERCISE, around=MASK),
    masks.whole_number_mask(
        EXERCISE, change=instead("causal.long() * padding[:, None, None, :].long()")
    ),
    mistake(
        "masks-added-up",
        "You add the masks up, so that some entries are 2 and those of either mask count too.",
        "What is True + False, and is a key with that sum allowed by both?",
        change=instead("causal.long() + padding[:, None, None, :].long()"),
    ),
    mistake(
        "masks-compared",
        "You allow a key where both masks say the same, even if both forbid it.",
        "What does == give for False and False?",
        change=instead(MASK.replace("&", "==")),
    ),
    devices.made_on_the_cpu(
        EXERCISE,
        what="your mask",
        given="causal",
        code="""
        def combine_masks(causal, padding):
            batch, seq_len = padding.shape
            mask = torch.zeros(batch, 1, seq_len, seq_len, dtype=torch.bool)
            mask[:] = causal & padding[:, None, None, :]
            return mask
        """,
    ),
    mistake(
        "padding-changed",
        "You write into a mask that you were given, so that the caller's mask changes.",
        inputs.what_does("&="),
        code="""
        def combine_masks(causal, padding):
            both = causal & padding[:, None, None, :]
            padding &= both.any(dim=-2)[:, 0]
            causal &= both.any(dim=0)[0]
            return both
        """,
    ),
    mistake(
        "first-sequence-for-all",
        "The first sequence's padding decides for the whole batch.",
        "Each sequence has padding of its own. Which axis keeps them apart?",
        change=instead("(causal & padding[0])[None, None].repeat(len(padding), 1, 1, 1)"),
    ),
    devices.mask_through_numpy(
        EXERCISE,
        code="""
        import numpy as np

        def combine_masks(causal, padding):
            return torch.from_numpy(causal.numpy() & padding.numpy()[:, None, None, :])
        """,
    ),
)
