"""Families of mistakes over softmax: its axis, its overflow, what is left of it."""

from autograder.bank import Family

KEYS_OF_ONE_QUERY = "Which axis lists the keys of one query?"
ALONG_AXIS_1 = "Your softmax runs over axis 1, which lists the keys only when there is no batch."
ONE_WHOLE = "Each query shares out a total of one among the keys. Which axis lists the keys?"
FROM_THE_END = "Where do the keys stand, counted from the end?"
SUM_OF_WEIGHTS = "What should each query's weights add up to?"

softmax_over_queries = Family(
    "softmax-over-queries",
    "Your softmax runs over the queries: the columns sum to one, the rows do not.",
    ONE_WHOLE,
)

softmax_down_the_columns = Family(
    "softmax-over-queries",
    "Your softmax goes down the columns; every query's row should sum to 1.",
    "Which axis lists the keys?",
)

softmax_over_first_axis = Family(
    "softmax-over-first-axis",
    "Your softmax runs over the first axis, which is the batch when there is one.",
    FROM_THE_END,
)

softmax_over_second_axis = Family("softmax-over-second-axis", ALONG_AXIS_1, FROM_THE_END)

softmax_over_third_axis = Family(
    "softmax-over-third-axis",
    "Your softmax runs over axis 2, which lists the keys only with exactly one axis in front.",
    FROM_THE_END,
)

softmax_axis_left_out = Family(
    "softmax-axis-left-out",
    "You leave out the axis of softmax, so that PyTorch takes the first or the second one, by how "
    "many axes there are.",
    FROM_THE_END,
)

softmax_over_the_matrix = Family(
    "softmax-over-the-matrix",
    "Your weights sum to one over each whole matrix, not over each row.",
    "How many totals of one should there be: one a matrix, or one a query?",
)

no_maximum_subtracted = Family(
    "no-maximum-subtracted",
    "You take exp of the scores as they are, which overflows when they are large.",
    "What is exp of 1000? Which number may you subtract from a row for free?",
)

exponentials_unbounded = Family(
    "no-maximum-subtracted",
    "You take exp of the scores as they are, which overflows or vanishes for large ones.",
    "Which of the equal ways to write the same softmax keeps every exponential below 1?",
)

one_maximum_for_all_rows = Family(
    "one-maximum-for-all-rows",
    "You subtract the largest score of all, so that rows far below it vanish.",
    "If one row holds scores near 1000 and another near 0, what is left of the second?",
)

no_softmax = Family(
    "no-softmax", "You average by the scores themselves: softmax is missing.", SUM_OF_WEIGHTS
)

log_softmax = Family(
    "log-softmax",
    "You return the logarithm of the weights.",
    "Weights lie between 0 and 1. Where do yours lie, and what brings them back?",
)

applied_twice = Family(
    "applied-twice",
    "You apply softmax to the result of softmax, which makes the {shares} nearly equal.",
    "Softmax of [0, 10] should be close to [0, 1]. What is yours, and why?",
    made="torch.softmax({}, dim=-1)",
    usual={"shares": "weights"},
)

sum_loses_its_axis = Family(
    "sum-loses-its-axis",
    "Your sum loses the axis it sums over, so that you divide along the wrong axis.",
    "Print the shapes of both sides of your division. Which option of sum keeps an axis?",
)

no_exponential = Family(
    "no-exponential",
    "You divide the scores by their sum without taking exp, so that {shares} can be negative.",
    "What becomes of a score of -2? How does softmax make every {share} positive?",
)

sign_turned = Family(
    "sign-turned",
    "Your largest score gets the smallest {share}: a sign is the wrong way round.",
    "Softmax of [0, 5]: which of the two should get nearly everything?",
    usual={"share": "weight"},
)
