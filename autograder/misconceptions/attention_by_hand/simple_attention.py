"""Known mistakes in simple_attention."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "simple_attention")

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
    mistake(
        "only-the-output",
        "You return the output alone; the weights were promised as well.",
        "How many values does the docstring list under Returns, and in which order?",
        change=((RETURN, "return weighted_values(weights, x)"),),
    ),
    mistake(
        "only-the-weights",
        "You return the weights alone; the output was promised first.",
        "How many values does the docstring list under Returns, and in which order?",
        change=((RETURN, "return weights"),),
    ),
    mistake(
        "weights-first",
        "You return the weights first and the output second; it is the other way round.",
        "In which order does the docstring list what comes back?",
        change=((RETURN, "return weights, weighted_values(weights, x)"),),
    ),
    mistake(
        "scores-returned",
        "The second value you return is the scores; the weights were promised.",
        "What should each row of the second value add up to?",
        change=((RETURN, f"return weighted_values(weights, x), {SCORES}"),),
    ),
    mistake(
        "no-softmax",
        "You average by the scores themselves: softmax is missing.",
        "What should each token's weights add up to?",
        change=((WEIGHTS, SCORES),),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries: the columns sum to one, the rows do not.",
        "Each token shares out a total of one among all tokens. Which axis lists those?",
        change=((WEIGHTS, "torch.softmax(x @ x.mT, dim=-2)"),),
    ),
    mistake(
        "softmax-over-second-axis",
        "Your softmax runs over axis 1, which lists the keys only when there is no batch.",
        "Where do the keys stand, counted from the end?",
        change=((WEIGHTS, "torch.softmax(x @ x.mT, dim=1)"),),
    ),
    mistake(
        "softmax-over-first-axis",
        "Your softmax runs over the first axis, which is the batch when there is one.",
        "Where do the keys stand, counted from the end?",
        change=((WEIGHTS, "torch.softmax(x @ x.mT, dim=0)"),),
    ),
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows when they are large.",
        "What is exp of 1000? One of your earlier functions is safe from that.",
        code="""
        def simple_attention(x):
            e = torch.exp(x @ x.mT)
            weights = e / e.sum(dim=-1, keepdim=True)
            return weights @ x, weights
        """,
    ),
    mistake(
        "weights-transposed",
        "The output is not made with the weights that you return, but with their transpose.",
        "Which row of the weights should make row i of the output?",
        change=((RETURN, "return weighted_values(weights.mT, x), weights"),),
    ),
    mistake(
        "output-from-scores",
        "The output is made with the scores, though the weights that you return are right.",
        "Which of the two sums to one in every row, and which one averages?",
        change=((RETURN, f"return weighted_values({SCORES}, x), weights"),),
    ),
    mistake(
        "all-axes-reversed",
        "`.T` turns round all axes, so that it works only without a batch.",
        "Which two axes of x have to change places, and which have to stay?",
        change=scores("x @ x.T"),
    ),
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
    mistake(
        "causal-already",
        "You hide the later tokens from every token; nobody asked for a mask here.",
        "May every token attend to every token in this exercise?",
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
    mistake(
        "cosine-similarity",
        "You divide every token by its length first, so that only angles count.",
        "A longer token should attract more weight. Does it in your version?",
        change=scores(
            "torch.nn.functional.normalize(x, dim=-1) @ torch.nn.functional.normalize(x, dim=-1).mT"
        ),
    ),
    mistake(
        "residual-inside",
        "You add the tokens to the output; that belongs outside of attention.",
        "Where all tokens are the same, what is their average?",
        change=((RETURN, "return x + weighted_values(weights, x), weights"),),
    ),
    mistake(
        "gradient-cut",
        "What you return is cut off from the tokens, so that nothing can be learnt through it.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=((RETURN, "return weighted_values(weights, x).detach(), weights.detach()"),),
    ),
    mistake(
        "weights-cut-off",
        "Your weights are cut off from the tokens: gradients pass through the values alone.",
        "The tokens are queries, keys and values at once. Through which of them do gradients pass?",
        change=((WEIGHTS, f"{WEIGHTS}.detach()"),),
    ),
    mistake(
        "through-numpy",
        "Your code passes through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        code="""
        def simple_attention(x):
            a = x.detach().numpy()
            weights = softmax(a @ a.swapaxes(-1, -2))
            return torch.from_numpy(weights @ a), torch.from_numpy(weights)
        """,
    ),
    mistake(
        "float32-always",
        "What you return is float32 whatever goes in.",
        "Compare x.dtype with the dtype of your output. Where does it change?",
        change=((f"weights = {WEIGHTS}", f"x = x.float()\n    weights = {WEIGHTS}"),),
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
    mistake(
        "through-the-cpu",
        "Your code passes through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        code="""
        def simple_attention(x):
            weights = torch.zeros(*x.shape[:-1], x.shape[-2], dtype=x.dtype)
            weights[...] = torch.softmax(x @ x.mT, dim=-1)
            return weights @ x, weights
        """,
    ),
)
