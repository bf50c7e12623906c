"""Whatever a student's code does to its inputs is seen, in the sandbox as in the notebook."""

import numpy as np
import pytest
import torch

SOURCE = """
import torch

WAYS = {
    "in place": lambda x: x.add_(1),
    "its data": lambda x: x.data.add_(1),
    "a view": lambda x: x[-1].zero_(),
    "other data": lambda x: setattr(x, "data", torch.zeros_like(x)),
    "equal data": lambda x: setattr(x, "data", x.clone()),
    "turned": lambda x: x.t_(),
    "cut": lambda x: x.resize_(1),
    "nothing": lambda x: x + 1,
}

def change(x, way):
    WAYS[way](x)
"""


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
@pytest.mark.parametrize("turned", [False, True], ids=["in rows", "in columns"])
def test_whatever_changes_an_input_is_seen(student_of, dtype, turned):
    student = student_of(SOURCE)
    for way in ("in place", "its data", "a view", "other data", "turned", "cut"):
        x = torch.arange(6).view(2, 3).to(dtype) + 1
        student.change(x.T if turned else x, way)
        assert student.changed_inputs == (0,), way
    for way in ("equal data", "nothing"):
        student.change(x.T if turned else x, way)
        assert student.changed_inputs == (), way


BITS = """
import numpy as np
import torch

def negate(x):
    x *= -1

def leave(x):
    return x

def write_again(x):
    x[:] = x + 0.0 * x if isinstance(x, np.ndarray) else x.clone()
"""


@pytest.mark.parametrize("make", [torch.tensor, np.array], ids=["tensor", "array"])
def test_bits_tell_a_zero_of_another_sign_is_a_change_and_nan_is_what_it_was(student_of, make):
    student = student_of(BITS)
    for name, numbers, changed in (
        ("negate", [0.0, 0.0], (0,)),
        ("leave", [0.0, -0.0, float("nan")], ()),
        ("write_again", [1.0, float("nan")], ()),
    ):
        getattr(student, name)(make(numbers))
        assert student.changed_inputs == changed, name
