"""Answers that give back what nobody expects: they earn next to nothing, and no grader stumbles."""

import pytest
from grading import Answer, grade

from autograder.misconceptions import all_mistakes

EXERCISES = tuple(dict.fromkeys(entry.exercise for entry in all_mistakes()))

ODD = (
    "None",
    "3",
    "float('nan')",
    "'text'",
    "[]",
    "()",
    "{}",
    "[torch.zeros(2), None]",
    "torch.tensor(1.5)",
    "torch.zeros(0)",
    "torch.full((5, 7), torch.nan)",
    "torch.ones(5, 7, dtype=torch.complex64)",
    "torch.ones(7, 7, dtype=torch.int32)",
    "torch.empty(5, 7, device='meta')",
    "np.zeros((5, 7))",
    "np.array(['a', None])",
    "args[0] if args else kwargs",
    "args",
    "torch.zeros_like(torch.as_tensor(args[0])) if args else None",
    "torch.as_tensor(args[0]).to(torch.complex128)",
    "torch.as_tensor(args[0]).to('meta')",
    "torch.as_tensor(args[0]) > 0",
    "torch.ones(args[0], args[0], device='meta')",
    "torch.ones(args[0], args[0], dtype=torch.complex64)",
    "np.tri(args[0])",
)

FUNCTION = """
import numpy as np
import torch

def {exercise}(*args, **kwargs):
    return {odd}
"""

MODULE = """
import numpy as np
import torch

class FusedMultiHeadAttention(torch.nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        self.qkv = torch.nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = torch.nn.Linear(d_model, d_model, bias=bias)

    def forward(self, *args, **kwargs):
        return {odd}

    def {method}(self, *args, **kwargs):
        return {odd}
"""

METHODS = ("eval", "train", "to", "load_state_dict", "state_dict", "requires_grad_")


def odd_answers():
    for number, odd in enumerate(ODD):
        for exercise in EXERCISES:
            source = FUNCTION.format(exercise=exercise, odd=odd)
            yield Answer(exercise, f"function {number}", source)
        for method in ("unused", *METHODS):
            source = MODULE.format(odd=odd, method=method)
            yield Answer("FusedMultiHeadAttention", f"{method} {number}", source)


@pytest.fixture(scope="module")
def odd():
    return grade(list(odd_answers()), b"secret")


@pytest.mark.filterwarnings("ignore")
def test_no_grader_stumbles(odd):
    faults = {
        (name, one.name, one.fault)
        for name, graded in odd.items()
        for one in graded.found
        if one.outcome == "error"
    }
    assert faults == set()


def test_they_earn_next_to_nothing(odd):
    assert {name: graded.share for name, graded in odd.items() if graded.share > 0.25} == {}
