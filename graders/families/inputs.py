"""Families of mistakes that change what was given."""

from autograder.bank import Family


def what_does(sign: str) -> str:
    """The question that leads to an operator which writes into its left side."""
    return f"What does `{sign}` do to the tensor of whoever called you?"


UNDERSCORES = "What does a method whose name ends in an underscore do to its tensor?"
WRITES_INTO = "Which of your operations end in an underscore or write into an argument?"

mask_changed = Family(
    "mask-changed",
    "You write into the mask that you were given, so that the caller's mask changes.",
    UNDERSCORES,
)

queries_changed = Family(
    "queries-changed",
    "Your code writes into the queries that it was given: the caller's tensor changes.",
    WRITES_INTO,
)

changed_in_place = Family(
    "changed-in-place", "Your code changes {what} that it was given.", WRITES_INTO
)
