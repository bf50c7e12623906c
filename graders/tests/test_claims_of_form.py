"""A mask of the right form that allows the wrong keys fails no claim about form."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source

MASKS = ("causal_mask", "padding_mask", "causal_mask_for_cache", "sliding_window_mask")
WRONG = {
    "inverted": "~right(*args, **options)",
    "turned round": "right(*args, **options).flip(0, 1)",
}
OTHER = """
right = {name}

def {name}(*args, **options):
    return {wrong}
"""


@pytest.fixture(scope="module")
def graded():
    answers = [
        Answer(name, way, reference_source(name) + OTHER.format(name=name, wrong=wrong))
        for name in MASKS
        for way, wrong in WRONG.items()
    ]
    return grade(answers, b"secret")


def test_it_fails_claims_about_what_it_allows(graded):
    assert {str(answer) for answer, one in graded.items() if one.share > 0.7} == set()


def test_it_fails_none_about_its_form(graded):
    failed = {
        (str(answer), one.claim)
        for answer, found in graded.items()
        for one in found.found
        if one.outcome == "failed" and "dtype bool" in one.claim
    }
    assert failed == set()
