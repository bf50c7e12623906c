"""Families of mistakes over what is refused, and in which words."""

from autograder.bank import Family

numbers_not_named = Family(
    "numbers-not-named",
    "Your error does not say which numbers do not fit together.",
    "What would you like to read in the error when your own {what} fails?",
    usual={"what": "call"},
)

assertion_for_value_error = Family(
    "assertion-for-value-error",
    "A bad {number} raises AssertionError; ValueError was promised.",
    "What does Python do with assert when it runs with -O?",
    usual={"number": "num_heads"},
)

another_kind_of_error = Family(
    "another-kind-of-error",
    "Where {what}, your code stops with another error than ValueError.",
    "Which line raises that error? Which of yours is to raise a ValueError before it?",
)

error_without_numbers = Family(
    "error-without-numbers",
    "Your error does not say how many queries and how many keys there are.",
    "Which two numbers would you want to see when this error meets you at midnight?",
)

no_check_of_heads = Family(
    "no-check-of-heads",
    "A num_heads that does not divide d_model is not refused in time, with a clear error.",
    "What should a caller read who asks for 4 heads of a width of 10?",
)

no_heads_let_through = Family(
    "no-heads-let-through",
    "You check whether num_heads divides d_model, but numbers below 1 fall through your check.",
    "What is d_model % 0 in Python, and what is 6 % -3?",
    costs_nothing=True,
)
