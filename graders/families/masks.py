"""Families of mistakes over what may be seen, and how it is forbidden."""

from autograder.bank import Family

ROW_OF_QUERY_I = "Row i belongs to query i. Which keys does your first row allow?"
SWAPPED = "Your rows and columns are swapped: queries see the future in place of the past."
WHAT_IS_LEFT = "One forbidden score is 1000 above the others. What is left of those after softmax?"
IS_THERE_A_MASK = "How do you ask whether there is a mask at all?"

mask_inverted = Family(
    "mask-inverted",
    "Your mask is True where attention is forbidden; here True means allowed.",
    "Read one row of your mask aloud: which keys may its query see?",
    made="~({})",
)

mask_read_inverted = Family(
    "mask-inverted",
    "You take True for forbidden; in this course True means allowed.",
    "What should happen to a key where the mask is True?",
)

fill_too_soft = Family(
    "fill-too-soft",
    "A trace of {what} still reaches {where}.",
    "Is each forbidden weight exactly 0? If you fill scores, what is exp of your fill value?",
    usual={"what": "the future", "where": "the output"},
)

filled_with_zero = Family(
    "filled-with-zero",
    "You set forbidden scores to zero, or close to it, which still earns a weight.",
    "What share does softmax give a score of 0? Which score has none at all?",
)

filled_with_minus_twenty = Family(
    "filled-with-minus-twenty",
    "You fill in a number that leaves forbidden keys a small share.",
    "How much is e to the power -20? Is it 0?",
)

zero_times_infinity = Family(
    "zero-times-infinity",
    "You multiply by infinity, and 0 times infinity is NaN.",
    "Which operation chooses between two values without computing with both?",
)

mask_transposed = Family(
    "mask-transposed",
    "You transpose the mask: its rows belong to queries already.",
    "Which axis of the mask lists the keys?",
)

mask_turned_round = Family("mask-transposed", SWAPPED, ROW_OF_QUERY_I)

causal_transposed = Family(
    "causal-transposed",
    "With is_causal, queries see the future in place of the past.",
    ROW_OF_QUERY_I,
)

causal_one_step_ahead = Family(
    "one-step-ahead",
    "With is_causal, every query sees one step into the future.",
    "Which keys may the first query see?",
)

one_step_ahead = Family(
    "one-step-ahead",
    "Every position sees one step into the future.",
    "Which keys may the first position see?",
)

diagonal_excluded = Family(
    "diagonal-excluded",
    "Your positions do not attend to themselves.",
    "What is left for the first position to attend to?",
)

causal_uninvited = Family(
    "causal-already",
    "You hide the later keys from every query, mask or no mask.",
    "May every query attend to every key when nobody gives a mask?",
)

causal_without_itself = Family(
    "diagonal-excluded",
    "With is_causal, a query may not attend to its own position.",
    "What is left for the first query to attend to?",
)

float_mask = Family(
    "float-mask",
    "Your mask holds ones and zeros as floating-point numbers; True and False were promised.",
    "Look at mask.dtype. What does `~mask` give for a mask of floats?",
    made="({}).float()",
)

whole_number_mask = Family(
    "whole-number-mask",
    "Your mask holds ones and zeros as whole numbers; True and False were promised.",
    "Look at mask.dtype. What does `~mask` give for a mask of whole numbers?",
)

additive_mask = Family(
    "additive-mask",
    "Your mask is meant to be added to the scores; this one only says True or False.",
    "Which values may a boolean mask hold?",
    made="({}).float().log()",
)

mask_ignored = Family(
    "mask-ignored",
    "Your mask has no effect: nothing uses it, or what masking gives back is thrown away.",
    "Where in your code does the mask make a difference? Is the result of masking kept?",
)

mask_ignored_in_a_batch = Family(
    "mask-ignored-in-a-batch",
    "Your mask works for one text alone, and is not used where a batch stands in front.",
    "What happens to the mask when {given} has three dimensions?",
    usual={"given": "x"},
)

always_causal = Family(
    "always-causal",
    "Your attention is causal even when nobody asked for it.",
    "What should happen when is_causal is False?",
)

is_causal_ignored = Family(
    "is-causal-ignored",
    "`is_causal` has no effect in your code.",
    "Where in your code does is_causal make a difference?",
)

fill_dropped = Family(
    "fill-dropped",
    "You drop the result of filling, so that all scores stay as they are.",
    "Does `masked_fill` change its tensor, or does it give back a new one?",
)

masked_after_softmax = Family(
    "masked-after-softmax",
    "You remove forbidden weights after the softmax, so that the rest no longer sum to one.",
    "What do the weights of a row add up to once some are set to 0?",
)

mask_after_softmax = Family(
    "mask-after-softmax",
    "You set weights to 0 after the softmax, so that the rows no longer sum to one.",
    "What do the weights that are left add up to?",
)

renormalised_after_softmax = Family(
    "renormalised-after-softmax",
    "You mask after the softmax and divide again, where {what} may have taken everything.",
    WHAT_IS_LEFT,
    usual={"what": "the future"},
)

mask_given_an_axis = Family(
    "mask-given-an-axis",
    "You add an axis to every mask, which breaks masks that already broadcast.",
    "Which shapes may a mask have, and what does broadcasting do to the missing axes?",
)

zeros_and_ones_added = Family(
    "zeros-and-ones-added",
    "You add the mask to the scores as zeros and ones.",
    "What does adding 1 to a score do, and what does adding 0? What would forbid a key?",
)

truth_of_a_tensor = Family(
    "truth-of-a-tensor",
    "`if mask:` asks a whole table whether it is true, which Python cannot answer.",
    IS_THERE_A_MASK,
)

mask_taken_for_the_batch = Family(
    "mask-taken-for-the-batch",
    "You take the first of a mask's three axes for the batch where the sizes allow it.",
    "Broadcasting lines axes up from the last one. Which axis of the scores does it meet?",
)

causal_already = Family(
    "causal-already",
    "You hide the later {key}s from every {query}; nobody asked for a mask here.",
    "May every {query} attend to every {key} in this exercise?",
    usual={"query": "query", "key": "key"},
)
