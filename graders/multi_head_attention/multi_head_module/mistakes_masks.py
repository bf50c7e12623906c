"""Known mistakes in MultiHeadAttention about who may attend to whom, and how much."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, inputs, masks, precision, scaling, softmaxes
from graders.multi_head_attention.multi_head_module.reference_parts import (
    FILL,
    IF_MASK,
    RETURN,
    SCORES,
    WEIGHTS,
)

EXERCISE = "MultiHeadAttention"
mistake = partial(Mistake, EXERCISE)

MISTAKES = (
    masks.mask_read_inverted(EXERCISE, change=((FILL, FILL.replace("~mask", "mask")),)),
    masks.mask_ignored(EXERCISE, change=((FILL, "scores.masked_fill(~mask, -math.inf)"),)),
    masks.filled_with_zero(EXERCISE, change=((FILL, FILL.replace("-math.inf", "0.0")),)),
    masks.fill_too_soft(
        EXERCISE, what="forbidden positions", change=((FILL, FILL.replace("-math.inf", "-20.0")),)
    ),
    precision.fill_too_large_for_float16(
        EXERCISE, change=((FILL, FILL.replace("-math.inf", "-1e9")),)
    ),
    precision.tensor_in_single_precision(
        EXERCISE,
        change=(
            ("class MultiHeadAttention", "import torch\n\nclass MultiHeadAttention"),
            (
                FILL,
                "bias = torch.zeros(mask.shape, device=x.device)\n"
                "            scores = scores + bias.masked_fill(~mask, -math.inf)",
            ),
        ),
    ),
    masks.masked_after_softmax(
        EXERCISE, change=((FILL, "pass"), (WEIGHTS, f"{WEIGHTS} * (1 if mask is None else mask)"))
    ),
    masks.zeros_and_ones_added(EXERCISE, change=((FILL, "scores = scores + mask"),)),
    masks.zero_times_infinity(
        EXERCISE, change=((FILL, "scores = scores + (~mask).to(scores.dtype) * -math.inf"),)
    ),
    masks.truth_of_a_tensor(EXERCISE, change=((IF_MASK, "if mask:"),)),
    masks.mask_given_an_axis(
        EXERCISE, change=((FILL, FILL.replace("~mask", "~mask.unsqueeze(1)")),)
    ),
    masks.mask_taken_for_the_batch(
        EXERCISE,
        change=(
            (
                FILL,
                "if mask.ndim == 3 and len(mask) == len(x):\n"
                f"                mask = mask.unsqueeze(1)\n            {FILL}",
            ),
        ),
    ),
    mistake(
        "mask-turned",
        "You swap queries and keys in the mask.",
        "Row i of a mask belongs to query i. Does your code keep it so?",
        change=((FILL, FILL.replace("~mask", "~mask.mT")),),
    ),
    mistake(
        "mask-on-the-cpu",
        devices.MASK_MOVED,
        devices.WHERE_THE_MASK_IS,
        change=((FILL, FILL.replace("~mask", "~mask.cpu()")),),
    ),
    inputs.mask_changed(EXERCISE, change=((FILL, FILL.replace("~mask", "mask.logical_not_()")),)),
    scaling.no_scale(EXERCISE, change=((SCORES, "q @ k.mT"),)),
    scaling.scale_by_d_model(EXERCISE, change=((SCORES, "q @ k.mT / math.sqrt(x.shape[-1])"),)),
    scaling.scale_without_root_of_a_head(EXERCISE, change=((SCORES, "q @ k.mT / q.shape[-1]"),)),
    scaling.multiplied_by_root(
        EXERCISE, width="the width", change=((SCORES, "q @ k.mT * math.sqrt(q.shape[-1])"),)
    ),
    scaling.scale_by_number_of_heads(
        EXERCISE, change=((SCORES, "q @ k.mT / math.sqrt(self.num_heads)"),)
    ),
    scaling.scale_by_length(
        EXERCISE,
        width="the width of a head",
        change=((SCORES, "q @ k.mT / math.sqrt(x.shape[1])"),),
    ),
    scaling.constant_scale_of_heads(EXERCISE, change=((SCORES, "q @ k.mT / 8"),)),
    softmaxes.softmax_over_queries(EXERCISE, change=((WEIGHTS, "scores.softmax(dim=-2)"),)),
    mistake(
        "softmax-over-heads",
        "Your softmax runs over the heads, so that heads compete for each pair of tokens.",
        softmaxes.ONE_WHOLE,
        change=((WEIGHTS, "scores.softmax(dim=1)"),),
    ),
    softmaxes.no_softmax(EXERCISE, change=((WEIGHTS, "scores"),)),
    mistake(
        "softmax-twice",
        "Your weights have been through softmax twice.",
        "Softmax of shares makes them nearly even. How often does it stand in your code?",
        change=((WEIGHTS, "scores.softmax(dim=-1).softmax(dim=-1)"),),
    ),
    softmaxes.log_softmax(EXERCISE, change=((WEIGHTS, "scores.log_softmax(dim=-1)"),)),
    masks.always_causal(
        EXERCISE,
        hint="Which keys may a position attend to when there is no mask?",
        change=(
            (
                WEIGHTS,
                "(scores + scores.new_full(x.shape[1:2] * 2, -math.inf).triu(1)).softmax(dim=-1)",
            ),
        ),
    ),
    mistake(
        "weights-before-the-mask",
        "The weights that you return know nothing of the mask.",
        "Are the weights that you return those that the values were multiplied by?",
        change=(
            (IF_MASK, f"unmasked = scores.softmax(dim=-1)\n        {IF_MASK}"),
            (RETURN, RETURN.replace(", weights", ", unmasked")),
        ),
    ),
    mistake(
        "weights-turned",
        "You swap queries and keys in the weights that you return.",
        "Row i of the weights belongs to query i. What should it sum to?",
        change=((RETURN, RETURN.replace(", weights", ", weights.mT")),),
    ),
    softmaxes.exponentials_unbounded(
        EXERCISE, change=((WEIGHTS, "(shares := scores.exp()) / shares.sum(dim=-1, keepdim=True)"),)
    ),
    mistake(
        "scores-for-weights",
        "The second value that you return holds scores; weights were promised.",
        "What do the rows of your second value sum to?",
        change=((RETURN, RETURN.replace(", weights", ", scores")),),
    ),
)
