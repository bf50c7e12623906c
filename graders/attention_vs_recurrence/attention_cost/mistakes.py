"""Known mistakes in attention_cost."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "attention_cost")

PRODUCTS = "How many products has attention after the projections, and what is a multiply-add?"
WIDTHS = "How wide is one head, and how wide are all of them together?"
BYTES_OF_ONE = "How many bytes does one number of this dtype take? The dtype knows."
SHAPE_OF_SCORES = "What shape do the scores of one sequence have?"

FLOPS = "4 * pairs * d_model"
BYTES = "num_heads * pairs * dtype.itemsize"
DICTIONARY = '{"flops": 4 * pairs * d_model, "score_bytes": num_heads * pairs * dtype.itemsize}'

MISTAKES = (
    mistake(
        "half-the-flops",
        "You count one of the two products, or a multiply-add as one operation.",
        PRODUCTS,
        change=((FLOPS, "2 * pairs * d_model"),),
    ),
    mistake(
        "a-quarter-of-the-flops",
        "You count one product only, and a multiply-add as one operation.",
        PRODUCTS,
        change=((FLOPS, "pairs * d_model"),),
    ),
    mistake(
        "caret-for-a-power",
        "You write `^` for a power; in Python it compares two numbers bit by bit.",
        "What is 3 ^ 2 in Python, and what is 3 ** 2?",
        change=(("pairs = seq_len**2", "pairs = seq_len ^ 2"),),
    ),
    mistake(
        "flops-times-heads",
        "You count the whole width for every head; the heads share it.",
        WIDTHS,
        change=((FLOPS, "4 * pairs * d_model * num_heads"),),
    ),
    mistake(
        "flops-of-one-head",
        "You count the products of one head only.",
        WIDTHS,
        change=((FLOPS, "4 * pairs * d_model // num_heads"),),
    ),
    mistake(
        "flops-linear-in-length",
        "Your arithmetic grows with the length, and not with its square.",
        "How many pairs of a query and a key are there?",
        change=((FLOPS, "4 * seq_len * d_model"),),
    ),
    mistake(
        "flops-of-the-projections",
        "You count d_model squared for every token: that is what projections cost.",
        "Which two products need all pairs of tokens?",
        change=((FLOPS, "4 * seq_len * d_model**2"),),
    ),
    mistake(
        "projections-included",
        "You add the four projections, which the text leaves out.",
        "What does the docstring say is left out?",
        change=((FLOPS, "4 * pairs * d_model + 8 * seq_len * d_model**2"),),
    ),
    mistake(
        "bytes-of-one-head",
        "You count one table of scores; every head has its own.",
        "How many tables of queries by keys are there?",
        change=((BYTES, "pairs * dtype.itemsize"),),
    ),
    mistake(
        "scores-not-in-bytes",
        "You count the scores, and not the bytes that they take.",
        BYTES_OF_ONE,
        change=((BYTES, "num_heads * pairs"),),
    ),
    mistake(
        "four-bytes-always",
        "You take four bytes a number, whatever the dtype.",
        BYTES_OF_ONE,
        change=((BYTES, "num_heads * pairs * 4"),),
    ),
    mistake(
        "bits-for-bytes",
        "You count bits; bytes were asked for.",
        "What unit does `itemsize` have?",
        change=((BYTES, "num_heads * pairs * dtype.itemsize * 8"),),
    ),
    mistake(
        "bytes-of-the-output",
        "You count the memory of the output; the scores are one number a pair and head.",
        SHAPE_OF_SCORES,
        change=((BYTES, "seq_len * d_model * dtype.itemsize"),),
    ),
    mistake(
        "bytes-times-width",
        "You multiply the scores by d_model, though a score is a single number.",
        SHAPE_OF_SCORES,
        change=((BYTES, "pairs * d_model * dtype.itemsize"),),
    ),
    mistake(
        "floats-for-counts",
        "You count in floats, which lose digits when sequences are long.",
        "What is the type of 2.0 * 3? Which kind of division or power stays whole?",
        change=(("seq_len**2", "float(seq_len) ** 2"),),
    ),
    mistake(
        "two-values-for-a-dictionary",
        "You return two numbers; a dictionary with two names was promised.",
        "How would a caller ask your result for `flops`?",
        change=((DICTIONARY, f"{FLOPS}, {BYTES}"),),
    ),
    mistake(
        "names-swapped",
        "You give each of the two numbers the name of the other.",
        "Which of your two numbers depends on the dtype?",
        change=((DICTIONARY, '{"score_bytes": ' + FLOPS + ', "flops": ' + BYTES + "}"),),
    ),
)
