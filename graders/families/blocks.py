"""Families of mistakes over attention that goes block by block."""

from autograder.bank import Family

CORRECTED = "Two things were collected with the old maximum. Which of them did you correct?"

rescale_forgotten = Family(
    "rescale-forgotten",
    "When a block raises the maximum, what you have collected so far is not scaled down.",
    "Earlier terms were made with the old maximum. By which factor are they too large now?",
)

sum_not_rescaled = Family(
    "sum-not-rescaled",
    "When a block raises the maximum, your running sum is not scaled down; the output is.",
    CORRECTED,
)

output_not_rescaled = Family(
    "output-not-rescaled",
    "When a block raises the maximum, your running output is not scaled down; the sum is.",
    CORRECTED,
)

maximum_of_the_block_alone = Family(
    "maximum-of-the-block-alone",
    "Your running maximum may fall: you take that of the block, whatever came before.",
    "What is exp of the old maximum minus the new one when a block holds only low scores?",
)

maximum_not_kept = Family(
    "maximum-not-kept",
    "You find the new maximum, but do not keep it for the next block.",
    "What does your loop carry from one block to the next, besides sum and output?",
)

last_partial_block_dropped = Family(
    "last-partial-block-dropped",
    "Keys at the end that fill no whole block are left out.",
    "{keys} keys in blocks of {size}: how many blocks are there, and how full is the last?",
)

never_divided = Family(
    "never-divided",
    "Your output is a sum of values; dividing it by the sum of all weights is missing.",
    "What do the numbers that you multiply the values by add up to?",
)

block_offset_forgotten = Family(
    "block-offset-forgotten",
    "With is_causal, you count the keys of every block from 0.",
    "Which key is the first of the second block? Which queries may see it?",
)
