"""Known mistakes in MultiHeadAttention about projections, heads, and what comes back."""

from functools import partial

from autograder.bank import Mistake
from graders.families import heads, results
from graders.multi_head_attention.multi_head_module.reference_parts import (
    OUTPUT,
    PROJECTIONS,
    RETURN,
)

EXERCISE = "MultiHeadAttention"
mistake = partial(Mistake, EXERCISE)

AXES_OF_WEIGHTS = "How many axes do the weights have when there are several heads?"

LINEAR = "nn.Linear(d_model, d_model, bias=bias)"


def split_by(expression: str) -> tuple[str, str]:
    """The reference with another way to cut t, what a projection gives, into heads."""
    layers = "(self.w_q, self.w_k, self.w_v)"
    return PROJECTIONS, f"q, k, v = ({expression} for t in (w(x) for w in {layers}))"


def merged_by(expression: str) -> tuple[str, str]:
    """The reference with another way to join the heads."""
    return OUTPUT, f"self.w_o({expression})"


MISTAKES = (
    mistake(
        "output-only",
        "You return the output alone; two values were promised, the output and the weights.",
        "Which of the two does a caller unpack who writes `output, weights = attention(x)`?",
        change=((RETURN, f"return {OUTPUT}"),),
    ),
    results.weights_first(
        EXERCISE,
        hint="In which order does the text promise the two?",
        change=((RETURN, f"return weights, {OUTPUT}"),),
    ),
    mistake(
        "weights-averaged",
        "You average the weights over the heads; each head's own were promised.",
        AXES_OF_WEIGHTS,
        change=((RETURN, RETURN.replace(", weights", ", weights.mean(dim=1)")),),
    ),
    mistake(
        "weights-of-one-head",
        "You return the weights of one head; those of every head were promised.",
        AXES_OF_WEIGHTS,
        change=((RETURN, RETURN.replace(", weights", ", weights[:, 0]")),),
    ),
    heads.heads_ignored(EXERCISE, change=(split_by("split_heads(t, 1)"),)),
    mistake(
        "heads-averaged",
        "You average what the heads found; it should stand side by side.",
        "How wide is the vector that goes into w_o, and what lies in its second half?",
        change=(merged_by("(weights @ v).mean(dim=1).repeat(1, 1, self.num_heads)"),),
    ),
    mistake(
        "first-head-for-all",
        "You use what the first head found in the place of every head.",
        "What is different between head 0 and head 1 in your code?",
        change=(merged_by("(weights @ v)[:, 0].repeat(1, 1, self.num_heads)"),),
    ),
    heads.no_merge_transpose(EXERCISE, change=(merged_by("(weights @ v).reshape(x.shape)"),)),
    heads.merge_interleaved(
        EXERCISE, change=(merged_by("(weights @ v).permute(0, 2, 3, 1).flatten(2)"),)
    ),
    heads.view_straight_to_heads(
        EXERCISE, change=(split_by("t.reshape(len(x), self.num_heads, x.shape[1], -1)"),)
    ),
    heads.view_straight_and_back(
        EXERCISE,
        change=(
            split_by("t.reshape(len(x), self.num_heads, x.shape[1], -1)"),
            merged_by("(weights @ v).reshape(x.shape)"),
        ),
    ),
    heads.interleaved_features(
        EXERCISE,
        change=(
            split_by("t.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)"),
            merged_by("(weights @ v).permute(0, 2, 3, 1).flatten(2)"),
        ),
    ),
    heads.heads_attend_to_heads(
        EXERCISE,
        change=(
            split_by("t.unflatten(-1, (self.num_heads, -1))"),
            merged_by("(weights @ v).flatten(2)"),
        ),
    ),
    heads.no_output_projection(
        EXERCISE, layer="w_o", change=((OUTPUT, "merge_heads(weights @ v)"),)
    ),
    mistake(
        "output-projection-before-the-merge",
        "You send each head through `w_o` by itself, which is as wide as all heads together.",
        "How wide is one head, and how wide is the input of w_o?",
        change=((OUTPUT, "merge_heads(self.w_o(weights @ v))"),),
    ),
    mistake(
        "output-projection-on-values",
        "You project the values with `w_o` before attending; the heads are to mix at the end.",
        "What goes into w_o in the equation?",
        change=(
            (PROJECTIONS, f"{PROJECTIONS}\n        v = split_heads(self.w_o(x), self.num_heads)"),
        ),
    ),
    heads.values_from_keys(EXERCISE, layer="w_v", around=PROJECTIONS),
    heads.queries_from_keys(EXERCISE, layer="w_q", around=PROJECTIONS),
    heads.keys_from_queries(EXERCISE, layer="w_k", around=PROJECTIONS),
    heads.queries_and_keys_swapped(
        EXERCISE,
        hint="Which projection makes the queries, and whose rows do the scores have?",
        change=((PROJECTIONS, PROJECTIONS.replace("q, k, v", "k, q, v")),),
    ),
    heads.keys_and_values_swapped(
        EXERCISE,
        hint="Which projection makes what is looked up, and which what is handed over?",
        change=((PROJECTIONS, PROJECTIONS.replace("q, k, v", "q, v, k")),),
    ),
    mistake(
        "one-projection-for-all",
        "You make queries, keys and values with the same projection.",
        "Where are w_k and w_v used?",
        change=((PROJECTIONS, PROJECTIONS.replace("self.w_k, self.w_v", "self.w_q, self.w_q")),),
    ),
    mistake(
        "values-not-projected",
        "You attend to the input itself; the values should come from `w_v`.",
        "Where is self.w_v used?",
        change=((PROJECTIONS, f"{PROJECTIONS}\n        v = split_heads(x, self.num_heads)"),),
    ),
    mistake(
        "weight-transposed",
        "You multiply by the weight of a projection the wrong way round.",
        "nn.Linear computes x W^T + b. Do you call the layer, or multiply by hand?",
        change=(
            (
                PROJECTIONS,
                PROJECTIONS.replace("w(x)", "nn.functional.linear(x, w.weight.mT, w.bias)"),
            ),
        ),
    ),
    results.residual_of_heads(EXERCISE, layer="w_o", change=((OUTPUT, f"x + {OUTPUT}"),)),
    heads.layer_norm_inside(
        EXERCISE,
        change=(
            (PROJECTIONS, f"x = nn.functional.layer_norm(x, x.shape[-1:])\n        {PROJECTIONS}"),
        ),
    ),
    mistake(
        "narrow-projections",
        "Your projections are as wide as one head; each should make the features of all heads.",
        "How many features do the heads have together?",
        change=(
            (f"self.w_q = {LINEAR}", "self.w_q = nn.Linear(d_model, d_model // num_heads, bias)"),
            (f"self.w_k = {LINEAR}", "self.w_k = nn.Linear(d_model, d_model // num_heads, bias)"),
            (f"self.w_v = {LINEAR}", "self.w_v = nn.Linear(d_model, d_model // num_heads, bias)"),
        ),
    ),
    mistake(
        "other-names",
        "Your projections do not have the names that the text gives them.",
        "Which four names should state_dict() show? Python tells capitals from small letters.",
        change=(
            ("self.w_q = ", "self.W_q = "),
            ("self.w_k = ", "self.W_k = "),
            ("self.w_v = ", "self.W_v = "),
            ("self.w_o = ", "self.W_o = "),
            ("(self.w_q, self.w_k, self.w_v)", "(self.W_q, self.W_k, self.W_v)"),
            (RETURN, RETURN.replace("self.w_o", "self.W_o")),
        ),
    ),
)
