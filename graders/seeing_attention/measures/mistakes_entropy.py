"""Known mistakes in attention_entropy."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, gradients, results, softmaxes

entropy = partial(Mistake, "attention_entropy")

TWO_HALVES = "What is the entropy of two halves in nats, by the table?"
SHAPE_OF_RESULT = "What shape should your result have for weights of (2, 3, 5, 7)?"

SAFE = "    safe = torch.where(weights > 0, weights, 1.0)  # ln 1 = 0, and its gradient is finite\n"
SUM = "-(weights * safe.log()).sum(dim=-1)"


def summed(rest: str) -> tuple[tuple[str, str], ...]:
    """The reference with another sum, and without its detour around 0."""
    return ((SAFE, ""), (SUM, rest))


gradient_nan_at_zero = Family(
    "gradient-nan-at-zero",
    "Where a weight is 0 your value is right, but its gradient is NaN.",
    "Call backward on an entropy with a weight of 0. Where does the NaN begin?",
)

MISTAKES = (
    entropy(
        "zero-times-infinity",
        "A weight of 0 gives NaN: 0 times the logarithm of 0 is 0 times minus infinity.",
        "What could the logarithm be given where the weight is 0?",
        change=summed("-(weights * weights.log()).sum(dim=-1)"),
    ),
    gradient_nan_at_zero(
        "attention_entropy", change=summed("-(weights * weights.log()).nan_to_num().sum(dim=-1)")
    ),
    gradient_nan_at_zero(
        "attention_entropy", change=summed("-torch.xlogy(weights, weights).sum(dim=-1)")
    ),
    entropy(
        "gradient-infinite",
        "The value is right for a weight of 0, but its gradient is infinite.",
        "What is the slope of -w ln w at 0? What was promised for the gradient?",
        change=summed("torch.special.entr(weights).sum(dim=-1)"),
    ),
    *(
        entropy(
            "small-number-lost",
            "Your small number becomes 0 in float16, so that ln 0 comes back there.",
            "What is torch.tensor(1e-12).half()?",
            change=summed(f"-(weights * (weights + {small}).log()).sum(dim=-1)"),
        )
        for small in ("1e-12", "1e-9")
    ),
    entropy(
        "small-weights-dropped",
        "You leave small weights out, as though they were 0; many of them add up.",
        "What does a weight of 0.001 add to the entropy? And a hundred of them?",
        change=(("weights > 0,", "weights > 1e-3,"),),
    ),
    entropy(
        "small-number-too-large",
        "The small number that you add to the weights is large enough to change the result.",
        "How large is your result for the row 1, 0, 0, 0?",
        change=summed("-(weights * (weights + 1e-3).log()).sum(dim=-1)"),
    ),
    entropy(
        "minus-forgotten",
        "Your entropies are negative: logarithms of shares are.",
        "What stands in front of the sum in the equation?",
        change=((SUM, SUM.removeprefix("-")),),
    ),
    entropy(
        "bits-for-nats",
        "You measure in bits, with the logarithm to base 2; nats were asked for.",
        TWO_HALVES,
        change=((".log()", ".log2()"),),
    ),
    entropy(
        "base-ten",
        "You take the logarithm to base 10; nats need the natural one.",
        TWO_HALVES,
        change=((".log()", ".log10()"),),
    ),
    entropy(
        "sum-over-queries",
        "You add up over the queries; each query has an entropy of its own.",
        softmaxes.KEYS_OF_ONE_QUERY,
        change=(("dim=-1", "dim=-2"),),
    ),
    entropy(
        "sum-over-everything",
        "You add up over all weights; one entropy for each query was promised.",
        SHAPE_OF_RESULT,
        change=((".sum(dim=-1)", ".sum()"),),
    ),
    entropy(
        "mean-for-sum",
        "You take the mean over the keys; the entropy is the sum.",
        "Which entropy has your code for four even weights?",
        change=((".sum(dim=-1)", ".mean(dim=-1)"),),
    ),
    entropy(
        "mean-over-queries",
        "You average over the queries; one entropy for each query was promised.",
        SHAPE_OF_RESULT,
        change=((".sum(dim=-1)", ".sum(dim=-1).mean(dim=-1)"),),
    ),
    entropy(
        "divided-by-its-largest-value",
        "You divide by ln keys; the entropy itself was asked for.",
        "What is the entropy of four even weights, by the table?",
        change=((SUM, f"{SUM} / math.log(weights.shape[-1])"),),
    ),
    entropy(
        "effective-number-of-keys",
        "You return e to the power of the entropy, the effective number of keys.",
        "Which column of the table was asked for?",
        change=((SUM, f"({SUM}).exp()"),),
    ),
    entropy(
        "axis-hard-coded",
        "Your sum runs over axis 1, which lists the keys only where nothing stands in front.",
        "Where do the keys stand in (batch, heads, queries, keys), whatever stands in front?",
        change=(("dim=-1", "dim=1"),),
    ),
    entropy(
        "axis-kept",
        "You keep the keys' axis with length 1; the result should have one number a query.",
        SHAPE_OF_RESULT,
        change=((".sum(dim=-1)", ".sum(dim=-1, keepdim=True)"),),
    ),
    entropy(
        "softmax-of-weights",
        "You take the softmax of weights, which are shares already.",
        results.ROWS_OF_THE_ARGUMENT,
        change=((SAFE, "    weights = weights.softmax(dim=-1)\n    safe = weights\n"),),
    ),
    devices.through_numpy(
        "attention_entropy",
        result="the weights",
        code="""
        import numpy as np

        def attention_entropy(weights):
            shares = weights.detach().cpu().numpy()
            safe = np.where(shares > 0, shares, 1.0)
            return torch.from_numpy(-(shares * np.log(safe)).sum(axis=-1)).to(weights.dtype)
        """,
    ),
    gradients.gradient_cut(
        "attention_entropy",
        result="your entropies",
        source="the weights",
        change=(("weights * safe", "weights.detach() * safe.detach()"),),
    ),
    entropy(
        "zeros-overwritten",
        "Your code writes into the caller's weights.",
        "What does an assignment to weights[...] change, and whose tensor is it?",
        change=(
            (
                SAFE,
                "    weights[weights == 0] = 1.0\n    safe = weights\n",
            ),
        ),
    ),
    entropy(
        "single-precision-always",
        "Your entropies come in float32, whatever came in.",
        "Which dtype do the weights have, and which your result?",
        change=((SUM, SUM.replace("(weights * safe", "(weights.float() * safe.float()")),),
    ),
)
