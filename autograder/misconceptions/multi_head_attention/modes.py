"""Known mistakes in MultiHeadAttention about arguments, dtype, device and gradients."""

from functools import partial

from autograder.misconceptions.mistake import Mistake
from autograder.misconceptions.multi_head_attention.reference_parts import (
    CHECK,
    OUTPUT,
    PROJECTIONS,
    RETURN,
    WEIGHTS,
)

mistake = partial(Mistake, "MultiHeadAttention")

LAYERS = ("w_q", "w_k", "w_v", "w_o")
LINEAR = "nn.Linear(d_model, d_model, bias=bias)"


def made_as(linear: str, *layers: str) -> tuple[tuple[str, str], ...]:
    """The reference with these layers made another way."""
    return tuple((f"self.{layer} = {LINEAR}", f"self.{layer} = {linear}") for layer in layers)


MISTAKES = (
    mistake(
        "no-check-of-heads",
        "You do not check whether num_heads divides d_model, so the error comes late and unclear.",
        "What should a caller read who asks for 4 heads of a width of 10?",
        change=((CHECK, "if False:"),),
    ),
    mistake(
        "no-heads-let-through",
        "You check whether num_heads divides d_model, but numbers below 1 fall through your check.",
        "What is d_model % 0 in Python, and what is 6 % -3?",
        change=((CHECK, "if d_model % num_heads:"),),
    ),
    mistake(
        "assertion-for-value-error",
        "A bad num_heads raises AssertionError; ValueError was promised.",
        "What does Python do with assert when it runs with -O?",
        change=(("raise ValueError(", "raise AssertionError("),),
    ),
    mistake(
        "numbers-not-named",
        "Your ValueError does not say which numbers do not fit together.",
        "What would you like to read in the error when your own model fails?",
        change=(
            (
                'f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})"',
                '"num_heads does not divide d_model"',
            ),
        ),
    ),
    mistake(
        "bias-ignored",
        "Your projections have a bias even when bias=False.",
        "What does nn.Linear do when it is not told about bias?",
        change=made_as("nn.Linear(d_model, d_model)", *LAYERS),
    ),
    mistake(
        "never-a-bias",
        "Your projections have no bias even when bias=True.",
        "What should w_q.bias be when bias=True?",
        change=made_as("nn.Linear(d_model, d_model, bias=False)", *LAYERS),
    ),
    mistake(
        "no-bias-in-w-o",
        "`w_o` never has a bias.",
        "Which of the four projections does `bias` speak of?",
        change=made_as("nn.Linear(d_model, d_model, bias=False)", "w_o"),
    ),
    mistake(
        "float32-always",
        "What you return is float32 whatever goes in.",
        "Compare x.dtype with the dtype of your output. Where does it change?",
        change=((RETURN, f"return {OUTPUT}.float(), weights.float()"),),
    ),
    mistake(
        "float32-on-the-way",
        "Something on the way is float32 whatever goes in, and does not fit the rest then.",
        "Which two dtypes meet in the line that raises?",
        change=((WEIGHTS, "scores.float().softmax(dim=-1)"),),
    ),
    mistake(
        "made-for-float32",
        "You turn the input into float32 first, which a module in half precision cannot take.",
        "Who chooses the dtype of a module, and who the dtype of its input?",
        change=((PROJECTIONS, PROJECTIONS.replace("w(x)", "w(x.float())")),),
    ),
    mistake(
        "made-for-one-device",
        "You send tensors to the GPU by name, so that your module fails without one.",
        "The input is on some device already. Why move it?",
        change=((PROJECTIONS, PROJECTIONS.replace("w(x)", "w(x.cuda())")),),
    ),
    mistake(
        "gradient-cut",
        "What the heads found is cut off from the input: only `w_o` can learn.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((RETURN, RETURN.replace("weights @ v", "(weights @ v).detach()")),),
    ),
    mistake(
        "output-cut-off",
        "You cut off what is large: your output does not grow with its values.",
        "How large may an output be whose values are large? What does `clamp` do to one?",
        change=((OUTPUT, OUTPUT.replace("weights @ v", "(weights @ v).clamp(-30, 30)")),),
    ),
    mistake(
        "weights-cut-off",
        "Your queries and keys are cut off from the output: only the values can learn.",
        "Which of q, k, v and the weights pass through `.detach()` or `.data`?",
        change=((WEIGHTS, f"{WEIGHTS}.detach()"),),
    ),
    mistake(
        "no-gradient-at-all",
        "Nothing in your module gets a gradient.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((RETURN, f"return {OUTPUT}.detach(), weights"),),
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
