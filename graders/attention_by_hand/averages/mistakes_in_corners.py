"""Known mistakes in weighted_values and simple_attention that ordinary inputs do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners, inputs

VALUES, SIMPLE = "weighted_values", "simple_attention"
averaging, attending = partial(Mistake, VALUES), partial(Mistake, SIMPLE)

UNSCALED = "What does this exercise divide its scores by? Does that depend on {}?"

WEIGHTED_VALUES = (
    corners.turned_when_square(
        VALUES,
        given="weights",
        code="""
        def weighted_values(weights, v):
            square = weights.shape[-1] == weights.shape[-2]
            return (weights.mT if square else weights) @ v
        """,
    ),
    corners.small_weights_dropped(
        VALUES,
        code="""
        def weighted_values(weights, v):
            return torch.where(weights < 1e-4, 0.0, weights) @ v
        """,
    ),
    averaging(
        "as-wide-as-there-are-keys",
        "Your output loses the features that the values have beyond the number of keys.",
        "How wide are the values, and how many keys are there? Need the two be related?",
        code="""
        def weighted_values(weights, v):
            return (weights @ v)[..., : max(v.shape[-2], 4)]
        """,
    ),
    averaging(
        "values-changed-in-a-batch",
        "Where nothing learns, you overwrite the values of a batch that you were given.",
        inputs.UNDERSCORES,
        code="""
        def weighted_values(weights, v):
            output = weights @ v
            if v.ndim > 2 and not v.requires_grad:
                v.zero_()
            return output
        """,
    ),
    corners.order_of_memory_assumed(
        VALUES,
        diagnosis="Heads that were made by a transpose change places in your code.",
        code="""
        def weighted_values(weights, v):
            heads_behind = weights.ndim == 4 and not v.is_contiguous()
            return weights @ (v.contiguous().flip(1) if heads_behind else v)
        """,
    ),
    corners.first_of_many_axes(
        VALUES,
        given="weights and values",
        code="""
        def weighted_values(weights, v):
            while v.ndim > 4:
                weights, v = weights[0], v[0]
            return weights @ v
        """,
    ),
)

SIMPLE_ATTENTION = (
    attending(
        "scaled-with-a-batch",
        "You scale the scores of a batch; those of one text are left as they are.",
        UNSCALED.format("how many texts there are"),
        code="""
        def simple_attention(x):
            scores = x @ x.mT / (math.sqrt(x.shape[-1]) if x.ndim > 2 else 1)
            weights = torch.softmax(scores, dim=-1)
            return weights @ x, weights
        """,
    ),
    attending(
        "scaled-when-wide",
        "You scale the scores of wide tokens; those of narrow ones are left as they are.",
        UNSCALED.format("how wide a token is"),
        code="""
        def simple_attention(x):
            scores = x @ x.mT / (math.sqrt(x.shape[-1]) if x.shape[-1] > 4 else 1)
            weights = torch.softmax(scores, dim=-1)
            return weights @ x, weights
        """,
    ),
    corners.small_weights_dropped(
        SIMPLE,
        code="""
        def simple_attention(x):
            weights = torch.softmax(x @ x.mT, dim=-1)
            return torch.where(weights < 1e-4, 0.0, weights) @ x, weights
        """,
    ),
    attending(
        "other-weights-returned",
        "The weights that you return are scaled; those that you average with are not.",
        "Multiply the weights that come back by x. Is that the output that comes back?",
        code="""
        def simple_attention(x):
            output = torch.softmax(x @ x.mT, dim=-1) @ x
            return output, torch.softmax(x @ x.mT / math.sqrt(x.shape[-1]), dim=-1)
        """,
    ),
    attending(
        "one-token-is-its-own-weight",
        "For a single token, your weights have the token's shape, not one number.",
        "How many queries and how many keys are there when there is one token?",
        code="""
        def simple_attention(x):
            if x.shape[-2] == 1:
                return x.clone(), torch.ones_like(x)
            weights = attention_weights(dot_product_scores(x, x))
            return weighted_values(weights, x), weights
        """,
    ),
)

MISTAKES = WEIGHTED_VALUES + SIMPLE_ATTENTION
