"""Families of mistakes that ordinary inputs do not show: right but in a corner."""

from autograder.bank import Family

ONE_IN_FRONT = "What are the shapes on the way for a batch, and what are they for none?"
NUMBERS_IN_BETWEEN = "What is the largest number in float16? In which order are none so large?"

turned_when_square = Family(
    "turned-when-square",
    "You treat {given} in another way where two of its axes happen to be equally long.",
    "What tells one axis from another: how long it is, or where it stands?",
)

axes_of_one_lost = Family(
    "axes-squeezed-away",
    "Where an axis has length 1, it is lost on the way.",
    "What becomes of an axis of length 1 in your code? Try {single}.",
    usual={"single": "one text, or one token"},
)

small_weights_dropped = Family(
    "small-weights-dropped",
    "You set small {shares} to 0, but small is not nothing.",
    "What do a thousand weights of 0.00005 come to together?",
    usual={"shares": "weights"},
)

large_scores_cut_off = Family(
    "large-scores-cut-off",
    "You cut off scores that are large, so that they stop growing.",
    "How large may a score be? What does `clamp` do to one of 10,000?",
)

overflow_on_the_way = Family(
    "overflow-on-the-way",
    "Your scores fit into float16, but a number on the way to them does not.",
    NUMBERS_IN_BETWEEN,
)

order_of_memory_assumed = Family(
    "order-of-memory-assumed",
    "Your code counts on {given} lying in memory in the order of its axes, which a transpose ends.",
    "What does a transpose do to the order in memory? Which of your operations depend on it?",
)

first_of_many_axes = Family(
    "first-of-many-axes",
    "Where more than two axes stand in front, you use the first entry of the others alone.",
    "How many axes may stand in front of {given}? Does your code count them?",
)

last_mask_kept = Family(
    "last-mask-kept",
    "Your module keeps the mask of an earlier call, and uses it where none is given.",
    "What should two calls of one module know of each other?",
)

not_moved_when_as_many = Family(
    "as-many-heads-as-tokens",
    "Where there are as many heads as tokens, you join them without moving an axis.",
    "What tells heads from tokens: how many there are, or on which axis they stand?",
)

trace_of_the_average = Family(
    "trace-of-the-average",
    "A little of the average of all values comes out as well, whatever the weights are.",
    "What should come out for a weight of exactly 1? What comes out in your code?",
)
