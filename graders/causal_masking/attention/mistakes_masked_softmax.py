"""Known mistakes in masked_softmax."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, gradients, inputs, masks, precision, softmaxes

EXERCISE = "masked_softmax"
mistake = partial(Mistake, EXERCISE)

FILL = "scores.masked_fill(~mask, -torch.inf)"
DEAD = ".masked_fill(dead, 0.0)\n    return"
SOFTMAX = "torch.softmax(scores, dim=-1)"
ZEROED = f"return {SOFTMAX}.masked_fill(dead, 0.0)"


def filled(fill: str, result: str = f"return {SOFTMAX}") -> tuple[tuple[str, str], ...]:
    """The reference with another way to fill the scores, and no care for empty rows."""
    return ((f"scores = {FILL}{DEAD}", f"scores = {fill}\n    return"), (ZEROED, result))


def beside_dead_rows(fill: str) -> tuple[tuple[str, str], ...]:
    """The reference with another way to fill the scores; empty rows are right."""
    return ((FILL, f"({fill})"),)


fill_too_soft = Family(
    "fill-too-soft",
    "Your forbidden weights are tiny, but not 0.",
    "What is exp of your fill value? Which number has an exponential of exactly 0?",
)

MISTAKES = (
    mistake(
        "dead-rows-nan",
        "A query that may attend to nothing gets NaN: its row of minus infinities has no maximum.",
        "What is 0 / 0? How can a row with nothing in it get through softmax unharmed?",
        change=filled(FILL),
    ),
    mistake(
        "dead-rows-uniform",
        "A query that may attend to nothing gets equal shares of everything.",
        "What is softmax of a row whose scores are all the same?",
        change=filled("scores.masked_fill(~mask, torch.finfo(scores.dtype).min)"),
    ),
    mistake(
        "minus-1e9-for-infinity",
        "With a number like -1e9, a query that may attend to nothing gets equal shares, and "
        "float16 fails.",
        "What is softmax of a row of equal scores? And what is the lowest float16?",
        change=filled("scores.masked_fill(~mask, -1e9)"),
    ),
    precision.fill_too_large_for_float16(
        EXERCISE, change=beside_dead_rows("scores.masked_fill(~mask, -1e9)")
    ),
    precision.minus_1e9_added(
        EXERCISE, change=beside_dead_rows("scores + (~mask).to(scores.dtype) * -1e9")
    ),
    precision.mask_in_single_precision(
        EXERCISE,
        maker="torch.full",
        change=beside_dead_rows(
            "torch.where(mask, scores, torch.full(mask.shape, -torch.inf, device=mask.device))"
        ),
    ),
    mistake(
        "lowest-number-added",
        "You add the lowest number of the dtype, and the largest score climbs out again.",
        "What is the lowest number plus the largest? Which operation does not care about scores?",
        change=beside_dead_rows(
            "scores + (~mask).to(scores.dtype) * torch.finfo(scores.dtype).min"
        ),
    ),
    mistake(
        "nan-gradients",
        "Your weights are right, but the gradient of an empty row is NaN.",
        "A NaN that you paint over afterwards: what does it do on the way back?",
        code="""
        def masked_softmax(scores, mask):
            bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
            scores = scores + bias.masked_fill(~mask, -torch.inf)
            return torch.nan_to_num(torch.softmax(scores, dim=-1))
        """,
    ),
    masks.masked_after_softmax(EXERCISE, change=filled("scores", f"return {SOFTMAX} * mask")),
    masks.renormalised_after_softmax(
        EXERCISE,
        diagnosis="You mask after softmax and divide again: empty rows give 0 / 0, far scores too.",
        code="""
        def masked_softmax(scores, mask):
            weights = torch.softmax(scores, dim=-1) * mask
            return weights / weights.sum(dim=-1, keepdim=True)
        """,
    ),
    mistake(
        "masked-after-softmax-underflows",
        "A forbidden score takes part in your softmax before the mask: a large one takes "
        "everything, and the allowed ones get nothing.",
        masks.WHAT_IS_LEFT,
        code="""
        def masked_softmax(scores, mask):
            weights = torch.softmax(scores, dim=-1) * mask
            total = weights.sum(dim=-1, keepdim=True)
            return weights / total.masked_fill(total == 0, 1.0)
        """,
    ),
    mistake(
        "exponentials-before-the-mask",
        "You take exp of forbidden scores, too; it overflows, and infinity times 0 is NaN.",
        "What is exp of a forbidden score that lies 100 above the allowed ones?",
        code="""
        def masked_softmax(scores, mask):
            dead = ~mask.any(dim=-1, keepdim=True)
            top = scores.masked_fill(~mask, -torch.inf).amax(dim=-1, keepdim=True)
            e = torch.exp(scores - top.masked_fill(dead, 0.0)) * mask
            return e / e.sum(dim=-1, keepdim=True).masked_fill(dead, 1.0)
        """,
    ),
    masks.filled_with_zero(EXERCISE, change=filled("scores.masked_fill(~mask, 0.0)")),
    masks.filled_with_zero(EXERCISE, change=beside_dead_rows("scores * mask")),
    masks.filled_with_zero(EXERCISE, change=filled("scores.masked_fill(~mask, 1e-9)")),
    mistake(
        "scores-and-weights-times-the-mask",
        "You multiply the scores by the mask and the weights as well: a forbidden score of 0 takes "
        "its share first, and the rest no longer sum to one.",
        "What share does softmax give a score of 0? What do the weights that are left add up to?",
        change=filled("scores * mask", f"return {SOFTMAX} * mask"),
    ),
    fill_too_soft(EXERCISE, change=filled("scores.masked_fill(~mask, -20.0)")),
    fill_too_soft(EXERCISE, change=filled("scores.masked_fill(~mask, -10.0)")),
    fill_too_soft(EXERCISE, change=beside_dead_rows("scores.masked_fill(~mask, -20.0)")),
    mistake(
        "lowered-by-a-step",
        "You lower forbidden scores by a fixed step, so that a large score keeps its weight.",
        "Does the step help against a forbidden score of 1000?",
        change=filled("scores - 10.0 * ~mask"),
    ),
    masks.mask_read_inverted(
        EXERCISE, change=(("(~mask,", "(mask,"), ("dead = ~mask.any", "dead = mask.all"))
    ),
    masks.mask_read_inverted(EXERCISE, change=filled("scores.masked_fill(mask, -torch.inf)")),
    mistake(
        "mask-without-effect",
        "Your weights do not depend on the mask.",
        "Does `masked_fill` change its tensor, or does it give back a new one that you must keep?",
        change=filled("scores"),
    ),
    mistake(
        "mask-without-effect-but-for-dead-rows",
        "The mask has no effect but on rows where nothing is allowed.",
        "What should happen to the one forbidden key of a row whose other keys are allowed?",
        change=beside_dead_rows("scores"),
    ),
    masks.zeros_and_ones_added(EXERCISE, change=filled("scores + mask")),
    masks.zero_times_infinity(
        EXERCISE, change=filled("scores + (~mask).to(scores.dtype) * -torch.inf")
    ),
    softmaxes.softmax_over_queries(EXERCISE, change=((SOFTMAX, "torch.softmax(scores, dim=-2)"),)),
    mistake(
        "softmax-over-a-counted-axis",
        softmaxes.ALONG_AXIS_1,
        softmaxes.FROM_THE_END,
        change=((SOFTMAX, "torch.softmax(scores, dim=1)"),),
    ),
    mistake(
        "empty-columns-for-empty-rows",
        "You look for keys that nobody may attend to; it is queries that may attend to nothing.",
        "Along which axis do you ask whether anything is allowed?",
        change=(("mask.any(dim=-1", "mask.any(dim=-2"),),
    ),
    mistake(
        "mask-must-have-the-scores-shape",
        "Your code needs a mask of the scores' own shape; any that broadcasts was promised.",
        "What does indexing with a mask of two axes do to a tensor of four?",
        code="""
        def masked_softmax(scores, mask):
            scores = scores.clone()
            scores[~mask] = -torch.inf
            dead = ~mask.any(dim=-1, keepdim=True)
            return torch.softmax(scores.masked_fill(dead, 0.0), dim=-1).masked_fill(dead, 0.0)
        """,
    ),
    masks.mask_given_an_axis(
        EXERCISE, change=(("dead = ~mask", "mask = mask.unsqueeze(1)\n    dead = ~mask"),)
    ),
    mistake(
        "scores-changed",
        "You write into the scores that you were given, so that the caller's tensor changes.",
        inputs.UNDERSCORES,
        change=((f"{FILL}.", "scores.masked_fill_(~mask, -torch.inf)."),),
    ),
    precision.float32_always(
        EXERCISE,
        given="scores",
        name="weights",
        change=((SOFTMAX, "torch.softmax(scores, dim=-1, dtype=torch.float32)"),),
    ),
    precision.double_precision_lost(
        EXERCISE,
        given="scores",
        name="weights",
        change=(
            (
                SOFTMAX,
                f"{SOFTMAX}.to(torch.float32 if scores.dtype == torch.float64 else scores.dtype)",
            ),
        ),
    ),
    softmaxes.log_softmax(EXERCISE, change=((SOFTMAX, "torch.log_softmax(scores, dim=-1)"),)),
    mistake(
        "scores-returned",
        "You return masked scores; the softmax is missing.",
        softmaxes.SUM_OF_WEIGHTS,
        change=((ZEROED, "return scores"),),
    ),
    softmaxes.no_maximum_subtracted(
        EXERCISE,
        code="""
        def masked_softmax(scores, mask):
            e = torch.exp(scores) * mask
            return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-6)
        """,
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your weights",
        source="the scores",
        change=((FILL, FILL.replace("scores.", "scores.detach().")),),
    ),
    devices.made_on_the_cpu(
        EXERCISE,
        what="your weights",
        given="scores",
        change=(
            (
                ZEROED,
                f"weights = torch.zeros(scores.shape, dtype=scores.dtype)\n"
                f"    weights[:] = {SOFTMAX}.masked_fill(dead, 0.0)\n    return weights",
            ),
        ),
    ),
)
