"""Known mistakes in scaled_dot_product_attention about the mask."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, inputs, masks, precision
from graders.self_attention.scaled_dot_product_attention.formula_parts import (
    MASKED,
    SCORES,
    masked,
    without_mask,
)

EXERCISE = "scaled_dot_product_attention"
mistake = partial(Mistake, EXERCISE)

MISTAKES = (
    masks.mask_read_inverted(
        EXERCISE, change=masked("scores = scores.masked_fill(mask, -math.inf)")
    ),
    masks.mask_ignored(EXERCISE, change=masked("pass")),
    masks.mask_ignored_in_a_batch(
        EXERCISE,
        given="q",
        change=(("if mask is not None:", "if mask is not None and q.ndim == 2:"),),
    ),
    masks.filled_with_zero(EXERCISE, change=masked("scores = scores.masked_fill(~mask, 0.0)")),
    mistake(
        "filled-with-tiny",
        "You fill in a tiny number, which is nearly 0; a score of 0 is no refusal.",
        "Is 1e-9 far below the other scores, or in their midst?",
        change=masked("scores = scores.masked_fill(~mask, 1e-3)"),
    ),
    masks.filled_with_minus_twenty(
        EXERCISE, change=masked("scores = scores.masked_fill(~mask, -20.0)")
    ),
    precision.fill_too_large_for_half_precision(
        EXERCISE, change=masked("scores = scores.masked_fill(~mask, -1e9)")
    ),
    precision.fill_too_large_for_half_precision(
        EXERCISE,
        change=masked("scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)"),
    ),
    precision.mask_in_single_precision(
        EXERCISE,
        change=masked(
            "bias = torch.zeros(mask.shape, device=mask.device)",
            "scores = scores + bias.masked_fill(~mask, -math.inf)",
        ),
    ),
    mistake(
        "mask-added",
        "You add the mask to the scores, as 1 where it allows and 0 where it forbids.",
        "By which factor does adding 1 change a share? By which one should it change?",
        change=masked("scores = scores + mask"),
    ),
    masks.mask_after_softmax(
        EXERCISE, change=without_mask("weights = weights.masked_fill(~mask, 0.0)")
    ),
    masks.renormalised_after_softmax(
        EXERCISE,
        what="a forbidden score",
        change=without_mask(
            "weights = weights * mask",
            "weights = weights / weights.sum(dim=-1, keepdim=True)",
        ),
    ),
    masks.renormalised_after_softmax(
        EXERCISE,
        what="a forbidden score",
        change=without_mask(
            "weights = weights.masked_fill(~mask, 0.0)",
            "weights = weights / (weights.sum(dim=-1, keepdim=True) + 1e-9)",
        ),
    ),
    mistake(
        "infinity-after-softmax",
        "You fill in minus infinity after the softmax, where it comes out as an average.",
        "Which numbers should become minus infinity: scores, or weights?",
        change=without_mask("weights = weights.masked_fill(~mask, -math.inf)"),
    ),
    masks.zero_times_infinity(
        EXERCISE, change=masked("scores = scores - math.inf * (~mask).to(scores.dtype)")
    ),
    mistake(
        "plus-infinity",
        "You fill in plus infinity, so that the forbidden keys get everything.",
        "Which score has a share of 0: a very large one, or a very small one?",
        change=masked("scores = scores.masked_fill(~mask, math.inf)"),
    ),
    masks.mask_transposed(
        EXERCISE, change=masked("scores = scores.masked_fill(~mask.mT, -math.inf)")
    ),
    masks.causal_uninvited(
        EXERCISE,
        change=(
            (
                f"scores = {SCORES}",
                f"scores = {SCORES}\n"
                "    future = torch.ones_like(scores, dtype=torch.bool).triu(1)\n"
                "    scores = scores.masked_fill(future, -math.inf)",
            ),
        ),
    ),
    mistake(
        "causal-without-a-mask",
        "Where no mask is given, you hide the later keys; then every query may see every key.",
        "Who asked for a causal mask, where `mask` is None?",
        change=(
            (
                "if mask is not None:",
                "if mask is None:\n"
                "        mask = torch.ones_like(scores, dtype=torch.bool).tril()\n"
                "    if mask is not None:",
            ),
        ),
    ),
    mistake(
        "values-masked-only",
        "You set forbidden values to 0, but their keys still take their share of the weights.",
        "What do the weights of the allowed keys add up to?",
        change=without_mask(
            "return (weights.masked_fill(~mask, 0.0)) @ v, weights",
        ),
    ),
    mistake(
        "mask-as-a-truth-value",
        "`if mask:` asks a whole tensor whether it is true, which only one number can answer.",
        masks.IS_THERE_A_MASK,
        change=(("if mask is not None:", "if mask:"),),
    ),
    mistake(
        "full-size-mask-only",
        "Your mask must have the very shape of the scores; a smaller one should broadcast.",
        "What should a mask of one row for all queries do?",
        change=masked("scores[~mask] = -math.inf"),
    ),
    masks.mask_given_an_axis(EXERCISE, change=masked("mask = mask.unsqueeze(1)", MASKED)),
    inputs.mask_changed(
        EXERCISE, change=((MASKED, "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"),)
    ),
    devices.mask_made_on_the_cpu(
        EXERCISE,
        what="a tensor for the mask",
        given="q",
        change=masked(
            "bias = torch.zeros(mask.shape, dtype=scores.dtype)",
            "scores = scores + bias.masked_fill(~mask.cpu(), -math.inf)",
        ),
    ),
)
