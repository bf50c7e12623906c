"""Known mistakes in classify_pattern."""

from functools import partial

from autograder.bank import Family, Mistake

pattern = partial(Mistake, "classify_pattern")

NEAR_POSITION_2 = "Which keys are at most one position away from position 2?"
UNIFORM = "attention_entropy(weights).mean() >= 0.95 * math.log(seq)"
DIAGONAL = "weights.diagonal().mean() >= 0.8"
FOCUSED = "weights.amax(dim=-1).mean() >= 0.7"
NEVER = "For your code no table is uniform, not even one of equal weights."
SAME_UNIT = "Is the rule asked at all? Are the entropy and its largest value both in nats?"
LOCAL = "(weights * near).sum(dim=-1).mean() >= 0.8"

every_row_for_the_mean = Family(
    "every-row-for-the-mean",
    "You ask every row to pass; the mean over the rows should.",
    "What would one row that looks elsewhere change in the mean, and in your code?",
)

MISTAKES = (
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
