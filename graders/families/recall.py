"""Families of mistakes over models that recall, and over their batches."""

from autograder.bank import Family

USE_OF_THE_SEED = "Where does `seed` stand in your code, and which draws know of it?"
USE_OF_THE_QUERY = "Where in your forward pass does `query` make a difference?"
NUMBER_IN_A_TENSOR = "How does the number in a tensor become a Python float?"
HANDED_TO_CROSS_ENTROPY = "What does a caller hand to cross_entropy?"
TWO_VALUES = "You return two values; logits alone were promised."
TOKEN_APART = "What is a token divided by num_values, and what is left over?"

SEED_HANDED_ON = "Which numbers decide the seed that you hand to recall_batch?"

values_lost = Family(
    "values-lost", "Your embedding knows the key of each pair and not its value.", TOKEN_APART
)

keys_lost = Family(
    "keys-lost", "Your embedding knows the value of each pair and not its key.", TOKEN_APART
)

too_few_tokens = Family(
    "too-few-tokens",
    "Your table of embeddings has too few rows: there is one token for each key *and* value.",
    "How many pairs can be made of 14 keys and 3 values?",
)

a_logit_for_each_key = Family(
    "a-logit-for-each-key",
    "You give one logit a key; the answer is a value.",
    "Among how many answers does the model choose?",
)

shares_for_logits = Family(
    "shares-for-logits",
    "You return shares that sum to one; cross_entropy applies softmax itself, to logits.",
    "What does F.cross_entropy expect: before or after softmax?",
    made="{}.softmax(dim=-1)",
)

axes_squeezed_away = Family(
    "axes-squeezed-away",
    "You squeeze all axes of length one, also the batch when it holds one sequence.",
    "What shape has your {what} for a batch of one?",
    usual={"what": "result"},
)

sizes_not_kept = Family(
    "sizes-not-kept",
    "Your model does not keep num_keys and num_values.",
    "Where will training find out how many keys there are?",
)

sizes_swapped = Family(
    "sizes-swapped",
    "Your model keeps num_keys and num_values under each other's names.",
    "Make a model of 7 keys and 3 values, and print what it keeps.",
)

sizes_hard_coded = Family(
    "sizes-hard-coded",
    "You draw from 16 keys and 4 values always; a model may be made for other numbers.",
    "Where does a model keep how many keys and values it knows?",
)

seeded_inside = Family(
    "seeded-inside",
    "Your model seeds torch itself, so that all models begin alike.",
    "What happens to everyone else's random numbers?",
    made="{}\n        torch.manual_seed(0)",
)

seed_ignored = Family(
    "seed-ignored", "The seed makes no difference to your {what}.", USE_OF_THE_SEED
)

global_seed = Family(
    "global-seed",
    "You seed torch itself, so that {what} changes everyone's random numbers.",
    "recall_batch takes a seed. What else in {what} needs one?",
    made="torch.manual_seed(seed)\n    {}",
)
