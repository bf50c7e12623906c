"""The hidden graders on the references under another secret than the course's, in this process.

`autograder validate` grades every known answer in the sandbox, under the course's secret, and
`test_other_secrets.py` a part of them, or all, under three others.
"""

import re

import pytest
from grading import Answer, grade

from autograder.bank import all_mistakes
from autograder.judging.answers import reference_source

pytestmark = pytest.mark.slow

SECRET = b"another secret than the course's"
EXERCISES = tuple(dict.fromkeys(entry.exercise for entry in all_mistakes()))
REFERENCES = [Answer(name, "reference", reference_source(name)) for name in EXERCISES]


@pytest.fixture(scope="module")
def right():
    return grade(REFERENCES, SECRET)


def test_references_keep_every_mark(right):
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
