"""A picture that a student's code draws is told alike in the sandbox and in the notebook."""

import numpy as np
import pytest
import torch

from autograder.checks.kit.drawn import DrawnAxes, DrawnFigure
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

def partly_seen(how):
    _, ax = plt.subplots()
    image = ax.imshow(np.eye(3), vmin=0, vmax=1)
    ax.figure.colorbar(image, ax=ax)
    ax.set_xticks(range(3), ["a", "b", "c"])
    ax.set_xlabel("key")
    ways = {
        "small": lambda: ax.tick_params(labelsize=4),
        "slanted": lambda: ax.tick_params(axis="x", rotation=45),
        "on top": lambda: ax.xaxis.tick_top(),
        "minor": lambda: (
            ax.set_xticks([-0.5], [""]), ax.set_xticks(range(3), ["a", "b", "c"], minor=True)
        ),
        "off": lambda: ax.axis("off"),
        "dust": lambda: ax.tick_params(labelsize=0),
        "clear": lambda: ax.tick_params(labelcolor="none"),
        "white": lambda: ax.tick_params(labelcolor="w"),
        "every second": lambda: ax.get_xticklabels()[1].set_visible(False),
        "cut": lambda: ax.set_xlim(-0.5, 1.5),
        "from below": lambda: ax.set_ylim(0.5, 2.5),
        "image": lambda: image.set_visible(False),
        "bar": lambda: image.colorbar.ax.set_visible(False),
        "name": lambda: ax.xaxis.label.set_visible(False),
    }
    ways[how]()
    return ax

def bar_of_colours(cmap):
    _, ax = plt.subplots()
    ax.imshow(np.eye(3), cmap="magma", vmin=0, vmax=1)
    ax.figure.colorbar(plt.cm.ScalarMappable(plt.Normalize(0, 1), cmap), ax=ax)
    return ax.figure

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


@pytest.mark.parametrize("how", ["small", "slanted", "on top", "minor"])
def test_labels_that_can_be_read_are_told_in_every_style(student, how):
    assert [one for one in student.partly_seen(how).xticklabels if one] == ["a", "b", "c"]


@pytest.mark.parametrize("how", ["off", "dust", "clear", "white"])
def test_labels_that_nobody_can_read_are_not_told(student, how):
    assert student.partly_seen(how).xticklabels == ("", "", "")


def test_a_label_that_is_switched_off_leaves_the_others_at_their_places(student):
    assert student.partly_seen("every second").xticklabels == ("a", "", "c")


def test_names_of_axes_that_are_switched_off_are_not_told(student):
    assert [student.partly_seen(how).xlabel for how in ("small", "off", "name")] == ["key", "", ""]


def test_rows_and_columns_out_of_view_are_not_told(student):
    cut, from_below = student.partly_seen("cut"), student.partly_seen("from below")
    assert np.array_equal(cut.mesh, np.eye(3)[:, :2])
    assert cut.mesh_columns == (0.0, 1.0)
    assert np.array_equal(from_below.mesh, np.eye(3)[1:])
    assert from_below.mesh_rows == (1.0, 2.0)


def test_an_image_and_a_bar_that_are_hidden_are_not_told(student):
    assert student.partly_seen("image").mesh is None
    assert student.partly_seen("small").colorbar
    assert not student.partly_seen("bar").colorbar


def test_a_bar_counts_for_a_mesh_of_its_own_colours(student):
    (own,), (other,) = (student.bar_of_colours(cmap).axes for cmap in ("magma", "gray"))
    assert own.colorbar
    assert not other.colorbar
