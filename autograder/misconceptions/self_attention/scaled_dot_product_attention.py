"""Known mistakes in scaled_dot_product_attention about scores, scale, softmax and form."""

from functools import partial

from autograder.misconceptions.mistake import Mistake
from autograder.misconceptions.self_attention.formula_parts import (
    RETURN,
    SCORES,
    WEIGHTS,
    returns,
    root,
    weights,
)

mistake = partial(Mistake, "scaled_dot_product_attention")

MISTAKES = (
    mistake(
        "no-scale",
        "Your scores are plain dot products: the division is missing.",
        "How does the spread of a dot product change when the vectors get wider?",
        change=((SCORES, "q @ k.mT"),),
    ),
    mistake(
        "scale-without-root",
        "You divide by d_k itself, not by its square root.",
        "A sum of d_k random terms: is it its variance or its spread that grows like d_k?",
        change=root("k.shape[-1]"),
    ),
    mistake(
        "scale-by-width-of-values",
        "You divide by the root of the values' width; scores are made of queries and keys.",
        "How many terms does one dot product between a query and a key have?",
        change=root("math.sqrt(v.shape[-1])"),
    ),
    mistake(
        "scale-by-number-of-keys",
        "Your scale depends on how many keys there are; it should depend on how wide they are.",
        "Which axis of k counts the keys, and which one holds one key's features?",
        change=root("math.sqrt(k.shape[-2])"),
    ),
    mistake(
        "scale-by-number-of-queries",
        "Your scale depends on how many queries there are; it should depend on how wide they are.",
        "Which axis of q counts the queries, and which one holds one query's features?",
        change=root("math.sqrt(q.shape[-2])"),
    ),
    mistake(
        "multiplied-by-root",
        "You multiply by the square root of d_k, where the scores should be divided by it.",
        "Should wide vectors end up with larger scores or with the same spread as narrow ones?",
        change=((SCORES, "q @ k.mT * math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "constant-scale",
        "You divide by a fixed number, which fits one width only.",
        "The books divide by 8 because their d_k is 64. What is yours?",
        change=root("8"),
    ),
    mistake(
        "scaled-twice",
        "You divide by the root of d_k twice: the scores are scaled, and the weights' input again.",
        "Count the divisions between q kᵀ and softmax.",
        change=weights("torch.softmax(scores / k.shape[-1], dim=-1)"),
    ),
    mistake(
        "scaled-after-softmax",
        "You divide by the root after the softmax, so that weights no longer sum to one.",
        "What does the root tame: the scores, or the weights?",
        change=(
            (SCORES, "q @ k.mT"),
            (WEIGHTS, "torch.softmax(scores, dim=-1) / math.sqrt(k.shape[-1])"),
        ),
    ),
    mistake(
        "keys-not-transposed",
        "You multiply q by k as it is, so that features meet positions.",
        "Write down the shapes of both factors. Which two sizes have to agree?",
        change=((SCORES, "q @ k / math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "all-axes-reversed",
        "`.T` turns round all axes, so that it works only without a batch.",
        "Which two axes of k have to change places, and which have to stay?",
        change=((SCORES, "q @ k.T / math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "transpose-of-a-batch-only",
        "You swap axes 1 and 2, which are the right ones only with exactly one axis in front.",
        "Axes can be counted from the end, too.",
        change=((SCORES, "q @ k.transpose(1, 2) / math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "one-batch-axis-only",
        "Your code takes exactly one axis in front of queries and keys; there may be none or two.",
        "What is the shape of q for a batch with heads? Which product takes any?",
        change=(
            (SCORES, "torch.bmm(q, k.mT) / math.sqrt(k.shape[-1])"),
            (RETURN, "return torch.bmm(weights, v), weights"),
        ),
    ),
    mistake(
        "queries-and-keys-swapped",
        "You score every key against every query: your rows belong to keys.",
        "Row i should tell how query i likes every key. Which factor comes first?",
        change=((SCORES, "k @ q.mT / math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries: the columns sum to one, the rows do not.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=weights("torch.softmax(scores, dim=-2)"),
    ),
    mistake(
        "softmax-over-second-axis",
        "Your softmax runs over axis 1, which lists the keys only when there is no batch.",
        "Where do the keys stand, counted from the end?",
        change=weights("torch.softmax(scores, dim=1)"),
    ),
    mistake(
        "softmax-over-first-axis",
        "Your softmax runs over the first axis, which is the batch when there is one.",
        "Where do the keys stand, counted from the end?",
        change=weights("torch.softmax(scores, dim=0)"),
    ),
    mistake(
        "softmax-over-the-matrix",
        "Your weights sum to one over each whole matrix, not over each row.",
        "How many totals of one should there be: one a matrix, or one a query?",
        change=weights("torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)"),
    ),
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows when they are large.",
        "What is exp of 1000? Which number may you subtract from a row for free?",
        change=weights("torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"),
    ),
    mistake(
        "no-softmax",
        "You average by the scores themselves: softmax is missing.",
        "What should each query's weights add up to?",
        change=weights("scores"),
    ),
    mistake(
        "log-softmax",
        "Your weights are logarithms of weights.",
        "Weights lie between 0 and 1. Where do yours lie, and what brings them back?",
        change=weights("torch.log_softmax(scores, dim=-1)"),
    ),
    mistake(
        "applied-twice",
        "You apply softmax to the result of softmax, which makes the weights nearly equal.",
        "Softmax of [0, 10] should be close to [0, 1]. What is yours, and why?",
        change=weights("torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"),
    ),
    mistake(
        "softmax-of-the-output",
        "You multiply by v first and apply softmax to the product.",
        "Which numbers should sum to one: a query's weights, or its output?",
        change=returns("torch.softmax(scores @ v, dim=-1), weights"),
    ),
    mistake(
        "scores-returned",
        "The second value you return is the scores; the weights were promised.",
        "What should each row of the second value add up to?",
        change=returns("weights @ v, scores"),
    ),
    mistake(
        "only-the-output",
        "You return the output alone; the weights were promised as well.",
        "How many values does the docstring list under Returns, and in which order?",
        change=returns("weights @ v"),
    ),
    mistake(
        "weights-first",
        "You return the weights first and the output second; it is the other way round.",
        "In which order does the docstring list what comes back?",
        change=returns("weights, weights @ v"),
    ),
    mistake(
        "average-of-keys",
        "You average the keys; what is handed over are the values.",
        "Where is v used in your code?",
        change=returns("weights @ k, weights"),
    ),
    mistake(
        "weights-transposed",
        "You average with the transposed weights, so that rows belong to keys.",
        "Which row of the weights should make row i of the output?",
        change=returns("weights.mT @ v, weights"),
    ),
    mistake(
        "residual-inside",
        "You add the values to the output; that belongs outside of attention.",
        "Where all values are the same, what is their average?",
        change=returns("weights @ v + v.mean(dim=-2, keepdim=True), weights"),
    ),
    mistake(
        "gradient-cut",
        "Your output is cut off from queries, keys and values, so that nothing can be learnt.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=returns("(weights @ v).detach(), weights.detach()"),
    ),
    mistake(
        "weights-cut-off",
        "Your output is cut off from the weights: queries and keys cannot learn.",
        "What passes through `.detach()` or `.data` on the way from q and k to the output?",
        change=returns("weights.detach() @ v, weights"),
    ),
    mistake(
        "through-numpy",
        "Your code passes through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=(
            (
                RETURN,
                "output = torch.from_numpy(weights.detach().numpy() @ v.detach().numpy())\n"
                "    return output, weights",
            ),
        ),
    ),
    mistake(
        "float32-always",
        "What you return is float32 whatever goes in.",
        "Compare q.dtype with the dtype of your output. Where does it change?",
        change=(
            (
                f"scores = {SCORES}",
                f"q, k, v = q.float(), k.float(), v.float()\n    scores = {SCORES}",
            ),
        ),
    ),
    mistake(
        "queries-changed",
        "You scale the queries where they lie, so that the caller's tensor changes.",
        "What does `/=` do to the tensor of whoever called you?",
        change=((f"scores = {SCORES}", "q /= math.sqrt(k.shape[-1])\n    scores = q @ k.mT"),),
    ),
    mistake(
        "through-the-cpu",
        "Your code passes through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        change=(
            (
                RETURN,
                "output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype)\n"
                "    output[...] = weights @ v\n    return output, weights",
            ),
        ),
    ),
)
