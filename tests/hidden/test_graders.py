"""The hidden graders against every answer whose marks are known, in this process."""

import re
import warnings
from collections import defaultdict

import pytest
from grading import Answer, Graded, grade

from autograder.judging.answers import reference_source, source_of
from autograder.misconceptions import all_mistakes
from autograder.variants import all_variants

SECRETS = (b"first secret", b"second secret", b"third secret")
# A module is shared out among the processes of `pytest -n`: each set is graded in one of them only.
BY_SECRET = [
    pytest.param(secret, id=secret.split()[0].decode(), marks=pytest.mark.xdist_group(f"right {n}"))
    for n, secret in enumerate(SECRETS)
]
TOGETHER = pytest.mark.xdist_group("wrong")
EXERCISES = tuple(dict.fromkeys(entry.exercise for entry in all_mistakes()))

SOLUTION = re.compile(r"### BEGIN SOLUTION.*?### END SOLUTION", re.DOTALL)

REFERENCES = [Answer(name, "reference", reference_source(name)) for name in EXERCISES]
STUBS = [
    Answer(name, "stub", SOLUTION.sub("raise NotImplementedError", reference_source(name)))
    for name in EXERCISES
]
VARIANTS = [Answer(v.exercise, v.name, source_of(v)) for v in all_variants()]
MISTAKES = [Answer(m.exercise, m.slug, source_of(m)) for m in all_mistakes()]


@pytest.fixture(scope="module", params=BY_SECRET)
def right(request):
    return grade([*REFERENCES, *VARIANTS], request.param)


@pytest.fixture(scope="module")
def stubs():
    return grade(STUBS, SECRETS[0])


@pytest.fixture(scope="module")
def wrong():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mistakes overflow and deprecate, that is their job
        return grade(MISTAKES, SECRETS[1])


def lost(graded: Graded) -> list[str]:
    return [f"{one.name}: {one.symptom or one.fault}" for one in graded.found if not earns(one)]


def earns(one) -> bool:
    return one.outcome in ("passed", "pending")


def test_right_answers_keep_every_mark(right):
    assert {name: lost(graded) for name, graded in right.items() if graded.share < 1} == {}


@TOGETHER
def test_a_stub_passes_no_test(stubs):
    passed = {
        name: [one.name for one in graded.found if one.outcome == "passed"]
        for name, graded in stubs.items()
    }
    assert passed == {str(stub): [] for stub in STUBS}
    assert all(not graded.named for graded in stubs.values())


@TOGETHER
def test_every_known_mistake_loses_marks(wrong):
    assert [name for name, graded in wrong.items() if graded.share == 1] == []


@TOGETHER
def test_every_known_mistake_is_called_by_its_own_name(wrong):
    named = {str(answer): (answer.name,) for answer in MISTAKES}
    assert {name: graded.named for name, graded in wrong.items()} == named


@TOGETHER
def test_no_grader_fails_of_itself(wrong, stubs):
    faults = [
        (name, one.name, one.fault)
        for name, graded in (wrong | stubs).items()
        for one in graded.found
        if one.outcome == "error"
    ]
    assert faults == []


@TOGETHER
def test_every_hidden_test_catches_some_known_mistake(wrong):
    caught = defaultdict(bool)
    for answer in MISTAKES:
        for one in wrong[str(answer)].found:
            if one.outcome != "pending":
                caught[answer.exercise, one.name] |= one.outcome == "failed"
    assert [test for test, catches in caught.items() if not catches] == []


@TOGETHER
def test_symptoms_tell_no_number(wrong):
    dtypes = re.compile(r"b?float\d+|bfloat16|u?int\d+")
    symptoms = {
        one.symptom for graded in wrong.values() for one in graded.found if one.symptom is not None
    }
    anyones = re.compile(r"\b[01]\b")  # weights sum to 1, and a forbidden one is 0
    told = [text for text in symptoms if re.search(r"\d", anyones.sub("", dtypes.sub("", text)))]
    assert told == []


def test_every_claim_is_one_sentence(right):
    claims = [one.claim for answer in REFERENCES for one in right[str(answer)].found]
    assert [claim for claim in claims if not re.fullmatch(r"[A-Z`].{20,98}\.", claim)] == []


def test_what_matters_most_weighs_most(right):
    for answer in REFERENCES:
        weights = [one.weight for one in right[str(answer)].found if one.device == "cpu"]
        assert max(weights) >= 2 * min(weights)
