"""Known mistakes in the exercises of `attention` that ordinary scores do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import inputs

ADDITIVE, SOFTMAX, CAUSAL = "additive_mask", "masked_softmax", "causal_attention"
added, shared, attended = (partial(Mistake, name) for name in (ADDITIVE, SOFTMAX, CAUSAL))

BIAS = "zeros.masked_fill(~mask, -torch.inf)"
FILL = "scores.masked_fill(~mask, -torch.inf)"
WEIGHTS = "torch.softmax(scores, dim=-1).masked_fill(dead, 0.0)"
DEAD = "dead = ~mask.any(dim=-1, keepdim=True)"
RETURN = "return weights @ v, weights"
BELOW_IT = "Is there a number below the lowest finite one? What does softmax give it?"


def lowest_number(bytes_of_one: int) -> Mistake:
    """The lowest finite number in place of minus infinity, in dtypes of one size."""
    return added(
        "lowest-number-in-some-dtypes",
        "In some dtypes, you add the lowest finite number where minus infinity is promised.",
        BELOW_IT,
        change=(
            (
                f"return {BIAS}",
                f"bias = {BIAS}\n"
                f"    if dtype.itemsize != {bytes_of_one}:\n"
                "        return bias\n"
                "    return bias.clamp(min=torch.finfo(dtype).min)",
            ),
        ),
    )


ADDITIVE_MASKS = (
    lowest_number(2),
    lowest_number(8),
    added(
        "next-to-nothing-where-allowed",
        "You add a tiny number where 0 is promised, so that allowed scores change.",
        "What should be left of a score that is allowed?",
        change=((BIAS, f"{BIAS} + 1e-9"),),
    ),
    added(
        "two-axes-at-least",
        "A mask of one axis comes back with two.",
        "Which shape does the docstring promise for a mask of shape (7,)?",
        change=(
            (f"return {BIAS}", f"bias = {BIAS}\n    return bias if bias.ndim > 1 else bias[None]"),
        ),
    ),
    added(
        "empty-rows-left-open",
        "Where a row allows nothing, you leave it open, as if it allowed everything.",
        "What does this exercise promise for every False in the mask?",
        change=((BIAS, f"{BIAS}.masked_fill(~mask.any(-1, keepdim=True), 0)"),),
    ),
)

MASKED_SOFTMAXES = (
    shared(
        "fill-above-low-scores",
        "You fill in a number that lies above scores which are lower still.",
        "May all scores of a row lie below -10,000? Which number lies below every score?",
        change=((FILL, "scores.masked_fill(~mask, -1e4)"),),
    ),
    shared(
        "one-empty-row-empties-all",
        "Where one query may see nothing, all queries get nothing.",
        "Which rows does your test for empty ones ask about: each by itself, or all at once?",
        change=((f"return {WEIGHTS}", f"weights = {WEIGHTS}\n    return weights * (~dead).all()"),),
    ),
    shared(
        "a-little-more-below-the-line",
        "You add a small number to the sum that you divide by, so that no row sums to one.",
        "What do the weights of a row add up to? What was the small number for?",
        change=(
            (
                f"return {WEIGHTS}",
                f"weights = {WEIGHTS}\n    return weights / (weights.sum(-1, keepdim=True) + 1e-3)",
            ),
        ),
    ),
    inputs.mask_changed(
        SOFTMAX,
        hint="Which of your operations write into an argument?",
        change=(
            (f"return {WEIGHTS}", f"weights = {WEIGHTS}\n    mask |= True\n    return weights"),
        ),
    ),
    shared(
        "masks-of-one-axis-refused",
        "A mask of one axis, the same for all queries, stops your code.",
        "Which shapes broadcast to (queries, keys)? Is (keys,) one of them?",
        change=((DEAD, f"queries, keys = mask.shape[-2:]\n    {DEAD}"),),
    ),
    shared(
        "a-tiny-weight-for-all",
        "Every key gets a tiny weight, the forbidden ones too.",
        "Is each forbidden weight exactly 0? What did you add, and where?",
        change=((WEIGHTS, f"{WEIGHTS} + 1e-12"),),
    ),
)

CAUSAL_ATTENTIONS = (
    attended(
        "one-position-gets-nothing",
        "A text of one token gets an output of zeros.",
        "What does the only token of a text attend to?",
        change=(
            (
                RETURN,
                "output = weights @ v\n"
                "    return (output * 0 if queries == 1 else output), weights",
            ),
        ),
    ),
    attended(
        "more-keys-accepted",
        "Where there are more keys than queries, you drop those that are too many in silence.",
        "What does the docstring promise where the numbers differ?",
        change=(
            (
                "queries, keys = q.shape[-2], k.shape[-2]",
                "k, v = k[..., : q.shape[-2], :], v[..., : q.shape[-2], :]\n"
                "    queries, keys = q.shape[-2], k.shape[-2]",
            ),
        ),
    ),
    attended(
        "other-weights-returned",
        "The weights that you return see the future; those that you average with do not.",
        "Multiply the weights that come back by v. Is that the output that comes back?",
        change=((RETURN, "return weights @ v, scores.softmax(-1)"),),
    ),
    attended(
        "values-cut-off",
        "You cut your output off from the values, so that they cannot be learnt.",
        "Which of the three inputs passes through `.detach()` or `.data`?",
        change=((RETURN, "return weights @ v.detach(), weights"),),
    ),
    attended(
        "exponentials-of-the-future",
        "You take exp of the future's scores before you drop them; of large ones it is infinite.",
        "What does infinity times 0 give, on the way back too?",
        change=(
            (
                "weights = masked_softmax(scores, causal_mask(keys, device=q.device))",
                "past = causal_mask(keys, device=q.device)\n"
                "    top = scores.masked_fill(~past, -torch.inf).amax(-1, keepdim=True)\n"
                "    weights = torch.exp(scores - top).tril()\n"
                "    weights = weights / weights.sum(-1, keepdim=True)",
            ),
        ),
    ),
)

MISTAKES = ADDITIVE_MASKS + MASKED_SOFTMAXES + CAUSAL_ATTENTIONS
