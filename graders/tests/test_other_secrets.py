"""Verdicts depend on the answer alone: not on the course secret, nor on the order of the tests.

By default a part of the known answers is graded, chosen by their names; `EVERY_ANSWER=1` grades all
of them, four times each.
"""

import hashlib
import os
import random
import warnings
from functools import cache

import numpy as np
import pytest
import torch
from grading import Answer, Graded, Told, grade

from autograder.bank import all_mistakes, all_variants
from autograder.judging.answers import reference_source, source_of
from autograder.judging.plugin import Graders

pytestmark = pytest.mark.slow

SECRETS = (b"another secret", b"yet another", b"the last one")
# A module is shared out among the processes of `pytest -n`: each set is graded in one of them only.
BY_SECRET = [
    pytest.param(secret, id=secret.split()[-1].decode(), marks=pytest.mark.xdist_group(f"luck {n}"))
    for n, secret in enumerate(SECRETS)
]
SHARE = 1 if os.environ.get("EVERY_ANSWER") else 32

NAMES = tuple(dict.fromkeys(entry.exercise for entry in all_mistakes()))
RIGHT = [
    *(Answer(name, "reference", reference_source(name)) for name in NAMES),
    *(Answer(variant.exercise, variant.name, source_of(variant)) for variant in all_variants()),
]
WRONG = [
    Answer(mistake.exercise, mistake.slug, source_of(mistake))
    for mistake in all_mistakes()
    if not mistake.costs_nothing
]


def chosen(answers):
    """One answer in SHARE, the same in every run until it is renamed."""
    return [
        one
        for one in answers
        if hashlib.sha256(str(one).encode()).digest()[0] * SHARE // 256 == SHARE - 1
    ]


class Shuffled(Graders):
    """Hidden graders whose tests run in an order that the secret decides."""

    def pytest_collection_modifyitems(self, items):
        """Shuffle the tests of all exercises."""
        random.Random(self._secret).shuffle(items)
        super().pytest_collection_modifyitems(items)


TOLD: Told = {}  # under any secret; whether an answer is told the same twice is tried below


@cache
def graded_in_disorder(secret: bytes) -> dict[Answer, Graded]:
    """Grade answers and their tests shuffled, from random numbers that the secret decides."""
    answers = chosen(RIGHT) + chosen(WRONG)
    order = random.Random(secret)
    seed = order.randrange(1 << 32)
    for seeded in (random.seed, np.random.seed, torch.manual_seed):
        seeded(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mistakes overflow and deprecate, that is their job
        return grade(order.sample(answers, len(answers)), secret, Shuffled, TOLD)


@pytest.fixture(scope="module", params=BY_SECRET)
def graded(request):
    return graded_in_disorder(request.param)


def test_right_answers_keep_every_mark_whatever_the_secret(graded):
    lost = {
        str(answer): [
            f"{one.name}: {one.symptom or one.fault}"
            for one in graded[answer].found
            if one.outcome not in ("passed", "pending")
        ]
        for answer in chosen(RIGHT)
    }
    assert {name: tests for name, tests in lost.items() if tests} == {}


def test_mistakes_lose_marks_and_are_named_whatever_the_secret(graded):
    wrong = {
        str(answer): graded[answer].named
        for answer in chosen(WRONG)
        if graded[answer].share == 1 or graded[answer].named != (answer.name,)
    }
    assert wrong == {}


@pytest.mark.xdist_group("luck 0")
def test_the_same_answer_is_told_the_same_twice():
    """In another order, after other answers, from other random numbers of the process."""
    answers = (chosen(RIGHT) + chosen(WRONG))[:: 4 if SHARE > 1 else 1]
    once = graded_in_disorder(SECRETS[0])
    again = grade(answers, SECRETS[0])
    differing = {
        name: (told(once[name]), told(again[name]))
        for name in again
        if told(once[name]) != told(again[name])
    }
    assert differing == {}


def told(graded: Graded):
    """What a student is told, whatever the order of the tests."""
    return sorted(graded.found, key=lambda one: (one.name, one.device)), graded.named
