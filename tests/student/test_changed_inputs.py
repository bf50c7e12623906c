"""Whatever a student's code does to its inputs is seen, in the sandbox as in the notebook."""

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
