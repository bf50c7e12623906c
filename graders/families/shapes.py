"""Families of mistakes over axes, transposes and products."""

from autograder.bank import Family

FROM_THE_END = "Axes can be counted from the end, too."
ROW_I = "Row i should tell how query i likes every key. Which factor comes first?"
SIZES_AGREE = "Write down the shapes of both factors. Which two sizes have to agree?"
ANY_AXES = "What is the shape of {given} for {batch}? Which product takes any?"

all_axes_reversed = Family(
    "all-axes-reversed",
    "Your code works only without a batch, as with `.T`, which turns round all axes.",
    "Which two axes of {given} have to change places, and which have to stay?",
    usual={"given": "k"},
)

transpose_of_a_matrix_only = Family(
    "transpose-of-a-matrix-only",
    "You swap axes 0 and 1, which are the right ones only without a batch.",
    FROM_THE_END,
)

transpose_of_a_batch_only = Family(
    "transpose-of-a-batch-only",
    "You count axes 1 and 2 from the front: the right ones only with exactly one axis before them.",
    FROM_THE_END,
)

transpose_of_heads_only = Family(
    "transpose-of-heads-only",
    "You swap axes 2 and 3, which are the right ones only with exactly two axes in front.",
    FROM_THE_END,
)

reshaped_for_transposed = Family(
    "reshaped-for-transposed",
    "You reshape the keys where they should be transposed, so that several keys mix.",
    "A reshape keeps the order of the numbers in memory. Does a transpose?",
)

keys_by_queries = Family(
    "keys-by-queries",
    "Your scores are transposed: your rows belong to keys and your columns to queries.",
    ROW_I,
)

keys_not_transposed = Family(
    "keys-not-transposed",
    "You multiply q by k as it is, so that features meet positions.",
    SIZES_AGREE,
)

elementwise_product = Family(
    "elementwise-product",
    "You multiply query i with key i only; every query should meet every key.",
    "How many scores do 5 queries and 7 keys have?",
)

cosine_similarity = Family(
    "cosine-similarity",
    "You divide every {what} by its own length, so that only angles count.",
    "A longer {key} should get larger scores. Does it in your version?",
    usual={"what": "vector", "key": "key"},
)

distance_for_similarity = Family(
    "distance-for-similarity",
    "You measure distances; the score is a dot product.",
    "What should the score of two perpendicular vectors be?",
)

matrices_only = Family(
    "matrices-only", "Your code takes exactly two axes; {batch} may stand in front.", ANY_AXES
)

weights_transposed = Family(
    "weights-transposed",
    "You average with the transposed weights, so that rows belong to keys.",
    "Which row of the weights should make row i of the output?",
)

one_batch_axis_only = Family(
    "one-batch-axis-only",
    "Your code takes exactly one axis in front of queries and keys; there may be none or two.",
    ANY_AXES,
    usual={"batch": "a batch with heads"},
)

one_axis_in_front_of_tokens_only = Family(
    "one-batch-axis-only",
    "Your code takes exactly one axis in front of the tokens; there may be none or two.",
    "What is the shape of x for one text alone? Which of your lines needs three axes?",
)

every_entry_with_every_other = Family(
    "every-entry-with-every-other",
    "With a batch, every entry of one factor meets every entry of the other, which adds axes.",
    "Which shape comes back for a batch of 2? Which product keeps to one entry at a time?",
)

first_of_the_batch = Family(
    "first-of-the-batch",
    "Your code looks at the first entry of the batch only.",
    "Compare the shapes of {given} and of your {name}.",
    usual={"name": "result"},
)
