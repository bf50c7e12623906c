"""Known mistakes in weighted_values."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, gradients, inputs, precision, shapes

EXERCISE = "weighted_values"
mistake = partial(Mistake, EXERCISE)

ENTER = "Where do the weights enter your result?"

PRODUCT = "weights @ v"

best_value_only = Family(
    "best-value-only",
    "You hand over the value with the largest weight alone; all of them count.",
    "What should come out when two keys have a weight of 0.5 each?",
)

MISTAKES = (
    shapes.weights_transposed(EXERCISE, change=((PRODUCT, "weights.mT @ v"),)),
    mistake(
        "values-transposed",
        "You transpose the values, so that keys meet features.",
        shapes.SIZES_AGREE,
        change=((PRODUCT, "weights @ v.mT"),),
    ),
    mistake(
        "values-first",
        "You multiply the values by the weights; for row vectors the weights come first.",
        shapes.SIZES_AGREE,
        change=((PRODUCT, "v @ weights"),),
    ),
    mistake(
        "elementwise-product",
        "You multiply weight i with value i only; every query averages over all keys.",
        "How many values does one query's output mix?",
        change=((PRODUCT, "weights * v"),),
    ),
    mistake(
        "not-summed-over-keys",
        "You return every value times its weight, and leave them unsummed.",
        "The equation has a Σ. Over which axis does it run?",
        change=((PRODUCT, "weights.unsqueeze(-1) * v.unsqueeze(-3)"),),
    ),
    mistake(
        "summed-over-queries",
        "You add up over the queries, so that one row for each key is left.",
        "The equation sums over j. Which axis counts the keys?",
        change=((PRODUCT, "(weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-3)"),),
    ),
    mistake(
        "divided-by-number-of-keys",
        "You divide by the number of keys; the weights sum to one already.",
        "Three values are all 6, the weights are 0.5, 0.3 and 0.2. What is the average?",
        change=((PRODUCT, "weights @ v / v.shape[-2]"),),
    ),
    mistake(
        "softmax-again",
        "You apply softmax to the weights once more, which makes them nearly equal.",
        "What should come out when one weight is 1 and all others are 0?",
        change=((PRODUCT, "torch.softmax(weights, dim=-1) @ v"),),
    ),
    best_value_only(
        EXERCISE,
        code="""
        def weighted_values(weights, v):
            best = weights.argmax(dim=-1, keepdim=True)
            return torch.zeros_like(weights).scatter(-1, best, 1.0) @ v
        """,
    ),
    best_value_only(
        EXERCISE,
        code="""
        def weighted_values(weights, v):
            return v[weights.argmax(dim=-1)]
        """,
    ),
    mistake(
        "plain-average",
        "You average the values without looking at the weights.",
        ENTER,
        change=((PRODUCT, "torch.full_like(weights, 1 / v.shape[-2]) @ v"),),
    ),
    mistake(
        "values-returned",
        "You return the values as they came.",
        ENTER,
        change=((PRODUCT, "v"),),
    ),
    shapes.first_of_the_batch(EXERCISE, given="v", change=((PRODUCT, "weights[0] @ v[0]"),)),
    shapes.matrices_only(
        EXERCISE,
        batch="a batch with heads",
        given="weights",
        change=((PRODUCT, "torch.mm(weights, v)"),),
    ),
    shapes.one_batch_axis_only(
        EXERCISE, given="weights", change=((PRODUCT, "torch.bmm(weights, v)"),)
    ),
    mistake(
        "one-axis-in-front-at-most",
        "Your code takes no axis or one in front of the weights; there may be more.",
        "What is the shape of weights for a batch with heads? Which product takes any?",
        code="""
        def weighted_values(weights, v):
            if weights.ndim == 2:
                return torch.bmm(weights[None], v[None])[0]
            return torch.bmm(weights, v)
        """,
    ),
    mistake(
        "output-transposed",
        "Your output is transposed: its rows belong to features and its columns to queries.",
        "Which product gives one row a query? Write down the shapes of both factors.",
        change=((PRODUCT, "(weights @ v).mT"),),
    ),
    mistake(
        "one-batch-shared",
        "Every batch entry gets the values of all of them, added up or mixed.",
        "Which entry's values may a query of the first entry see?",
        code="""
        def weighted_values(weights, v):
            while v.ndim > 2:
                v = v.mean(dim=0)
            return weights @ v
        """,
    ),
    shapes.every_entry_with_every_other(
        EXERCISE, change=(("weights @ v", "torch.tensordot(weights, v, dims=([-1], [-2]))"),)
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your output",
        source="weights and values",
        change=((PRODUCT, "weights.detach() @ v.detach()"),),
    ),
    gradients.weights_cut_off(
        EXERCISE,
        then="nothing learns where to look",
        hint=gradients.ONE_OF_TWO,
        change=((PRODUCT, "weights.detach() @ v"),),
    ),
    devices.through_numpy(
        EXERCISE,
        result="your output",
        change=((PRODUCT, "torch.from_numpy(weights.detach().numpy() @ v.detach().numpy())"),),
    ),
    precision.float32_always(
        EXERCISE, given="v", change=((PRODUCT, "weights.float() @ v.float()"),)
    ),
    mistake(
        "values-changed",
        "You write into the values that you were given, so that the caller's tensor changes.",
        inputs.what_does("*="),
        code="""
        def weighted_values(weights, v):
            output = weights @ v
            v *= 0
            return output
        """,
    ),
    devices.through_the_cpu(
        EXERCISE,
        result="your output",
        code="""
        def weighted_values(weights, v):
            output = torch.zeros(*weights.shape[:-1], v.shape[-1], dtype=v.dtype)
            output[...] = weights @ v
            return output
        """,
    ),
)
