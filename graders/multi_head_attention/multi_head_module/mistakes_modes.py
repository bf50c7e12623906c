"""Known mistakes in MultiHeadAttention about arguments, dtype, device and gradients."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, heads, precision, refusals, results
from graders.multi_head_attention.multi_head_module.reference_parts import (
    CHECK,
    OUTPUT,
    PROJECTIONS,
    RETURN,
    WEIGHTS,
)

EXERCISE = "MultiHeadAttention"
mistake = partial(Mistake, EXERCISE)

LAYERS = ("w_q", "w_k", "w_v", "w_o")
LINEAR = "nn.Linear(d_model, d_model, bias=bias)"
ERROR = 'ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")'


def made_as(linear: str, *layers: str) -> tuple[tuple[str, str], ...]:
    """The reference with these layers made another way."""
    return tuple((f"self.{layer} = {LINEAR}", f"self.{layer} = {linear}") for layer in layers)


MISTAKES = (
    results.dropped_in_training(
        EXERCISE, change=((WEIGHTS, f"nn.functional.dropout({WEIGHTS}, 0.1, self.training)"),)
    ),
    refusals.no_check_of_heads(EXERCISE, change=((CHECK, "if False:"),)),
    refusals.no_heads_let_through(EXERCISE, change=((CHECK, "if d_model % num_heads:"),)),
    refusals.assertion_for_value_error(
        EXERCISE, change=(("raise ValueError(", "raise AssertionError("),)
    ),
    refusals.assertion_for_value_error(
        EXERCISE,
        change=(
            (f"{CHECK}\n", "assert d_model % num_heads == 0\n"),
            (f"            raise {ERROR}\n", ""),
        ),
    ),
    refusals.numbers_not_named(
        EXERCISE,
        what="model",
        change=(
            (
                'f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})"',
                '"num_heads does not divide d_model"',
            ),
        ),
    ),
    heads.bias_ignored(EXERCISE, change=made_as("nn.Linear(d_model, d_model)", *LAYERS)),
    mistake(
        "never-a-bias",
        "Your projections have no bias even when bias=True.",
        heads.BIAS_WHEN_ASKED,
        change=made_as("nn.Linear(d_model, d_model, bias=False)", *LAYERS),
    ),
    mistake(
        "no-bias-in-w-o",
        "`w_o` never has a bias.",
        "Which of the four projections does `bias` speak of?",
        change=made_as("nn.Linear(d_model, d_model, bias=False)", "w_o"),
    ),
    precision.float32_always(
        EXERCISE, change=((RETURN, f"return {OUTPUT}.float(), weights.float()"),)
    ),
    mistake(
        "float32-on-the-way",
        "Something on the way is float32 whatever goes in, and does not fit the rest then.",
        "Which two dtypes meet in the line that raises?",
        change=((WEIGHTS, "scores.float().softmax(dim=-1)"),),
    ),
    precision.made_for_float32(
        EXERCISE, change=((PROJECTIONS, PROJECTIONS.replace("w(x)", "w(x.float())")),)
    ),
    devices.made_for_one_device(
        EXERCISE, change=((PROJECTIONS, PROJECTIONS.replace("w(x)", "w(x.cuda())")),)
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="the heads' output",
        source="the input",
        then="only `w_o` can learn",
        change=((RETURN, RETURN.replace("weights @ v", "(weights @ v).detach()")),),
    ),
    precision.output_cut_off(
        EXERCISE, change=((OUTPUT, OUTPUT.replace("weights @ v", "(weights @ v).clamp(-30, 30)")),)
    ),
    gradients.weights_cut_off(
        EXERCISE, result="queries and keys", source="the output", around=WEIGHTS
    ),
    gradients.no_gradient_at_all(
        EXERCISE, change=((RETURN, f"return {OUTPUT}.detach(), weights"),)
    ),
    mistake(
        "input-changed",
        "You write into the input, which the caller may still need.",
        "What do `+=`, `*=` and functions whose name ends in an underscore do to a tensor?",
        change=(
            (RETURN, f"output = {OUTPUT}\n        x += output\n        return output, weights"),
        ),
    ),
)
