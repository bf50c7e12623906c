"""Known mistakes in MultiHeadAttention about who may attend to whom, and how much."""

from functools import partial

from autograder.misconceptions.mistake import Mistake
from autograder.misconceptions.multi_head_attention.reference_parts import (
    FILL,
    IF_MASK,
    RETURN,
    SCORES,
    WEIGHTS,
)

mistake = partial(Mistake, "MultiHeadAttention")

MISTAKES = (
    mistake(
        "mask-inverted",
        "You read the mask the wrong way round: here True means allowed.",
        "Which scores should be filled: those where the mask is True, or the others?",
        change=((FILL, FILL.replace("~mask", "mask")),),
    ),
    mistake(
        "mask-ignored",
        "Your module does not look at the mask, or drops what masking gives.",
        "masked_fill makes a new tensor. Is the result of masking kept?",
        change=((FILL, "scores.masked_fill(~mask, -math.inf)"),),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=((FILL, FILL.replace("-math.inf", "0.0")),),
    ),
    mistake(
        "fill-too-soft",
        "A trace of forbidden positions still reaches the output.",
        "Is each forbidden weight exactly 0? If you fill scores, what is exp of your fill value?",
        change=((FILL, FILL.replace("-math.inf", "-20.0")),),
    ),
    mistake(
        "fill-too-large-for-float16",
        "You fill forbidden scores with a number that float16 cannot hold.",
        "What is the lowest number of torch.finfo(torch.float16)?",
        change=((FILL, FILL.replace("-math.inf", "-1e9")),),
    ),
    mistake(
        "mask-in-single-precision",
        "Given a mask, you make a tensor in float32, which turns scores in half precision into it.",
        "Which dtype does torch.zeros give when nobody says so? Which one do the scores have?",
        change=(
            ("class MultiHeadAttention", "import torch\n\nclass MultiHeadAttention"),
            (
                FILL,
                "bias = torch.zeros(mask.shape, device=x.device)\n"
                "            scores = scores + bias.masked_fill(~mask, -math.inf)",
            ),
        ),
    ),
    mistake(
        "masked-after-softmax",
        "You remove forbidden weights after the softmax, so that the rest no longer sum to one.",
        "What do the weights of a row add up to once some are set to 0?",
        change=((FILL, "pass"), (WEIGHTS, f"{WEIGHTS} * (1 if mask is None else mask)")),
    ),
    mistake(
        "zeros-and-ones-added",
        "You add the mask to the scores as zeros and ones.",
        "What does adding 1 to a score do, and what does adding 0? What would forbid a key?",
        change=((FILL, "scores = scores + mask"),),
    ),
    mistake(
        "zero-times-infinity",
        "You multiply the mask by minus infinity, and 0 times infinity is NaN.",
        "Which operation chooses between two values without computing with both?",
        change=((FILL, "scores = scores + (~mask).to(scores.dtype) * -math.inf"),),
    ),
    mistake(
        "truth-of-a-tensor",
        "`if mask:` asks a whole table whether it is true, which Python cannot answer.",
        "How do you ask whether there is a mask at all?",
        change=((IF_MASK, "if mask:"),),
    ),
    mistake(
        "mask-given-an-axis",
        "You add an axis to every mask, which breaks masks that already broadcast.",
        "Which shapes may a mask have, and what does broadcasting do to the missing axes?",
        change=((FILL, FILL.replace("~mask", "~mask.unsqueeze(1)")),),
    ),
    mistake(
        "mask-taken-for-the-batch",
        "You take the first of a mask's three axes for the batch where the sizes allow it.",
        "Broadcasting lines axes up from the last one. Which axis of the scores does it meet?",
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
        "You move the mask to the CPU, so that your module fails on other devices.",
        "On which device is x, and on which one does the mask have to be?",
        change=((FILL, FILL.replace("~mask", "~mask.cpu()")),),
    ),
    mistake(
        "mask-changed",
        "You write into the mask that you were given, so that the caller's mask changes.",
        "What do functions do whose name ends in an underscore?",
        change=((FILL, FILL.replace("~mask", "mask.logical_not_()")),),
    ),
    mistake(
        "no-scale",
        "Your scores are not divided by the square root of the width of a head.",
        "What spread do dot products of d_head random numbers have?",
        change=((SCORES, "q @ k.mT"),),
    ),
    mistake(
        "scale-by-d-model",
        "You divide by the square root of d_model, which is the width of all heads together.",
        "How wide are the two vectors whose dot product is one score?",
        change=((SCORES, "q @ k.mT / math.sqrt(x.shape[-1])"),),
    ),
    mistake(
        "scale-without-root",
        "You divide by the width of a head, or twice by its root; once by its root is right.",
        "What spread do dot products of d_head random numbers have?",
        change=((SCORES, "q @ k.mT / q.shape[-1]"),),
    ),
    mistake(
        "multiplied-by-root",
        "You multiply the scores by the square root of the width, where they should be divided.",
        "Should the scores of wide heads be made larger, or smaller?",
        change=((SCORES, "q @ k.mT * math.sqrt(q.shape[-1])"),),
    ),
    mistake(
        "scale-by-number-of-heads",
        "You divide by the square root of the number of heads; it should be of their width.",
        "How many terms does one dot product between a query and a key have?",
        change=((SCORES, "q @ k.mT / math.sqrt(self.num_heads)"),),
    ),
    mistake(
        "scale-by-length",
        "You divide by the square root of the length; it should be of the width of a head.",
        "How many terms does one dot product between a query and a key have?",
        change=((SCORES, "q @ k.mT / math.sqrt(x.shape[1])"),),
    ),
    mistake(
        "constant-scale",
        "You divide by a fixed number, which fits one width only.",
        "The books divide by 8 because their heads are 64 wide. How wide are yours?",
        change=((SCORES, "q @ k.mT / 8"),),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries, so that a query's weights do not sum to one.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=((WEIGHTS, "scores.softmax(dim=-2)"),),
    ),
    mistake(
        "softmax-over-heads",
        "Your softmax runs over the heads, so that heads compete for each pair of tokens.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=((WEIGHTS, "scores.softmax(dim=1)"),),
    ),
    mistake(
        "no-softmax",
        "You multiply the values by scores; softmax is missing.",
        "What should each query's weights add up to?",
        change=((WEIGHTS, "scores"),),
    ),
    mistake(
        "softmax-twice",
        "Your weights have been through softmax twice.",
        "Softmax of shares makes them nearly even. How often does it stand in your code?",
        change=((WEIGHTS, "scores.softmax(dim=-1).softmax(dim=-1)"),),
    ),
    mistake(
        "log-softmax",
        "Your weights are logarithms of what they should be.",
        "Can a share of one whole be negative?",
        change=((WEIGHTS, "scores.log_softmax(dim=-1)"),),
    ),
    mistake(
        "always-causal",
        "Your attention is causal even when nobody asked for it.",
        "Which keys may a position attend to when there is no mask?",
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
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows or vanishes for large ones.",
        "Which of the equal ways to write the same softmax keeps every exponential below 1?",
        change=((WEIGHTS, "(shares := scores.exp()) / shares.sum(dim=-1, keepdim=True)"),),
    ),
    mistake(
        "scores-for-weights",
        "The second value that you return holds scores; weights were promised.",
        "What do the rows of your second value sum to?",
        change=((RETURN, RETURN.replace(", weights", ", scores")),),
    ),
)
