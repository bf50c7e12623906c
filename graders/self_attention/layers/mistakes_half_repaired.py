"""Known mistakes in RepairedAttention: what is left of its three slips when not all are mended."""

from functools import partial

from autograder.bank import Mistake
from graders.self_attention.layers.layer_parts import RETURN, SCALE, WEIGHTS

mistake = partial(Mistake, "RepairedAttention")

HALF_REPAIRED = (
    mistake(
        "nothing-mended",
        "All three slips are still there: what comes back, the scale, and the softmax.",
        "Begin with the first line of the check: how many values came back, how many are promised?",
        change=(
            (SCALE, "self.scale = math.sqrt(d_model)"),
            (WEIGHTS, "torch.softmax(scores, dim=-2)"),
            (RETURN, "return weights @ v"),
        ),
    ),
    mistake(
        "scale-and-softmax-left",
        "Two values come back now; the scale and the axis of the softmax are still wrong.",
        "Which width does the root need, and which axis lists the keys?",
        change=(
            (SCALE, "self.scale = math.sqrt(d_model)"),
            (WEIGHTS, "torch.softmax(scores, dim=-2)"),
        ),
    ),
    mistake(
        "scale-and-results-left",
        "The softmax is mended; the scale is still wrong, and the weights do not come back.",
        "Compare what `forward` promises with its last line, and the root with the formula.",
        change=(
            (SCALE, "self.scale = math.sqrt(d_model)"),
            (RETURN, "return weights @ v"),
        ),
    ),
    mistake(
        "softmax-and-results-left",
        "The scale is mended; the softmax runs over queries, and the weights do not come back.",
        "Compare what `forward` promises with its last line. Which axis lists the keys?",
        change=(
            (WEIGHTS, "torch.softmax(scores, dim=-2)"),
            (RETURN, "return weights @ v"),
        ),
    ),
)
