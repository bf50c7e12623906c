"""Known mistakes in attention_entropy and classify_pattern."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, gradients, results, softmaxes

entropy = partial(Mistake, "attention_entropy")
pattern = partial(Mistake, "classify_pattern")

TWO_HALVES = "What is the entropy of two halves in nats, by the table?"
SHAPE_OF_RESULT = "What shape should your result have for weights of (2, 3, 5, 7)?"
NEAR_POSITION_2 = "Which keys are at most one position away from position 2?"

SAFE = "    safe = torch.where(weights > 0, weights, 1.0)  # ln 1 = 0, and its gradient is finite\n"
SUM = "-(weights * safe.log()).sum(dim=-1)"
UNIFORM = "attention_entropy(weights).mean() >= 0.95 * math.log(seq)"
DIAGONAL = "weights.diagonal().mean() >= 0.8"
FOCUSED = "weights.amax(dim=-1).mean() >= 0.7"
NEVER = "For your code no table is uniform, not even one of equal weights."
SAME_UNIT = "Is the rule asked at all? Are the entropy and its largest value both in nats?"
LOCAL = "(weights * near).sum(dim=-1).mean() >= 0.8"


def summed(rest: str) -> tuple[tuple[str, str], ...]:
    """The reference with another sum, and without its detour around 0."""
    return ((SAFE, ""), (SUM, rest))


gradient_nan_at_zero = Family(
    "gradient-nan-at-zero",
    "Where a weight is 0 your value is right, but its gradient is NaN.",
    "Call backward on an entropy with a weight of 0. Where does the NaN begin?",
)

every_row_for_the_mean = Family(
    "every-row-for-the-mean",
    "You ask every row to pass; the mean over the rows should.",
    "What would one row that looks elsewhere change in the mean, and in your code?",
)

ENTROPY = (
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

PATTERN = (
    pattern(
        "local-before-focused",
        "You ask for local before focused, so that a head that looks one token back is local.",
        "In which order does the text ask? Which rules hold for such a head?",
        change=(
            (f'if {FOCUSED}:\n        return "focused"', f'if {LOCAL}:\n        return "local"'),
            (f'return "local" if {LOCAL}', f'return "focused" if {FOCUSED}'),
        ),
    ),
    pattern(
        "focused-before-diagonal",
        "A head with 0.9 on its diagonal is focused for your code; the rules call it diagonal.",
        "Which rule is asked first? And what does your measure of the diagonal give for 0.9 on it?",
        change=(
            (DIAGONAL, "weights.amax(dim=-1).mean() >= 0.7"),
            ('return "diagonal"', 'return "focused"'),
        ),
    ),
    pattern(
        "uniform-never-found",
        NEVER,
        SAME_UNIT,
        change=(("math.log(seq)", "math.log2(seq)"),),
    ),
    pattern(
        "entropy-not-relative",
        "You compare the entropy with 0.95 itself, whatever the number of keys.",
        "How large can the entropy be with 3 keys, and with 20?",
        change=(("0.95 * math.log(seq)", "0.95"),),
    ),
    pattern(
        "uniform-asked-last",
        "You ask for uniform after the other rules, so that two even rows of two are local.",
        "In which order does the text ask? Which rules hold for two tokens with even rows?",
        code=f"""
        def classify_pattern(weights):
            seq = len(weights)
            position = torch.arange(seq)
            near = (position - position[:, None]).abs() <= 1
            if {DIAGONAL}:
                return "diagonal"
            if {FOCUSED}:
                return "focused"
            if {LOCAL}:
                return "local"
            return "uniform" if {UNIFORM} else "mixed"
        """,
    ),
    every_row_for_the_mean(
        "classify_pattern", change=((FOCUSED, "weights.amax(dim=-1).min() >= 0.7"),)
    ),
    *(
        pattern(
            "median-for-mean",
            "You take a median over the rows; the rules take the mean, which a few rows change.",
            "Eight rows are alike and one is not. What are the mean and the median?",
            change=((rule, rule.replace("mean", "median")),),
        )
        for rule in (UNIFORM, DIAGONAL, FOCUSED, LOCAL)
    ),
    pattern(
        "bound-not-counted",
        "You ask for more than the bound; at least so much was asked.",
        "What is the mean diagonal of 0.8, 0.2 and 0.2, 0.8, and what does the text call it?",
        change=(
            (DIAGONAL, DIAGONAL.replace(">=", ">")),
            (FOCUSED, FOCUSED.replace(">=", ">")),
            (LOCAL, LOCAL.replace(">=", ">")),
        ),
    ),
    every_row_for_the_mean(
        "classify_pattern",
        change=(
            (DIAGONAL, "weights.diagonal().min() >= 0.8"),
            (FOCUSED, "weights.amax(dim=-1).min() >= 0.7"),
        ),
    ),
    every_row_for_the_mean(
        "classify_pattern",
        change=(
            (UNIFORM, "attention_entropy(weights).min() >= 0.95 * math.log(seq)"),
            (DIAGONAL, "weights.diagonal().min() >= 0.8"),
            (FOCUSED, "weights.amax(dim=-1).min() >= 0.7"),
            (LOCAL, LOCAL.replace("mean", "min")),
        ),
    ),
    pattern(
        "one-row-is-enough",
        "You let one row decide: the largest weight of the whole table.",
        "What does a head look like in which one row is sharp and the others are even?",
        change=((FOCUSED, "weights.max() >= 0.7"),),
    ),
    pattern(
        "column-maximum",
        "You take the largest weight of each column; each row's was asked for.",
        "All rows look at token 0. What are the columns' largest weights?",
        change=(("amax(dim=-1)", "amax(dim=0)"),),
    ),
    pattern(
        "itself-not-counted",
        "You count the two neighbours without the token itself.",
        NEAR_POSITION_2,
        change=((".abs() <= 1", ".abs() == 1"),),
    ),
    pattern(
        "past-neighbour-only",
        "You count the token itself and the one before, not the one after.",
        NEAR_POSITION_2,
        change=(
            (
                "(position - position[:, None]).abs() <= 1",
                "((position - position[:, None]) <= 0) & ((position - position[:, None]) >= -1)",
            ),
        ),
    ),
    pattern(
        "two-positions-away",
        "You count keys two positions away as near.",
        NEAR_POSITION_2,
        change=((".abs() <= 1", ".abs() <= 2"),),
    ),
    pattern(
        "mean-over-all-cells",
        "You take the mean over all cells of the table; what a row gives to near keys is a sum.",
        "What is your measure for a head that gives everything to neighbours, with 20 tokens?",
        change=(("(weights * near).sum(dim=-1).mean()", "(weights * near).mean()"),),
    ),
    pattern(
        "sum-of-the-diagonal",
        "You add up the diagonal and do not divide by its length.",
        "What is your measure for ten even rows?",
        change=(("diagonal().mean()", "diagonal().sum()"),),
    ),
    pattern(
        "uniform-never-found",
        NEVER,
        SAME_UNIT,
        change=((UNIFORM, "False"),),
    ),
    pattern(
        "bounds-swapped",
        "You ask 0.7 of the diagonal and 0.8 of the rows' maxima; it is the other way round.",
        "Which bound stands beside which rule in the text?",
        change=(
            (DIAGONAL, DIAGONAL.replace("0.8", "0.7")),
            (FOCUSED, FOCUSED.replace("0.7", "0.8")),
        ),
    ),
    pattern(
        "other-words",
        "Your names are not those of the task.",
        "Compare your return values with the five names, letter by letter.",
        change=(
            ('return "uniform"', 'return "Uniform"'),
            ('return "diagonal"', 'return "Diagonal"'),
            ('return "focused"', 'return "Focused"'),
            ('return "local"', 'return "Local"'),
            ('else "mixed"', 'else "Mixed"'),
        ),
    ),
    pattern(
        "nothing-for-mixed",
        "Where no rule holds you return nothing; such a head is mixed.",
        "What does a function give back that ends without `return`?",
        change=(('else "mixed"', "else None"),),
    ),
)

MISTAKES = (*ENTROPY, *PATTERN)
