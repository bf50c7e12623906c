"""Families of mistakes over what comes back, and in which order."""

from autograder.bank import Family

ROWS_OF_THE_ARGUMENT = "What do the rows of the argument sum to?"
HOW_MANY_RETURNED = "How many values does the docstring list under Returns, and in which order?"
ORDER_RETURNED = "In which order does the docstring list what comes back?"

only_the_output = Family(
    "only-the-output",
    "You return the output alone; the weights were promised as well.",
    HOW_MANY_RETURNED,
)

weights_first = Family(
    "weights-first",
    "You return the weights first and the output second; it is the other way round.",
    ORDER_RETURNED,
)

scores_returned = Family(
    "scores-returned",
    "The second value you return is the scores; the weights were promised.",
    "What should each row of the second value add up to?",
)

dropped_in_training = Family(
    "dropped-in-training",
    "In training, your module leaves something out at random, as dropout does.",
    "Where does the text ask for dropout? What do two calls with the same input give?",
)

residual_inside = Family(
    "residual-inside",
    "You add the {what} to the output; that belongs outside of attention.",
    "Where all {what} are the same, what is their average?",
    usual={"what": "values"},
)

residual_of_heads = Family(
    "residual-inside",
    "You add the input to the output; that belongs outside of attention.",
    "What should come out when all of `{layer}` is zero?",
)

nothing_returned = Family(
    "nothing-returned",
    "You draw the {what} and return nothing.",
    "What does a function without `return` give back?",
    usual={"what": "map"},
)

weights_for_scores = Family(
    "weights-for-scores",
    "You return weights: the softmax belongs to a later exercise.",
    "Scores may be negative, and need not sum to one. Do yours?",
)
