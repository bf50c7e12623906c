"""Known mistakes in FusedMultiHeadAttention about projections, heads and scale."""

from functools import partial

from autograder.bank import Mistake
from graders.families import heads, results, scaling
from graders.fused_attention.fused_module.reference_parts import (
    CUT,
    LAST_ARGUMENT,
    LAY_OUT,
    MERGE,
    RETURN,
)

EXERCISE = "FusedMultiHeadAttention"
mistake = partial(Mistake, EXERCISE)


def scaled_by(scale: str) -> tuple[tuple[str, str], ...]:
    """The reference with a scale of its own."""
    return ((LAST_ARGUMENT, f"is_causal=is_causal, scale={scale}\n"),)


MISTAKES = (
    heads.no_merge_transpose(EXERCISE, change=((MERGE, "attended.reshape(x.shape)"),)),
    heads.heads_attend_to_heads(
        EXERCISE,
        hint="Over which axis does PyTorch's function attend? What stands there in your q?",
        change=((LAY_OUT, "per_head.unbind(2)"), (MERGE, "attended.flatten(2)")),
    ),
    heads.view_straight_to_heads(
        EXERCISE,
        change=(
            (f"self.qkv(x).unflatten(-1, {CUT})", "self.qkv(x).chunk(3, dim=-1)"),
            (LAY_OUT, "(t.reshape(len(x), self.num_heads, x.shape[1], -1) for t in per_head)"),
        ),
    ),
    heads.view_straight_and_back(
        EXERCISE,
        change=(
            (f"self.qkv(x).unflatten(-1, {CUT})", "self.qkv(x).chunk(3, dim=-1)"),
            (LAY_OUT, "(t.reshape(len(x), self.num_heads, x.shape[1], -1) for t in per_head)"),
            (MERGE, "attended.reshape(x.shape)"),
        ),
    ),
    heads.queries_and_keys_swapped(EXERCISE, change=(("q, k, v = ", "k, q, v = "),)),
    heads.keys_and_values_swapped(EXERCISE, change=(("q, k, v = ", "q, v, k = "),)),
    mistake(
        "queries-and-values-swapped",
        "You take the values for the queries, and the queries for the values.",
        heads.ORDER_OF_QKV,
        change=(("q, k, v = ", "v, k, q = "),),
    ),
    mistake(
        "values-first",
        "You take the first third of qkv's output for the values, and the others in order.",
        heads.ORDER_OF_QKV,
        change=(("q, k, v = ", "v, q, k = "),),
    ),
    mistake(
        "queries-last",
        "You take the last third of qkv's output for the queries, and the others in order.",
        heads.ORDER_OF_QKV,
        change=(("q, k, v = ", "k, v, q = "),),
    ),
    heads.thirds_within_each_head(
        EXERCISE,
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
    heads.interleaved_features(
        EXERCISE,
        change=(
            (CUT, "(3, -1, self.num_heads)"),
            (LAY_OUT, "per_head.permute(0, 4, 2, 1, 3).unbind(2)"),
            (MERGE, "attended.permute(0, 2, 3, 1).flatten(2)"),
        ),
    ),
    heads.merge_interleaved(EXERCISE, change=((MERGE, "attended.permute(0, 2, 3, 1).flatten(2)"),)),
    heads.heads_ignored(EXERCISE, change=((CUT, "(3, 1, -1)"),)),
    heads.values_from_keys(EXERCISE, layer="qkv", around=LAY_OUT),
    heads.queries_from_keys(EXERCISE, layer="qkv", around=LAY_OUT),
    heads.keys_from_queries(EXERCISE, layer="qkv", around=LAY_OUT),
    heads.no_output_projection(EXERCISE, layer="out", change=((RETURN, f"return {MERGE}"),)),
    scaling.no_scale(EXERCISE, change=scaled_by("1.0")),
    scaling.scale_by_d_model(EXERCISE, change=scaled_by("x.shape[-1] ** -0.5")),
    scaling.scale_without_root_of_a_head(EXERCISE, change=scaled_by("1 / q.shape[-1]")),
    mistake(
        "multiplied-by-root",
        "You multiply the scores by the square root of the width, where they should be divided.",
        "`scale` is a factor. What should it be for wide heads: large or small?",
        change=scaled_by("q.shape[-1] ** 0.5"),
    ),
    scaling.scale_by_number_of_heads(EXERCISE, change=scaled_by("self.num_heads ** -0.5")),
    scaling.scale_by_length(
        EXERCISE, width="the width of a head", change=scaled_by("x.shape[1] ** -0.5")
    ),
    scaling.constant_scale_of_heads(EXERCISE, change=scaled_by("1 / 8")),
    results.residual_of_heads(
        EXERCISE, layer="out", change=((RETURN, f"return x + self.out({MERGE})"),)
    ),
    heads.layer_norm_inside(
        EXERCISE, change=(("self.qkv(x)", "self.qkv(F.layer_norm(x, x.shape[-1:]))"),)
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
    mistake(
        "nobody-attended-to",
        "Your input goes straight to the output layer: nobody attends to anybody.",
        "Follow what attention gives back to the end. Where is it used?",
        change=((RETURN, "return self.out(x)"),),
    ),
    mistake(
        "texts-averaged",
        "Every text of the batch gets the average of what all texts found.",
        "What may the output for one text depend on?",
        change=(
            (
                RETURN,
                f"attended = attended.mean(0, keepdim=True).expand_as(attended)\n        {RETURN}",
            ),
        ),
    ),
)
