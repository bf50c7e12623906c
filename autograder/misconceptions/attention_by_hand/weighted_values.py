"""Known mistakes in weighted_values."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "weighted_values")

PRODUCT = "weights @ v"

MISTAKES = (
    mistake(
        "weights-transposed",
        "You transpose the weights, so that a query gets what others give it, not what it asks.",
        "Row i of the weights belongs to query i. Which row of the output should it make?",
        change=((PRODUCT, "weights.mT @ v"),),
    ),
    mistake(
        "values-transposed",
        "You transpose the values, so that keys meet features.",
        "Write down the shapes of both factors. Which two sizes have to agree?",
        change=((PRODUCT, "weights @ v.mT"),),
    ),
    mistake(
        "values-first",
        "You multiply the values by the weights; for row vectors the weights come first.",
        "Write down the shapes of both factors. Which two sizes have to agree?",
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
    mistake(
        "best-value-only",
        "You hand over the value with the largest weight alone; all of them count.",
        "What should come out when two keys have a weight of 0.5 each?",
        code="""
        def weighted_values(weights, v):
            best = weights.argmax(dim=-1, keepdim=True)
            return torch.zeros_like(weights).scatter(-1, best, 1.0) @ v
        """,
    ),
    mistake(
        "plain-average",
        "You average the values without looking at the weights.",
        "Where do the weights enter your result?",
        change=((PRODUCT, "torch.full_like(weights, 1 / v.shape[-2]) @ v"),),
    ),
    mistake(
        "values-returned",
        "You return the values as they came.",
        "Where do the weights enter your result?",
        change=((PRODUCT, "v"),),
    ),
    mistake(
        "first-of-the-batch",
        "You average the values of the first batch entry only.",
        "Compare the shapes of v and of your result.",
        change=((PRODUCT, "weights[0] @ v[0]"),),
    ),
    mistake(
        "matrices-only",
        "Your code takes exactly two axes; a batch or heads may stand in front.",
        "What is the shape of weights for a batch with heads? Which product takes any?",
        change=((PRODUCT, "torch.mm(weights, v)"),),
    ),
    mistake(
        "one-batch-axis-only",
        "Your code takes exactly one axis in front of queries and keys; there may be none or two.",
        "What is the shape of weights for a batch with heads? Which product takes any?",
        change=((PRODUCT, "torch.bmm(weights, v)"),),
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
    mistake(
        "gradient-cut",
        "Your output is cut off from weights and values, so that nothing can be learnt through it.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=((PRODUCT, "weights.detach() @ v.detach()"),),
    ),
    mistake(
        "weights-cut-off",
        "Your output is cut off from the weights, so that nothing learns where to look.",
        "Which of the two inputs passes through `.detach()` or `.data`?",
        change=((PRODUCT, "weights.detach() @ v"),),
    ),
    mistake(
        "through-numpy",
        "Your output passes through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=((PRODUCT, "torch.from_numpy(weights.detach().numpy() @ v.detach().numpy())"),),
    ),
    mistake(
        "float32-always",
        "Your output is float32 whatever goes in.",
        "Compare v.dtype with the dtype of your output. Where does it change?",
        change=((PRODUCT, "weights.float() @ v.float()"),),
    ),
    mistake(
        "values-changed",
        "You write into the values that you were given, so that the caller's tensor changes.",
        "What does `*=` do to the tensor of whoever called you?",
        code="""
        def weighted_values(weights, v):
            output = weights @ v
            v *= 0
            return output
        """,
    ),
    mistake(
        "through-the-cpu",
        "Your output passes through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        code="""
        def weighted_values(weights, v):
            output = torch.zeros(*weights.shape[:-1], v.shape[-1], dtype=v.dtype)
            output[...] = weights @ v
            return output
        """,
    ),
)
