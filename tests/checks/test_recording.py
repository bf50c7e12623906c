"""A report's words for a call: short, and as one would type it."""

import pytest
import torch
from matplotlib import pyplot

from autograder.checks.kit.describing import result_text
from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.recording import RecordingStudent

CELL = """
import matplotlib.pyplot as plt
from torch import nn

class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x)

def fuse(w_q, w_k):
    return Layer(w_q.in_features)

def step(layer, x, cache=None):
    return layer(x), (x, x)

def pair(width):
    return Layer(width), 1

def plot(weights, tokens, ax=None):
    ax = ax or plt.subplots()[1]
    ax.imshow(weights)
    ax.set(title="T", xlabel="key")
    ax.set_xticks(range(2), tokens)
    ax.set_yticks(range(2), tokens)
    return ax
"""


@pytest.fixture
def student():
    namespace = {}
    exec(compile(CELL, "cell", "exec"), namespace)
    return RecordingStudent(namespace)


def test_layers_of_ours_are_told_by_their_widths(student):
    layer = student.fuse(student.linear(torch.zeros(3, 2)), student.linear(torch.zeros(3, 2)))
    assert student.called == "fuse(Linear(2, 3), Linear(2, 3))"
    layer(torch.ones(1, 2))
    assert student.called == "fuse(Linear(2, 3), Linear(2, 3))([[1.0, 1.0]])"


def test_modules_and_pairs_of_tensors_are_told_by_their_form(student):
    cache = (torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4))
    student.step(student.Layer(2), torch.ones(1, 2), cache)
    form = "float32 tensor 1×2×3×4"
    assert student.called == f"step(Layer, [[1.0, 1.0]], ({form}, {form}))"
    with pytest.raises(StudentError):
        student.step([student.Layer(2)] * 4, {})
    assert student.called == "step([Layer, Layer, Layer, ...], {})"


def test_a_module_that_came_in_a_tuple_is_called_by_its_class(student):
    layer, _ = student.pair(2)
    layer.eval()(torch.ones(1, 2))
    assert student.called == "Layer.eval()([[1.0, 1.0]])"


def test_a_picture_is_told_by_what_it_shows(student):
    before = pyplot.get_fignums()
    student.plot(torch.eye(2), ["a", "b"])
    assert result_text(student.came_back) == (
        "axes titled 'T'\n"
        "x axis 'key', ticks ['a', 'b']\n"
        "y axis without a label, ticks ['a', 'b']\n"
        "2×2 colours, without a colour bar"
    )
    assert pyplot.get_fignums() == before


def test_axes_of_ours_are_told_as_axes(student):
    student.plot(torch.eye(2), ["a", "b"], ax=student.new_axes())
    assert student.called == "plot([[1.0, 0.0], [0.0, 1.0]], ['a', 'b'], ax=axes)"
    pyplot.close("all")
