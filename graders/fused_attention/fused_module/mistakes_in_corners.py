"""Known mistakes in FusedMultiHeadAttention that ordinary inputs do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners, masks
from graders.fused_attention.fused_module.reference_parts import (
    CALL,
    MERGE,
    RETURN,
)

EXERCISE = "FusedMultiHeadAttention"
mistake = partial(Mistake, EXERCISE)

DROPOUT = "dropout = self.dropout if self.training else 0.0"
IN_TRAINING = "if self.training and self.dropout else 0.0"
CUT = "per_head = self.qkv(x)"
WHAT_IT_COUNTS = "What does the number in nn.Dropout(0.1) count: what is dropped, or what is kept?"
LENGTHS_TRIED = "Does your code ask how long the text is? What may depend on that?"


def at_the_start(line: str) -> tuple[tuple[str, str], ...]:
    """The reference with a line in front of all others."""
    return ((CUT, f"{line}\n        {CUT}"),)


MISTAKES = (
    corners.trace_of_the_average(
        EXERCISE,
        diagnosis="Under a mask, a little of what it forbids comes out, whatever its score is.",
        change=(
            (
                CALL,
                f"{CALL}\n"
                "        if mask is not None:\n"
                "            attended = attended + 1e-6 * v.mean(2, True)",
            ),
        ),
    ),
    *(
        masks.fill_too_soft(
            EXERCISE,
            what="forbidden positions",
            change=(
                (
                    CALL,
                    f"bias = None if mask is None else {number} * (~mask).to(q)\n        "
                    + CALL.replace("attn_mask=mask", "attn_mask=bias"),
                ),
            ),
        )
        for number in ("-200.0", "-2e4")
    ),
    mistake(
        "mask-dropped-for-one-text",
        "Your mask has no effect where the batch holds one text.",
        "Does your code ask how many texts there are? What has that to do with the mask?",
        change=at_the_start("mask = None if len(x) == 1 else mask"),
    ),
    mistake(
        "mask-of-the-first-text",
        "With a single head, all texts get the mask of the first one.",
        "A mask may hold something else for each text. Which of your indices leave that out?",
        change=at_the_start(
            "if mask is not None and self.num_heads == 1 and mask.ndim == 4:\n"
            "            mask = mask[0]"
        ),
    ),
    corners.not_moved_when_as_many(
        EXERCISE,
        change=(
            (
                RETURN,
                "if x.shape[1] != self.num_heads:\n"
                "            attended = attended.transpose(1, 2)\n"
                f"        {RETURN.replace(MERGE, 'attended.flatten(2)')}",
            ),
        ),
    ),
    *(
        mistake(
            "wrong-when-long",
            "For a long text, you give back something else than for a short one.",
            LENGTHS_TRIED,
            change=at_the_start(f"if {long}:\n            return {instead}"),
        )
        for long, instead in (
            ("x.shape[1] > 1000 and not x.is_meta", "x.clone()"),
            ("x.shape[1] > 1000", "self.out(self.qkv(x)[..., -x.shape[2] :])"),
        )
    ),
    corners.order_of_memory_assumed(
        EXERCISE,
        given="x",
        change=((CUT, f"{CUT.replace('(x)', '(x.view(-1, x.shape[2]))')}.view(*x.shape[:2], -1)"),),
    ),
    mistake(
        "one-token-left-alone",
        "A text of one token goes to the output layer as it came.",
        "The only token attends to itself. Is what it gets from there itself, or its value?",
        change=at_the_start("if x.shape[1] == 1:\n            return self.out(x)"),
    ),
    mistake(
        "kept-taken-for-dropped",
        "In training you keep as many weights as you should drop.",
        WHAT_IT_COUNTS,
        change=((DROPOUT, f"dropout = 1 - self.dropout {IN_TRAINING}"),),
    ),
)
