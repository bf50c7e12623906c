"""Known mistakes in simple_attention."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, masks, precision, results, shapes, softmaxes

EXERCISE = "simple_attention"
mistake = partial(Mistake, EXERCISE)

SCORES = "dot_product_scores(x, x)"
WEIGHTS = f"attention_weights({SCORES})"
RETURN = "return weighted_values(weights, x), weights"


def scores(instead: str) -> tuple[tuple[str, str], ...]:
    """The reference with other scores."""
    return ((SCORES, instead),)


MISTAKES = (
    mistake(
        "scaled-though-raw",
        "You divide by the root of the width; here tokens attend by plain dot products.",
        "The docstring gives the equation. Does it have a fraction line?",
        change=scores("x @ x.mT / math.sqrt(x.shape[-1])"),
    ),
    results.only_the_output(EXERCISE, change=((RETURN, "return weighted_values(weights, x)"),)),
    mistake(
        "only-the-weights",
        "You return the weights alone; the output was promised first.",
        results.HOW_MANY_RETURNED,
        change=((RETURN, "return weights"),),
    ),
    results.weights_first(
        EXERCISE, change=((RETURN, "return weights, weighted_values(weights, x)"),)
    ),
    results.scores_returned(
        EXERCISE, change=((RETURN, f"return weighted_values(weights, x), {SCORES}"),)
    ),
    softmaxes.no_softmax(EXERCISE, change=((WEIGHTS, SCORES),)),
    softmaxes.softmax_over_queries(
        EXERCISE, change=((WEIGHTS, "torch.softmax(x @ x.mT, dim=-2)"),)
    ),
    softmaxes.softmax_over_second_axis(
        EXERCISE, change=((WEIGHTS, "torch.softmax(x @ x.mT, dim=1)"),)
    ),
    softmaxes.softmax_over_first_axis(
        EXERCISE, change=((WEIGHTS, "torch.softmax(x @ x.mT, dim=0)"),)
    ),
    softmaxes.no_maximum_subtracted(
        EXERCISE,
        hint="What is exp of 1000? One of your earlier functions is safe from that.",
        code="""
        def simple_attention(x):
            e = torch.exp(x @ x.mT)
            weights = e / e.sum(dim=-1, keepdim=True)
            return weights @ x, weights
        """,
    ),
    shapes.weights_transposed(
        EXERCISE, change=((RETURN, "return weighted_values(weights.mT, x), weights"),)
    ),
    mistake(
        "output-from-scores",
        "The output is made with the scores, though the weights that you return are right.",
        "Which of the two sums to one in every row, and which one averages?",
        change=((RETURN, f"return weighted_values({SCORES}, x), weights"),),
    ),
    shapes.all_axes_reversed(EXERCISE, given="x", change=scores("x @ x.T")),
    mistake(
        "features-attend",
        "Your table compares features with features; it should compare tokens with tokens.",
        "How many rows should the weights of five tokens have?",
        code="""
        def simple_attention(x):
            weights = torch.softmax(x.mT @ x, dim=-1)
            return x @ weights, weights
        """,
    ),
    mistake(
        "itself-left-out",
        "Your tokens do not attend to themselves; here everyone attends to everyone.",
        "What does the diagonal of your weights hold?",
        code="""
        def simple_attention(x):
            scores = x @ x.mT
            itself = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)
            weights = torch.softmax(scores.masked_fill(itself, -torch.inf), dim=-1)
            return weights @ x, weights
        """,
    ),
    masks.causal_already(
        EXERCISE,
        key="token",
        query="token",
        code="""
        def simple_attention(x):
            scores = x @ x.mT
            future = torch.ones_like(scores, dtype=torch.bool).triu(1)
            weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
            return weights @ x, weights
        """,
    ),
    mistake(
        "only-itself",
        "Every token attends to itself alone, so that the input comes out again.",
        "A score of 0 is no refusal. What share does softmax give it?",
        code="""
        def simple_attention(x):
            weights = torch.zeros_like(x @ x.mT)
            weights = weights + torch.eye(x.shape[-2], dtype=x.dtype, device=x.device)
            return weights @ x, weights
        """,
    ),
    shapes.cosine_similarity(
        EXERCISE,
        what="token",
        key="token",
        change=scores(
            "torch.nn.functional.normalize(x, dim=-1) @ torch.nn.functional.normalize(x, dim=-1).mT"
        ),
    ),
    shapes.cosine_similarity(
        EXERCISE,
        what="token",
        key="token",
        change=(
            (
                f"weights = {WEIGHTS}",
                f"x = torch.nn.functional.normalize(x, dim=-1)\n    weights = {WEIGHTS}",
            ),
        ),
    ),
    shapes.one_axis_in_front_of_tokens_only(
        EXERCISE,
        change=((f"weights = {WEIGHTS}", f"batch, seq, width = x.shape\n    weights = {WEIGHTS}"),),
    ),
    results.residual_inside(
        EXERCISE,
        what="tokens",
        change=((RETURN, "return x + weighted_values(weights, x), weights"),),
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your results",
        source="the tokens",
        change=((RETURN, "return weighted_values(weights, x).detach(), weights.detach()"),),
    ),
    gradients.weights_cut_off(
        EXERCISE,
        result="your weights",
        source="the tokens",
        then="gradients pass through the values alone",
        hint="The tokens are queries, keys and values at once. Through which do gradients pass?",
        around=WEIGHTS,
    ),
    devices.through_numpy(
        EXERCISE,
        code="""
        def simple_attention(x):
            a = x.detach().numpy()
            weights = softmax(a @ a.swapaxes(-1, -2))
            return torch.from_numpy(weights @ a), torch.from_numpy(weights)
        """,
    ),
    precision.float32_always(
        EXERCISE, change=((f"weights = {WEIGHTS}", f"x = x.float()\n    weights = {WEIGHTS}"),)
    ),
    mistake(
        "tokens-changed",
        "You work on the tokens where they lie, so that the caller's tensor changes.",
        "What does an assignment to `x[...]` do to the tensor of whoever called you?",
        code="""
        def simple_attention(x):
            weights = torch.softmax(x @ x.mT, dim=-1)
            x[...] = weights @ x
            return x, weights
        """,
    ),
    devices.through_the_cpu(
        EXERCISE,
        code="""
        def simple_attention(x):
            weights = torch.zeros(*x.shape[:-1], x.shape[-2], dtype=x.dtype)
            weights[...] = torch.softmax(x @ x.mT, dim=-1)
            return weights @ x, weights
        """,
    ),
)
