"""How to observe answers to load_attention for a diagnosis."""

from typing import Any

from autograder.judging import probe
from autograder.judging.registry import Observations
from graders.modules import names_numbers
from graders.seeing_attention.load_attention.random_bert import NARROW, WIDE, asked

ONE, OTHER = "The cat sees it, running", "a dog sat"


@probe("load_attention")
def observe_load_attention(student: Any) -> Observations:
    """Tokens and weights of fixed texts, alone and in pairs, from two checkpoints."""
    return {
        "one text": lambda: asked(student, NARROW, ONE),
        "another checkpoint": lambda: asked(student, WIDE, OTHER),
        "a pair": lambda: asked(student, NARROW, OTHER, ONE),
        "a pair turned round": lambda: asked(student, WIDE, ONE, OTHER),
        "an empty second text": lambda: asked(student, NARROW, OTHER, ""),
        "just as long as can be": lambda: asked(student, NARROW, "cat " * (NARROW.positions - 2)),
        "too long": lambda: names_numbers(
            lambda: asked(student, NARROW, "cat " * 40), 42, NARROW.positions
        ),
    }
