"""Known mistakes in masked_softmax."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "masked_softmax")

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
        "With -1e9, a query that may attend to nothing gets equal shares, and float16 fails.",
        "What is softmax of a row of equal scores? And what is the lowest float16?",
        change=filled("scores.masked_fill(~mask, -1e9)"),
    ),
    mistake(
        "fill-too-large-for-float16",
        "You fill forbidden scores with a number that float16 cannot hold.",
        "What is the lowest number of torch.finfo(torch.float16)?",
        change=beside_dead_rows("scores.masked_fill(~mask, -1e9)"),
    ),
    mistake(
        "minus-1e9-added",
        "You add -1e9 to forbidden scores, and a score that is large enough climbs out again.",
        "What is 1e30 - 1e9 in float32? Which operation does not care what the score was?",
        change=beside_dead_rows("scores + (~mask).to(scores.dtype) * -1e9"),
    ),
    mistake(
        "mask-in-single-precision",
        "You turn the mask into float32 numbers, which turn scores in half precision into float32.",
        "Which dtype has torch.full when nobody says which? And which one have your scores?",
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
    mistake(
        "masked-after-softmax",
        "You remove forbidden weights after the softmax, so that the rest no longer sum to one.",
        "What do the weights of a row add up to once some are set to 0?",
        change=filled("scores", f"return {SOFTMAX} * mask"),
    ),
    mistake(
        "renormalised-after-softmax",
        "You mask after the softmax and divide again: empty rows give 0 / 0, and so do far scores.",
        "One forbidden score is 1000 above the others. What is left of those after softmax?",
        code="""
        def masked_softmax(scores, mask):
            weights = torch.softmax(scores, dim=-1) * mask
            return weights / weights.sum(dim=-1, keepdim=True)
        """,
    ),
    mistake(
        "masked-after-softmax-underflows",
        "You mask after the softmax, where a large forbidden score has already taken everything.",
        "One forbidden score is 1000 above the others. What is left of those after softmax?",
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
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=filled("scores.masked_fill(~mask, 0.0)"),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=beside_dead_rows("scores * mask"),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=filled("scores.masked_fill(~mask, 1e-9)"),
    ),
    mistake(
        "fill-too-soft",
        "Your forbidden weights are tiny, but not 0.",
        "What is exp of your fill value? Which number has an exponential of exactly 0?",
        change=filled("scores.masked_fill(~mask, -20.0)"),
    ),
    mistake(
        "fill-too-soft",
        "Your forbidden weights are tiny, but not 0.",
        "What is exp of your fill value? Which number has an exponential of exactly 0?",
        change=filled("scores.masked_fill(~mask, -10.0)"),
    ),
    mistake(
        "fill-too-soft",
        "Your forbidden weights are tiny, but not 0.",
        "What is exp of your fill value? Which number has an exponential of exactly 0?",
        change=beside_dead_rows("scores.masked_fill(~mask, -20.0)"),
    ),
    mistake(
        "lowered-by-a-step",
        "You lower forbidden scores by a fixed step, so that a large score keeps its weight.",
        "Does the step help against a forbidden score of 1000?",
        change=filled("scores - 10.0 * ~mask"),
    ),
    mistake(
        "mask-inverted",
        "You forbid what is allowed: here a mask is True where attention is allowed.",
        "Which scores does your code fill, those with True or those with False?",
        change=(("(~mask,", "(mask,"), ("dead = ~mask.any", "dead = mask.all")),
    ),
    mistake(
        "mask-inverted",
        "You forbid what is allowed: here a mask is True where attention is allowed.",
        "Which scores does your code fill, those with True or those with False?",
        change=filled("scores.masked_fill(mask, -torch.inf)"),
    ),
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
    mistake(
        "zeros-and-ones-added",
        "You add the mask as numbers: allowed scores go up by 1, forbidden ones stay.",
        "What would you have to add to a score so that its weight is 0?",
        change=filled("scores + mask"),
    ),
    mistake(
        "zero-times-infinity",
        "You multiply the mask by minus infinity, and 0 times infinity is NaN.",
        "Which operation chooses between two values without computing with both?",
        change=filled("scores + (~mask).to(scores.dtype) * -torch.inf"),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries: the columns sum to one, the rows do not.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=((SOFTMAX, "torch.softmax(scores, dim=-2)"),),
    ),
    mistake(
        "softmax-over-a-counted-axis",
        "Your softmax runs over axis 1, which lists the keys only when there is no batch.",
        "Where do the keys stand, counted from the end?",
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
    mistake(
        "mask-given-an-axis",
        "You add an axis to every mask, which breaks masks that already broadcast.",
        "Which shapes may a mask have, and what does broadcasting do to the missing axes?",
        change=(("dead = ~mask", "mask = mask.unsqueeze(1)\n    dead = ~mask"),),
    ),
    mistake(
        "scores-changed",
        "You fill the scores where they lie, so that the caller's tensor changes.",
        "What does a method whose name ends in an underscore do to its tensor?",
        change=((f"{FILL}.", "scores.masked_fill_(~mask, -torch.inf)."),),
    ),
    mistake(
        "float32-always",
        "Your weights are float32 whatever goes in.",
        "Compare scores.dtype with the dtype of your weights. Where does it change?",
        change=((SOFTMAX, "torch.softmax(scores, dim=-1, dtype=torch.float32)"),),
    ),
    mistake(
        "log-softmax",
        "You return the logarithm of the weights.",
        "Weights lie between 0 and 1. Where do yours lie, and what brings them back?",
        change=((SOFTMAX, "torch.log_softmax(scores, dim=-1)"),),
    ),
    mistake(
        "scores-returned",
        "You return masked scores; the softmax is missing.",
        "What should each query's weights add up to?",
        change=((ZEROED, "return scores"),),
    ),
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows when they are large.",
        "What is exp of 1000? Which number may you subtract from a row for free?",
        code="""
        def masked_softmax(scores, mask):
            e = torch.exp(scores) * mask
            return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-6)
        """,
    ),
    mistake(
        "gradient-cut",
        "Your weights are cut off from the scores, so that nothing can be learnt through them.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=((FILL, FILL.replace("scores.", "scores.detach().")),),
    ),
    mistake(
        "made-on-the-cpu",
        "Your weights pass through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        change=(
            (
                ZEROED,
                f"weights = torch.zeros(scores.shape, dtype=scores.dtype)\n"
                f"    weights[:] = {SOFTMAX}.masked_fill(dead, 0.0)\n    return weights",
            ),
        ),
    ),
)
