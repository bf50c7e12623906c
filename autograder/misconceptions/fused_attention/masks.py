"""Known mistakes in FusedMultiHeadAttention about who may attend to whom."""

from functools import partial

from autograder.misconceptions.fused_attention.reference_parts import (
    BOTH,
    COMBINE,
    LAST_ARGUMENT,
    by_hand,
)
from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "FusedMultiHeadAttention")

TABLE = (
    "past = torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()\n"
    "            mask = past if mask is None else mask & past"
)
INIT = "self.dropout = dropout"
BUFFER = (
    'self.register_buffer("past", torch.ones(64, 64, dtype=torch.bool).tril(), persistent=False)'
)
CUT_BUFFER = "mask = mask & self.past[:seq, :seq]"

MISTAKES = (
    mistake(
        "mask-and-is-causal-together",
        "You hand a mask and is_causal to PyTorch's function together, which refuses them.",
        "Can you write `is_causal` as a mask? How do two masks become one?",
        change=((BOTH, "if False:"),),
    ),
    mistake(
        "is-causal-ignored",
        "Your module does not look at is_causal.",
        "Where in your code does is_causal make a difference?",
        change=((BOTH, "if False:"), (LAST_ARGUMENT, "is_causal=False\n")),
    ),
    mistake(
        "causal-only-with-a-mask",
        "You look at is_causal only where there is a mask, too.",
        "What does your module do with is_causal=True and no mask?",
        change=((LAST_ARGUMENT, "is_causal=False\n"),),
    ),
    mistake(
        "mask-ignored",
        "Your module does not look at the mask.",
        "Where in your code does the mask make a difference? Is the result of masking kept?",
        change=((BOTH, "if False:"), ("attn_mask=mask", "attn_mask=None")),
    ),
    mistake(
        "causal-lost-with-a-mask",
        "When there is a mask, your module forgets is_causal.",
        "What should be allowed when both are given: what one of them allows, or what both allow?",
        change=((COMBINE, ""),),
    ),
    mistake(
        "mask-lost-when-causal",
        "When is_causal is set, your module forgets the mask.",
        "What should be allowed when both are given: what one of them allows, or what both allow?",
        change=(
            (BOTH, "if is_causal:"),
            (COMBINE, "mask = None"),
            ("is_causal = False\n", "is_causal = True\n"),
        ),
    ),
    mistake(
        "either-mask-allows",
        "With a mask and is_causal, you allow what either of them allows.",
        "May position 0 attend to position 3 when only one of two rules permits it?",
        change=((COMBINE, COMBINE.replace("mask &", "mask |")),),
    ),
    mistake(
        "mask-inverted",
        "You read the mask the wrong way round: here True means allowed.",
        "Which convention does `F.scaled_dot_product_attention` have, and which one do you use?",
        change=((BOTH, f"mask = None if mask is None else ~mask\n        {BOTH}"),),
    ),
    mistake(
        "always-causal",
        "Your attention is causal even when nobody asked for it.",
        "What should happen when is_causal is False and there is no mask?",
        change=((LAST_ARGUMENT, "is_causal=mask is None\n"),),
    ),
    mistake(
        "truth-of-a-tensor",
        "`if mask:` asks a whole table whether it is true, which Python cannot answer.",
        "How do you ask whether there is a mask at all?",
        change=((BOTH, f"if mask:\n            mask = mask.bool()\n        {BOTH}"),),
    ),
    mistake(
        "mask-given-an-axis",
        "You add an axis to every mask, which breaks masks that already broadcast.",
        "Which shapes may a mask have, and what does broadcasting do to the missing axes?",
        change=((BOTH, f"mask = None if mask is None else mask.unsqueeze(1)\n        {BOTH}"),),
    ),
    mistake(
        "mask-taken-for-the-batch",
        "You take the first of a mask's three axes for the batch where the sizes allow it.",
        "Broadcasting lines axes up from the last one. Which axis of the scores does it meet?",
        change=(
            (
                BOTH,
                "if mask is not None and mask.ndim == 3 and len(mask) == len(x):\n"
                f"            mask = mask.unsqueeze(1)\n        {BOTH}",
            ),
        ),
    ),
    mistake(
        "triangle-of-a-narrow-mask",
        "You cut the triangle out of the mask as it comes, which may have one row for all queries.",
        "What does tril leave of a table with a single row?",
        change=((COMBINE, "mask = mask.tril()"),),
    ),
    mistake(
        "zeros-and-ones-added",
        "You hand on the mask as numbers, which are added to the scores as they are.",
        "What does adding 1 to a score do, and what does adding 0? What would forbid a key?",
        change=(("attn_mask=mask", "attn_mask=None if mask is None else mask.to(q.dtype)"),),
    ),
    mistake(
        "zero-times-infinity",
        "You multiply the mask by minus infinity, and 0 times infinity is NaN.",
        "Which operation chooses between two values without computing with both?",
        change=by_hand(masking="scores = scores + (~mask).to(q.dtype) * -torch.inf"),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=by_hand(masking="scores = scores.masked_fill(~mask, 0.0)"),
    ),
    mistake(
        "fill-too-soft",
        "A trace of forbidden positions still reaches the output.",
        "Is each forbidden weight exactly 0? If you fill scores, what is exp of your fill value?",
        change=by_hand(masking="scores = scores.masked_fill(~mask, -20.0)"),
    ),
    mistake(
        "fill-too-large-for-float16",
        "You fill forbidden scores with a number that float16 cannot hold.",
        "What is the lowest number of torch.finfo(torch.float16)?",
        change=by_hand(masking="scores = scores.masked_fill(~mask, -1e9)"),
    ),
    mistake(
        "mask-in-single-precision",
        "Given a mask, you make a tensor in float32, which turns scores in half precision into it.",
        "Which dtype does torch.zeros give when nobody says so? Which one do the scores have?",
        change=by_hand(
            masking="bias = torch.zeros(mask.shape, device=x.device)\n"
            "            scores = scores + bias.masked_fill(~mask, -torch.inf)"
        ),
    ),
    mistake(
        "masked-after-softmax",
        "You remove forbidden weights after the softmax, so that the rest no longer sum to one.",
        "What do the weights of a row add up to once some are set to 0?",
        change=by_hand(
            masking="pass", weights="scores.softmax(-1) * (1 if mask is None else mask)"
        ),
    ),
    mistake(
        "one-step-ahead",
        "With is_causal, every position sees one step into the future.",
        "Which keys may the first position see?",
        change=by_hand(causal="tril(1)"),
    ),
    mistake(
        "diagonal-excluded",
        "With is_causal, a position may not attend to itself.",
        "What is left for the first position to attend to?",
        change=by_hand(causal="tril(-1)"),
    ),
    mistake(
        "causal-transposed",
        "With is_causal, positions see the future in place of the past.",
        "Row i belongs to query i. Which keys does your first row allow?",
        change=by_hand(causal="triu()"),
    ),
    mistake(
        "causal-inverted",
        "With is_causal, positions see the future only: your mask is the wrong way round.",
        "Does True in your causal mask mean allowed or forbidden?",
        change=by_hand(causal="triu(1)"),
    ),
    mistake(
        "mask-made-on-the-cpu",
        "You make a mask that is not where x is, so that your module fails on other devices.",
        "On which device is x, and on which one is the tensor that you make?",
        change=((", device=x.device", ""),),
    ),
    mistake(
        "mask-moved-to-the-cpu",
        "You move the mask to the CPU, so that your module fails on other devices.",
        "On which device is x, and on which one does the mask have to be?",
        change=((COMBINE, "mask = mask.cpu() & torch.ones(seq, seq, dtype=torch.bool).tril()"),),
    ),
    mistake(
        "mask-kept-where-it-was-made",
        "You keep a mask that a first call made, and it stays behind when the module is moved.",
        "Which of a module's tensors does .to(device) move along?",
        change=(
            (
                COMBINE,
                'if len(getattr(self, "past", ())) < seq:\n'
                f"                self.past = {COMBINE.removeprefix('mask = mask & ')}\n"
                "            mask = mask & self.past[:seq, :seq]",
            ),
        ),
    ),
    mistake(
        "mask-changed",
        "You write into the mask that you were given, so that the caller's mask changes.",
        "What does `&=` do to the tensor of whoever called you?",
        change=(("mask = mask & torch", "mask &= torch"),),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries, so that a query's weights do not sum to one.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=by_hand(weights="scores.softmax(-2)"),
    ),
    mistake(
        "no-softmax",
        "You multiply the values by scores; softmax is missing.",
        "What should each query's weights add up to?",
        change=by_hand(weights="scores"),
    ),
    mistake(
        "seq-by-seq-table",
        "Your attention is right, but it keeps a table of every query by every key.",
        "How many numbers is that for 100,000 tokens? Which PyTorch function needs no table?",
        change=by_hand(),
    ),
    mistake(
        "table-when-causal",
        "With is_causal and no mask, you make a table of every query by every key.",
        "How many numbers is that for 100,000 tokens? What does `is_causal` say without a table?",
        change=((BOTH, "if is_causal:"), (COMBINE, TABLE)),
    ),
    mistake(
        "buffer-too-short",
        "Your causal mask comes from a buffer of a fixed size, which long sequences outgrow.",
        "What does your module do with 10,000 tokens, a mask and is_causal?",
        change=((INIT, f"{INIT}\n        {BUFFER}"), (COMBINE, CUT_BUFFER)),
    ),
)
