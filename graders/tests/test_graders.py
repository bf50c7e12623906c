"""The hidden graders on right answers under another secret than the course's, in this process.

`autograder validate` grades these and all wrong answers in the sandbox, under the course's secret.
"""

import re

import pytest
from grading import Answer, grade

from autograder.bank import all_mistakes, all_variants
from autograder.judging.answers import reference_source, source_of

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("right answers")]

SECRET = b"another secret than the course's"
EXERCISES = tuple(dict.fromkeys(entry.exercise for entry in all_mistakes()))
REFERENCES = [Answer(name, "reference", reference_source(name)) for name in EXERCISES]
VARIANTS = [Answer(v.exercise, v.name, source_of(v)) for v in all_variants()]


@pytest.fixture(scope="module")
def right():
    return grade([*REFERENCES, *VARIANTS], SECRET)


def test_right_answers_keep_every_mark(right):
    lost = {
        name: [
            f"{one.name}: {one.symptom or one.fault}"
            for one in graded.found
            if one.outcome not in ("passed", "pending")
        ]
        for name, graded in right.items()
    }
    assert {name: found for name, found in lost.items() if found} == {}


def test_every_claim_is_one_sentence(right):
    claims = [one.claim for answer in REFERENCES for one in right[answer].found]
    assert [claim for claim in claims if not re.fullmatch(r"[A-Z`].{20,98}\.", claim)] == []


def test_what_matters_most_weighs_most(right):
    for answer in REFERENCES:
        weights = [one.weight for one in right[answer].found if one.device == "cpu"]
        assert max(weights) >= 2 * min(weights)
