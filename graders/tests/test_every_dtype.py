"""Double precision is asked for wherever single precision is: who refuses it loses marks."""

from functools import cache

import pytest
from grading import Answer, grade

from autograder.bank import all_mistakes
from autograder.judging.answers import reference_source

pytestmark = pytest.mark.slow

SECRET = b"dtypes"
EXERCISES = tuple(dict.fromkeys(entry.exercise for entry in all_mistakes()))
# They make their numbers themselves, or take a second for each test.
LEFT_OUT = {"triton_attention", "load_attention", "train_recall", "recall_by_length"}

REFUSING = """
right = {name}

def parts_of(value):
    if isinstance(value, list | tuple):
        return [part for one in value for part in parts_of(one)]
    return [value]

def refuse(*values):
    tensors = [one for one in parts_of(values) if isinstance(one, torch.Tensor)]
    if any(one.dtype is torch.{dtype} for one in tensors):
        raise RuntimeError("no {dtype} here")
"""
FUNCTION = """
def {name}(*args, **kwargs):
    refuse(args, list(kwargs.values()))
    return right(*args, **kwargs)
"""
CLASS = """
class {name}(right):
    def forward(self, *args, **kwargs):
        refuse(args, list(kwargs.values()))
        return super().forward(*args, **kwargs)
"""


def refusing(name, dtype):
    source = reference_source(name)
    another = CLASS if f"class {name}" in source else FUNCTION
    text = "\n".join(["import torch", source, REFUSING, another]).replace("{name}", name)
    return Answer(name, f"no {dtype}", text.replace("{dtype}", dtype))


@cache
def shares():
    answers = [
        refusing(name, dtype)
        for name in EXERCISES
        if name not in LEFT_OUT
        for dtype in ("float32", "float64")
    ]
    return {answer: graded.share for answer, graded in grade(answers, SECRET).items()}


def test_who_refuses_double_precision_loses_marks_wherever_single_precision_is_asked_for():
    of = {(answer.exercise, answer.name): share for answer, share in shares().items()}
    single = {name for name, dtype in of if dtype == "no float32" and of[name, dtype] < 1}
    assert len(single) > 20
    assert [name for name in single if of[name, "no float64"] == 1] == []
