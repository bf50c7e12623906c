"""Known mistakes in RepairedAttention: what is left of its three slips when not all are mended."""

from autograder.misconceptions.self_attention.layer_parts import RETURN, SCALE, WEIGHTS

# slug, diagnosis, hint, change
HALF_REPAIRED = (
    (
        "nothing-mended",
        "All three slips are still there: what comes back, the scale, and the softmax.",
        "Begin with the first line of the check: how many values came back, how many are promised?",
        (
            (SCALE, "self.scale = math.sqrt(d_model)"),
            (WEIGHTS, "torch.softmax(scores, dim=-2)"),
            (RETURN, "return weights @ v"),
        ),
    ),
    (
        "scale-and-softmax-left",
        "Two values come back now; the scale and the axis of the softmax are still wrong.",
        "Which width does the root need, and which axis lists the keys?",
        (
            (SCALE, "self.scale = math.sqrt(d_model)"),
            (WEIGHTS, "torch.softmax(scores, dim=-2)"),
        ),
    ),
    (
        "scale-and-results-left",
        "The softmax is mended; the scale is still wrong, and the weights do not come back.",
        "Compare what `forward` promises with its last line, and the root with the formula.",
        (
            (SCALE, "self.scale = math.sqrt(d_model)"),
            (RETURN, "return weights @ v"),
        ),
    ),
    (
        "softmax-and-results-left",
        "The scale is mended; the softmax runs over queries, and the weights do not come back.",
        "Compare what `forward` promises with its last line. Which axis lists the keys?",
        (
            (WEIGHTS, "torch.softmax(scores, dim=-2)"),
            (RETURN, "return weights @ v"),
        ),
    ),
)
