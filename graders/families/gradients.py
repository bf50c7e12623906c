"""Families of mistakes that stop gradients on their way."""

from autograder.bank import Family

CUTS = "What do `.detach()`, `.data`, `no_grad` and a new tensor of old values do to gradients?"
ONE_OF_TWO = "Which of the two inputs passes through `.detach()` or `.data`?"
CUT_OFF = "You cut {result} off from {source}, so that {then}."

gradient_cut = Family(
    "gradient-cut", CUT_OFF, CUTS, made="{}.detach()", usual={"then": "nothing can be learnt"}
)

weights_cut_off = Family(
    "weights-cut-off",
    CUT_OFF,
    "What passes through `.detach()` or `.data` on the way from q and k to the output?",
    made="{}.detach()",
    usual={"then": "only the values can learn", "result": "your output", "source": "the weights"},
)

keys_cut_off = Family(
    "keys-cut-off",
    "Your scores are cut off from the keys, so that keys cannot be learnt.",
    ONE_OF_TWO,
)

no_gradient_at_all = Family("no-gradient-at-all", "Nothing in your module gets a gradient.", CUTS)

logits_cut_off = Family(
    "output-cut-off",
    "Your logits are cut off from all parameters, so nothing can be learnt.",
    CUTS,
    made="{}.detach()",
)
