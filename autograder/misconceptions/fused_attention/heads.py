"""Known mistakes in FusedMultiHeadAttention about projections, heads and scale."""

from functools import partial

from autograder.misconceptions.fused_attention.reference_parts import (
    CUT,
    LAST_ARGUMENT,
    LAY_OUT,
    MERGE,
    RETURN,
)
from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "FusedMultiHeadAttention")


def scaled_by(scale: str) -> tuple[tuple[str, str], ...]:
    """The reference with a scale of its own."""
    return ((LAST_ARGUMENT, f"is_causal=is_causal, scale={scale}\n"),)


MISTAKES = (
    mistake(
        "no-merge-transpose",
        "You join the heads without moving them next to their features first.",
        "Which axis should stand beside d_head when you flatten?",
        change=((MERGE, "attended.reshape(x.shape)"),),
    ),
    mistake(
        "heads-attend-to-heads",
        "You leave the heads behind the positions, so that heads attend to heads within a token.",
        "Over which axis does PyTorch's function attend? What stands there in your q?",
        change=((LAY_OUT, "per_head.unbind(2)"), (MERGE, "attended.flatten(2)")),
    ),
    mistake(
        "view-straight-to-heads",
        "You reshape straight to (batch, heads, seq, d_head), so that tokens get mixed up.",
        "A reshape keeps the order of the numbers in memory. Which number comes second there?",
        change=(
            (f"self.qkv(x).unflatten(-1, {CUT})", "self.qkv(x).chunk(3, dim=-1)"),
            (LAY_OUT, "(t.reshape(len(x), self.num_heads, x.shape[1], -1) for t in per_head)"),
        ),
    ),
    mistake(
        "view-straight-and-back",
        "You reshape straight to heads and back, so that heads hold pieces of neighbouring tokens.",
        "A reshape keeps the order of the numbers in memory. Which number comes second there?",
        change=(
            (f"self.qkv(x).unflatten(-1, {CUT})", "self.qkv(x).chunk(3, dim=-1)"),
            (LAY_OUT, "(t.reshape(len(x), self.num_heads, x.shape[1], -1) for t in per_head)"),
            (MERGE, "attended.reshape(x.shape)"),
        ),
    ),
    mistake(
        "queries-and-keys-swapped",
        "You take the keys for the queries, and the queries for the keys.",
        "In which order does the text say that q, k and v stand along qkv's output?",
        change=(("q, k, v = ", "k, q, v = "),),
    ),
    mistake(
        "keys-and-values-swapped",
        "You take the values for the keys, and the keys for the values.",
        "In which order does the text say that q, k and v stand along qkv's output?",
        change=(("q, k, v = ", "q, v, k = "),),
    ),
    mistake(
        "queries-and-values-swapped",
        "You take the values for the queries, and the queries for the values.",
        "In which order does the text say that q, k and v stand along qkv's output?",
        change=(("q, k, v = ", "v, k, q = "),),
    ),
    mistake(
        "values-first",
        "You take the first third of qkv's output for the values, and the others in order.",
        "In which order does the text say that q, k and v stand along qkv's output?",
        change=(("q, k, v = ", "v, q, k = "),),
    ),
    mistake(
        "queries-last",
        "You take the last third of qkv's output for the queries, and the others in order.",
        "In which order does the text say that q, k and v stand along qkv's output?",
        change=(("q, k, v = ", "k, v, q = "),),
    ),
    mistake(
        "thirds-within-each-head",
        "You cut qkv's output into heads first and into q, k and v second.",
        "All of q's features stand before all of k's. Which cut comes first, then?",
        change=(
            (CUT, "(self.num_heads, 3, -1)"),
            (LAY_OUT, "per_head.permute(0, 2, 3, 1, 4).unbind(2)"),
        ),
    ),
    mistake(
        "thirds-interleaved",
        "You deal qkv's output out to q, k and v in turn.",
        "All of q's features stand before all of k's. Which of the new axes comes first?",
        change=(
            (CUT, "(self.num_heads, -1, 3)"),
            (LAY_OUT, "per_head.transpose(1, 2).unbind(-1)"),
        ),
    ),
    mistake(
        "interleaved-features",
        "You deal the features out to the heads in turn; each head should own a whole block.",
        "Which features should head 0 hold? Which of the two new axes has to come first?",
        change=(
            (CUT, "(3, -1, self.num_heads)"),
            (LAY_OUT, "per_head.permute(0, 4, 2, 1, 3).unbind(2)"),
            (MERGE, "attended.permute(0, 2, 3, 1).flatten(2)"),
        ),
    ),
    mistake(
        "merge-interleaved",
        "You join the heads feature by feature; head 0's block should come first, whole.",
        "Which of the two axes that you join should change slowest?",
        change=((MERGE, "attended.permute(0, 2, 3, 1).flatten(2)"),),
    ),
    mistake(
        "heads-ignored",
        "You attend with one wide head, whatever num_heads says.",
        "Where in your forward pass does num_heads make a difference?",
        change=((CUT, "(3, 1, -1)"),),
    ),
    mistake(
        "values-from-keys",
        "You use the keys as values, too.",
        "What is looked up, and what is handed over? Follow v from qkv to the end.",
        change=((LAY_OUT, f"{LAY_OUT}\n        v = k"),),
    ),
    mistake(
        "queries-from-keys",
        "You use the keys as queries, too.",
        "Who asks, and who answers? Follow q from qkv to the scores.",
        change=((LAY_OUT, f"{LAY_OUT}\n        q = k"),),
    ),
    mistake(
        "no-output-projection",
        "Your output is the heads side by side; it should pass through `out`.",
        "Where is self.out used?",
        change=((RETURN, f"return {MERGE}"),),
    ),
    mistake(
        "no-scale",
        "Your scores are not divided by the square root of the width of a head.",
        "What does PyTorch's function divide by when `scale` is left alone?",
        change=scaled_by("1.0"),
    ),
    mistake(
        "scale-by-d-model",
        "You divide by the square root of d_model, which is the width of all heads together.",
        "How wide are the two vectors whose dot product is one score?",
        change=scaled_by("x.shape[-1] ** -0.5"),
    ),
    mistake(
        "scale-without-root",
        "You divide by the width of a head, or twice by its root; once by its root is right.",
        "What does PyTorch's function divide by when `scale` is left alone?",
        change=scaled_by("1 / q.shape[-1]"),
    ),
    mistake(
        "multiplied-by-root",
        "You multiply the scores by the square root of the width, where they should be divided.",
        "`scale` is a factor. What should it be for wide heads: large or small?",
        change=scaled_by("q.shape[-1] ** 0.5"),
    ),
    mistake(
        "scale-by-number-of-heads",
        "You divide by the square root of the number of heads; it should be of their width.",
        "How many terms does one dot product between a query and a key have?",
        change=scaled_by("self.num_heads ** -0.5"),
    ),
    mistake(
        "scale-by-length",
        "You divide by the square root of the length; it should be of the width of a head.",
        "How many terms does one dot product between a query and a key have?",
        change=scaled_by("x.shape[1] ** -0.5"),
    ),
    mistake(
        "constant-scale",
        "You divide by a fixed number, which fits one width only.",
        "The books divide by 8 because their heads are 64 wide. How wide are yours?",
        change=scaled_by("1 / 8"),
    ),
    mistake(
        "residual-inside",
        "You add the input to the output; that belongs outside of attention.",
        "What should come out when all of `out` is zero?",
        change=((RETURN, f"return x + self.out({MERGE})"),),
    ),
    mistake(
        "layer-norm-inside",
        "You normalise the input; that belongs outside of attention.",
        "Does twice the input give other scores in your module? Should it?",
        change=(("self.qkv(x)", "self.qkv(F.layer_norm(x, x.shape[-1:]))"),),
    ),
    mistake(
        "three-projections",
        "Your module has separate projections; one layer named `qkv` should make all three.",
        "How can one matrix product give q, k and v at once?",
        change=(
            (
                "self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)",
                "self.w_q, self.w_k, self.w_v = "
                "(nn.Linear(d_model, d_model, bias=bias) for _ in range(3))",
            ),
            ("self.qkv(x)", "torch.cat((self.w_q(x), self.w_k(x), self.w_v(x)), -1)"),
        ),
    ),
)
