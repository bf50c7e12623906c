"""A picture that a student's code draws is told alike in the sandbox and in the notebook."""

import numpy as np
import pytest
import torch

from autograder.checks.drawn import DrawnAxes, DrawnFigure
from autograder.student import StudentError

SOURCE = """
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

def heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    image = ax.imshow(weights, vmin=0, vmax=1)
    ax.figure.colorbar(image, ax=ax)
    ax.set_xticks(range(len(tokens)), tokens, rotation=45)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set(title="Weights", xlabel="key", ylabel="query")
    return ax

def from_below(weights):
    _, ax = plt.subplots()
    ax.imshow(weights, origin="lower")
    return ax

def mesh(weights, turned):
    _, ax = plt.subplots()
    ax.pcolormesh(weights)
    if turned:
        ax.invert_yaxis()
    return ax

def masked(weights):
    return [plt.subplots()[1].imshow(np.ma.masked_less(weights, 0.5)).axes]

def lines():
    _, ax = plt.subplots()
    ax.plot([0, 1, 2], [3, 4, 5])
    ax.add_collection(LineCollection([[(0, 0), (1, 2)]]))
    ax.text(0, 0, "here")
    ax.set_title("to the left", loc="left")
    return ax

def beside(left, right):
    figure, axes = plt.subplots(1, 2)
    for ax, weights in zip(axes, (left, right)):
        figure.colorbar(ax.imshow(weights), ax=ax)
    figure.suptitle("Two")
    return figure

def elsewhere(weights, ax):
    plt.imshow(weights)
    return ax

def in_colour():
    return plt.subplots()[1].imshow(np.zeros((2, 2, 3))).axes

def nowhere():
    ax = plt.subplots()[1]
    ax.set_xticks([float("nan")])
    return ax

def shouting():
    ax = plt.subplots()[1]
    ax.set_title("a" * 5000)
    return ax

def crowded():
    ax = plt.subplots()[1]
    ax.xaxis.get_majorticklocs = lambda: [0.5] * 1001
    return ax

def open_figures():
    return len(plt.get_fignums())
"""


@pytest.fixture
def student(student_of):
    return student_of(SOURCE)


@pytest.fixture
def weights():
    return torch.tensor([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])


def test_a_heatmap_is_told_by_its_labels_ticks_colours_and_bar(student, weights):
    axes = student.heatmap(weights, ["the", "cat"])
    assert type(axes) is DrawnAxes
    assert (axes.title, axes.xlabel, axes.ylabel) == ("Weights", "key", "query")
    assert axes.xticks == axes.yticks == (0.0, 1.0)
    assert axes.xticklabels == axes.yticklabels == ("the", "cat")
    assert axes.mesh.dtype == np.float64
    assert np.array_equal(axes.mesh, weights.numpy())
    assert axes.mesh_limits == (0.0, 1.0)
    assert axes.rows_from_top is True
    assert axes.colorbar is True
    assert (axes.lines, axes.texts) == ((), ())


def test_which_way_the_rows_go_is_told_of_images_and_meshes(student, weights):
    assert student.from_below(weights).rows_from_top is False
    assert student.mesh(weights, False).rows_from_top is False
    turned = student.mesh(weights, True)
    assert turned.rows_from_top is True
    assert np.array_equal(turned.mesh, weights.numpy())
    assert turned.colorbar is False


def test_pictures_come_back_inside_lists_and_what_is_masked_is_nan(student, weights):
    (axes,) = student.masked(weights.numpy())
    assert np.isnan(axes.mesh).tolist() == [[True, False], [False, False], [False, True]]


def test_lines_texts_and_a_title_at_the_side_are_told(student):
    axes = student.lines()
    assert [line.tolist() for line in axes.lines] == [[[0, 3], [1, 4], [2, 5]], [[0, 0], [1, 2]]]
    assert axes.texts == ("here",)
    assert axes.title == "to the left"
    assert axes.mesh is None
    assert axes.mesh_limits is None


def test_a_figure_is_told_by_its_axes_without_those_of_colour_bars(student, weights):
    figure = student.beside(weights, weights.flip(0))
    assert type(figure) is DrawnFigure
    assert figure.suptitle == "Two"
    left, right = figure.axes
    assert np.array_equal(left.mesh, right.mesh[::-1])
    assert left.colorbar
    assert right.colorbar


def test_an_image_in_colour_has_no_mesh(student):
    assert student.in_colour().mesh is None


def test_axes_of_ours_are_drawn_on(student, weights):
    axes = student.heatmap(weights, ["a", "b"], ax=student.new_axes())
    assert np.array_equal(axes.mesh, weights.numpy())
    assert student.changed_inputs == ()


def test_axes_of_ours_can_be_looked_at_whatever_came_back(student, weights):
    ours, others = student.new_axes(), student.new_axes()
    student.heatmap(weights, ["a", "b"], ax=ours)
    assert np.array_equal(student.drawn_in(ours).mesh, weights.numpy())
    assert student.drawn_in(others).mesh is None


def test_the_middles_of_rows_and_columns_are_told_in_the_datas_coordinates(student, weights):
    image, mesh = student.heatmap(weights, ["a", "b"]), student.mesh(weights, False)
    assert image.mesh_columns == (0.0, 1.0, 2.0)[: weights.shape[1]]
    assert mesh.mesh_columns == (0.5, 1.5, 2.5)[: weights.shape[1]]
    assert image.mesh_rows == (0.0, 1.0, 2.0)[: weights.shape[0]]
    assert student.from_below(weights).mesh_rows == image.mesh_rows


def test_what_is_drawn_past_the_axes_given_is_not_in_them(student, weights):
    assert student.elsewhere(weights, student.new_axes()).mesh is None


def test_calls_leave_no_figure_open(student, weights):
    before = student.open_figures()
    student.heatmap(weights, ["a", "b"])
    student.beside(weights, weights)
    assert student.open_figures() == before


def test_texts_are_cut_and_ticks_counted(student):
    assert student.shouting().title == "a" * 1000
    with pytest.raises(StudentError, match="more than 1000 ticks"):
        student.crowded()
    with pytest.raises(StudentError, match="no finite number"):
        student.nowhere()
