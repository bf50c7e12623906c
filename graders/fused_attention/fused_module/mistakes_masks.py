"""Known mistakes in FusedMultiHeadAttention about who may attend to whom."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, inputs, masks, precision, softmaxes
from graders.fused_attention.fused_module.reference_parts import (
    BOTH,
    COMBINE,
    LAST_ARGUMENT,
    by_hand,
)

EXERCISE = "FusedMultiHeadAttention"
mistake = partial(Mistake, EXERCISE)

BOTH_GIVEN = "When both are given, what should be allowed: what one of them allows, or both?"

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
    masks.is_causal_ignored(
        EXERCISE, change=((BOTH, "if False:"), (LAST_ARGUMENT, "is_causal=False\n"))
    ),
    mistake(
        "causal-only-with-a-mask",
        "You look at is_causal only where there is a mask, too.",
        "What does your module do with is_causal=True and no mask?",
        change=((LAST_ARGUMENT, "is_causal=False\n"),),
    ),
    masks.mask_ignored(
        EXERCISE, change=((BOTH, "if False:"), ("attn_mask=mask", "attn_mask=None"))
    ),
    mistake(
        "causal-lost-with-a-mask",
        "When there is a mask, your module forgets is_causal.",
        BOTH_GIVEN,
        change=((COMBINE, ""),),
    ),
    mistake(
        "mask-lost-when-causal",
        "When is_causal is set, your module forgets the mask.",
        BOTH_GIVEN,
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
    masks.mask_read_inverted(
        EXERCISE, change=((BOTH, f"mask = None if mask is None else ~mask\n        {BOTH}"),)
    ),
    masks.mask_read_inverted(
        EXERCISE,
        change=(
            (BOTH, f"mask = None if mask is None else ~mask\n        {BOTH}"),
            ("mask & torch.ones", "mask | torch.ones"),
            (".tril()", ".triu(1)"),
        ),
    ),
    masks.always_causal(EXERCISE, change=((LAST_ARGUMENT, "is_causal=mask is None\n"),)),
    masks.truth_of_a_tensor(
        EXERCISE, change=((BOTH, f"if mask:\n            mask = mask.bool()\n        {BOTH}"),)
    ),
    masks.mask_given_an_axis(
        EXERCISE,
        change=((BOTH, f"mask = None if mask is None else mask.unsqueeze(1)\n        {BOTH}"),),
    ),
    masks.mask_taken_for_the_batch(
        EXERCISE,
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
    masks.zeros_and_ones_added(
        EXERCISE,
        change=(("attn_mask=mask", "attn_mask=None if mask is None else mask.to(q.dtype)"),),
    ),
    masks.zero_times_infinity(
        EXERCISE, change=by_hand(masking="scores = scores + (~mask).to(q.dtype) * -torch.inf")
    ),
    masks.filled_with_zero(
        EXERCISE, change=by_hand(masking="scores = scores.masked_fill(~mask, 0.0)")
    ),
    masks.fill_too_soft(
        EXERCISE,
        what="forbidden positions",
        change=by_hand(masking="scores = scores.masked_fill(~mask, -20.0)"),
    ),
    precision.fill_too_large_for_float16(
        EXERCISE, change=by_hand(masking="scores = scores.masked_fill(~mask, -1e9)")
    ),
    precision.tensor_in_single_precision(
        EXERCISE,
        change=by_hand(
            masking="bias = torch.zeros(mask.shape, device=x.device)\n"
            "            scores = scores + bias.masked_fill(~mask, -torch.inf)"
        ),
    ),
    masks.masked_after_softmax(
        EXERCISE,
        change=by_hand(
            masking="pass", weights="scores.softmax(-1) * (1 if mask is None else mask)"
        ),
    ),
    masks.causal_one_step_ahead(EXERCISE, change=by_hand(causal="tril(1)")),
    masks.causal_without_itself(EXERCISE, change=by_hand(causal="tril(-1)")),
    masks.causal_transposed(EXERCISE, change=by_hand(causal="triu()")),
    mistake(
        "causal-inverted",
        "With is_causal, positions see the future only: your mask is the wrong way round.",
        "Does True in your causal mask mean allowed or forbidden?",
        change=by_hand(causal="triu(1)"),
    ),
    devices.mask_made_on_the_cpu(EXERCISE, given="x", change=((", device=x.device", ""),)),
    mistake(
        "mask-moved-to-the-cpu",
        devices.MASK_MOVED,
        devices.WHERE_THE_MASK_IS,
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
    inputs.mask_changed(
        EXERCISE, hint=inputs.what_does("&="), change=(("mask = mask & torch", "mask &= torch"),)
    ),
    softmaxes.softmax_over_queries(EXERCISE, change=by_hand(weights="scores.softmax(-2)")),
    softmaxes.no_softmax(EXERCISE, change=by_hand(weights="scores")),
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
