"""The graders' tests on a GPU, over the known answers, in this very process; `make test-cuda`.

Not those of triton_attention: in a process where kernels are interpreted none is compiled. They are
run in the sandbox, by tests/verdicts/test_graded_on_gpu.py.
"""

import pytest
import torch
from grading import Answer, grade

from autograder.bank import mistakes, variants
from autograder.judging.answers import reference_source, source_of

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU is here")

EXERCISES = (
    "causal_mask",
    "padding_mask",
    "MultiHeadAttention",
    "FusedMultiHeadAttention",
    "tiled_attention",
    "decode_step",
    "grouped_query_attention",
)
RIGHT = [Answer(name, "reference", reference_source(name)) for name in EXERCISES] + [
    Answer(name, one.name, source_of(one)) for name in EXERCISES for one in variants(name)
]
# Right, and slow: 64 calls where the reference makes one.
SLOW = {"FusedMultiHeadAttention/queries in blocks": {"it_is_worth_running_on_a_gpu"}}
WRONG = [Answer(name, one.slug, source_of(one)) for name in EXERCISES for one in mistakes(name)]


@pytest.fixture(scope="module")
def graded():
    # PyTorch keeps cuDNN's plans for a backward pass by the layout of q, k and v alone. Of two
    # answers in one process that differ in the layout of the output, the second gets wrong
    # gradients; a submission has a process of its own.
    torch.backends.cuda.enable_cudnn_sdp(False)
    return grade(RIGHT + WRONG, b"a secret for a GPU", device="cuda")


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_right_answers_pass(graded, answer):
    ran = [one for one in graded[answer].found if one.outcome != "pending"]
    assert ran, "no test of this exercise is for a GPU"
    slow = SLOW.get(str(answer), set())
    assert [
        (one.name, one.symptom or one.fault)
        for one in ran
        if one.outcome != "passed" and one.name not in slow
    ] == []


@pytest.mark.parametrize("answer", WRONG, ids=str)
def test_no_test_fails_by_itself(graded, answer):
    assert [one.fault for one in graded[answer].found if one.fault is not None] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_test_fails_for_some_mistake(graded, exercise):
    failed = {
        one.name
        for answer in WRONG
        if answer.exercise == exercise
        for one in graded[answer].found
        if one.outcome == "failed"
    }
    found = graded[RIGHT[EXERCISES.index(exercise)]].found
    assert {one.name for one in found if one.device == "cuda"} <= failed
