"""Known mistakes in scaled_dot_product_attention about the mask."""

from functools import partial

from autograder.misconceptions.mistake import Mistake
from autograder.misconceptions.self_attention.formula_parts import (
    MASKED,
    SCORES,
    masked,
    without_mask,
)

mistake = partial(Mistake, "scaled_dot_product_attention")

MISTAKES = (
    mistake(
        "mask-inverted",
        "You take True for forbidden; in this course True means allowed.",
        "What should happen to a key where the mask is True?",
        change=masked("scores = scores.masked_fill(mask, -math.inf)"),
    ),
    mistake(
        "mask-ignored",
        "Your mask has no effect: nothing uses it, or what masked_fill gives back is thrown away.",
        "Where does the result of masking go?",
        change=masked("pass"),
    ),
    mistake(
        "mask-ignored-in-a-batch",
        "Your mask works for one text alone, and is not used where a batch stands in front.",
        "What happens to the mask when q has three dimensions?",
        change=(("if mask is not None:", "if mask is not None and q.ndim == 2:"),),
    ),
    mistake(
        "filled-with-zero",
        "Your forbidden scores become 0, which is a score like any other.",
        "What share does softmax give a score of 0?",
        change=masked("scores = scores.masked_fill(~mask, 0.0)"),
    ),
    mistake(
        "filled-with-tiny",
        "You fill in a tiny number, which is nearly 0; a score of 0 is no refusal.",
        "Is 1e-9 far below the other scores, or in their midst?",
        change=masked("scores = scores.masked_fill(~mask, 1e-3)"),
    ),
    mistake(
        "filled-with-minus-twenty",
        "You fill in a number that leaves forbidden keys a small share.",
        "How much is e to the power -20? Is it 0?",
        change=masked("scores = scores.masked_fill(~mask, -20.0)"),
    ),
    mistake(
        "fill-too-large-for-half-precision",
        "You fill in a number that float16 does not have.",
        "What is the largest number in float16? Is there a fill that every dtype has?",
        change=masked("scores = scores.masked_fill(~mask, -1e9)"),
    ),
    mistake(
        "fill-too-large-for-half-precision",
        "You fill in a number that float16 does not have.",
        "What is the largest number in float16? Is there a fill that every dtype has?",
        change=masked("scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)"),
    ),
    mistake(
        "mask-in-single-precision",
        "You turn the mask into float32 numbers, which turn scores in half precision into float32.",
        "Which dtype has torch.zeros when nobody says which? And which one have your scores?",
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
    mistake(
        "mask-after-softmax",
        "You set weights to 0 after the softmax, so that the rows no longer sum to one.",
        "What do the weights that are left add up to?",
        change=without_mask("weights = weights.masked_fill(~mask, 0.0)"),
    ),
    mistake(
        "renormalised-after-softmax",
        "You mask after the softmax and divide again, which is right until a forbidden score is so "
        "large that it has already taken everything.",
        "One forbidden score is 1000 above the others. What is left of those after softmax?",
        change=without_mask(
            "weights = weights * mask",
            "weights = weights / weights.sum(dim=-1, keepdim=True)",
        ),
    ),
    mistake(
        "renormalised-after-softmax",
        "You mask after the softmax and divide again, which is right until a forbidden score is so "
        "large that it has already taken everything.",
        "One forbidden score is 1000 above the others. What is left of those after softmax?",
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
    mistake(
        "zero-times-infinity",
        "You multiply infinity by 0 or 1 and add it: 0 times infinity is not a number.",
        "What is 0 * inf in Python?",
        change=masked("scores = scores - math.inf * (~mask).to(scores.dtype)"),
    ),
    mistake(
        "plus-infinity",
        "You fill in plus infinity, so that the forbidden keys get everything.",
        "Which score has a share of 0: a very large one, or a very small one?",
        change=masked("scores = scores.masked_fill(~mask, math.inf)"),
    ),
    mistake(
        "mask-transposed",
        "You transpose the mask: its rows belong to queries already.",
        "Which axis of the mask lists the keys?",
        change=masked("scores = scores.masked_fill(~mask.mT, -math.inf)"),
    ),
    mistake(
        "causal-already",
        "You hide the later keys from every query, mask or no mask.",
        "May every query attend to every key when nobody gives a mask?",
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
        "How do you ask whether there is a mask at all?",
        change=(("if mask is not None:", "if mask:"),),
    ),
    mistake(
        "full-size-mask-only",
        "Your mask must have the very shape of the scores; a smaller one should broadcast.",
        "What should a mask of one row for all queries do?",
        change=masked("scores[~mask] = -math.inf"),
    ),
    mistake(
        "mask-changed",
        "You turn the caller's mask round where it lies.",
        "What does an underscore at the end of a method's name say in PyTorch?",
        change=((MASKED, "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"),),
    ),
    mistake(
        "mask-made-on-the-cpu",
        "You make a tensor for the mask on the CPU, where the scores need not be.",
        "Where does torch.zeros make a tensor when nobody says where?",
        change=masked(
            "bias = torch.zeros(mask.shape, dtype=scores.dtype)",
            "scores = scores + bias.masked_fill(~mask.cpu(), -math.inf)",
        ),
    ),
)
