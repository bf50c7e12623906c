"""A picture that comes out of the sandbox is plain data within bounds, or refused."""

from dataclasses import asdict

import numpy as np
import pytest

from autograder.checks.kit.drawn import DrawnAxes, DrawnFigure
from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.sandbox.drawing import read_drawing
from autograder.sandbox.inside.frames import Violation

AXES = DrawnAxes(
    title="Weights",
    xlabel="key",
    ylabel="query",
    xticks=(0.0, 1.0),
    yticks=(),
    xticklabels=("a", "b"),
    yticklabels=(),
    mesh=np.eye(2),
    mesh_limits=(0.0, 1.0),
    rows_from_top=True,
    colorbar=False,
    lines=(np.zeros((3, 2)),),
    texts=("x",),
)
FIGURE = DrawnFigure((AXES, AXES), "Two")


class Title(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Numbers(np.ndarray):
    pass


@pytest.mark.parametrize("drawn", [AXES, FIGURE], ids=["axes", "figure"])
def test_a_picture_is_read_as_it_was_told(drawn):
    read = read_drawing(asdict(drawn))
    assert type(read) is type(drawn)
    assert repr(read) == repr(drawn)


ODD = {
    "a title that equals all": {"title": Title("x")},
    "a long title": {"title": "x" * 1001},
    "a title of bytes": {"title": b"x"},
    "ticks in a list": {"xticks": [0.0]},
    "integer ticks": {"xticks": (0, 1)},
    "true ticks": {"yticks": (True,)},
    "NaN ticks": {"yticks": (float("nan"),)},
    "infinite ticks": {"yticks": (float("inf"),)},
    "too many ticks": {"xticks": (0.0,) * 1001},
    "too many labels": {"xticklabels": ("",) * 1001},
    "labels that are no text": {"yticklabels": (1,)},
    "too many texts": {"texts": ("",) * 10_001},
    "a mesh of one dimension": {"mesh": np.zeros(3)},
    "a mesh of other numbers": {"mesh": np.zeros((2, 2), np.float32)},
    "a mesh of a subclass": {"mesh": np.zeros((2, 2)).view(Numbers)},
    "a mesh that is too large": {"mesh": np.zeros((1001, 1000))},
    "a mesh in lists": {"mesh": [[0.0]]},
    "one limit": {"mesh_limits": (0.0,)},
    "three limits": {"mesh_limits": (0.0, 1.0, 2.0)},
    "NaN limits": {"mesh_limits": (0.0, float("nan"))},
    "a number for a flag": {"rows_from_top": 1},
    "nothing for a flag": {"colorbar": None},
    "lines of three numbers a point": {"lines": (np.zeros((2, 3)),)},
    "a line that is a number": {"lines": (np.zeros(()),)},
    "too many lines": {"lines": (np.zeros((1, 2)),) * 2001},
    "columns in a list": {"mesh_columns": [0.0]},
    "a place of three numbers": {"place": (0.0, 0.0, 1.0)},
    "a place at no finite number": {"place": (0.0, 0.0, 1.0, float("inf"))},
    "rows at no place": {"mesh_rows": (float("nan"),)},
    "too many rows": {"mesh_rows": (0.0,) * 1001},
    "lines that are too long together": {"lines": (np.zeros((300_000, 2)),) * 2},
}


@pytest.mark.parametrize("change", ODD.values(), ids=list(ODD))
def test_odd_axes_are_refused(change):
    with pytest.raises(Violation):
        read_drawing(asdict(AXES) | change)
    with pytest.raises(Violation):
        read_drawing({"axes": (asdict(AXES) | change,), "suptitle": ""})


@pytest.mark.parametrize(
    "fields",
    [
        None,
        [],
        {},
        {"axes": ()},
        {"title": "x"},
        asdict(AXES) | {"more": 1},
        {"axes": [asdict(AXES)], "suptitle": ""},
        {"axes": (asdict(AXES),) * 33, "suptitle": ""},
        {"axes": (AXES,), "suptitle": ""},
        {"axes": (), "suptitle": None},
    ],
    ids=lambda fields: str(fields)[:40],
)
def test_what_is_no_picture_is_refused(fields):
    with pytest.raises(Violation):
        read_drawing(fields)


HOSTILE = """
import sys
import numpy as np
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

class Odd(Axes):
    title_given, loops = "x", False

    def get_title(self, loc="center"):
        while self.loops:
            pass
        return self.title_given

def odd(title=None, ticks=None, labels=None):
    ax = plt.figure().add_subplot(axes_class=Odd)
    ax.title_given = {"bytes": b"x", "huge": "x" * 10**7, "half": chr(0xD800)}.get(title, "x")
    ax.loops = title == "loops"
    if ticks is not None:
        ax.xaxis.get_majorticklocs = lambda: np.full(ticks, 0.5)
    return ax

def looks_like_one():
    class Axes:
        __module__ = "matplotlib.axes._axes"
        title = xlabel = ylabel = "x"
        def __getattr__(self, name):
            return lambda *args, **kwargs: []
    return Axes()

def told(**changes):
    module = sys.modules["autograder.sandbox.inside.serve"]
    fields = dict(title="", xlabel="", ylabel="", xticks=(), yticks=(), xticklabels=(),
                  yticklabels=(), mesh=None, mesh_limits=None, rows_from_top=False,
                  colorbar=False, lines=(), texts=()) | changes
    module.described, module.asdict = lambda value: value, lambda shown: fields
    return plt.figure().add_subplot()
"""


@pytest.fixture
def hostile(worker):
    assert worker.run_cell(HOSTILE).error is None
    return worker


def test_axes_that_answer_oddly_are_told_as_text_and_numbers_or_not_at_all(hostile):
    assert hostile.call("odd").value.title == "x"
    assert hostile.call("odd", ["bytes"]).value.title == "b'x'"
    assert hostile.call("odd", ["huge"]).value.title == "x" * 1000
    assert hostile.call("odd", ["half"]).value.title == "?"
    with pytest.raises(StudentError, match="ticks"):
        hostile.call("odd", [None, 10**6])
    with pytest.raises(StudentError, match="cannot be graded"):
        hostile.call("looks_like_one")


def test_axes_that_never_answer_cost_the_calls_time(hostile):
    with pytest.raises(StudentDied, match="timeout"):
        hostile.call("odd", ["loops"])


@pytest.mark.parametrize(
    "changes", [{"title": 3}, {"xticks": [0.0]}, {"mesh": [[0.0]]}, {"colorbar": 1}, {"more": 1}]
)
def test_a_forged_picture_ends_the_process(hostile, changes):
    with pytest.raises(StudentDied, match="protocol"):
        hostile.call("told", [], changes)


def test_figures_of_a_cell_are_closed_after_it_as_in_jupyter(worker):
    worker.run_cell("import matplotlib.pyplot as plt\nfigure, axes = plt.subplots()")
    outcome = worker.run_cell("axes.plot([1, 2])\nfigure.canvas.draw()\nopen = plt.get_fignums()")
    assert outcome.error is None
    assert worker.value("open") == []


def test_axes_of_ours_are_matplotlibs_own(worker):
    worker.run_cell("def kind(value):\n    return type(value).__name__")
    assert worker.call("kind", [worker.new_axes()]).value == "Axes"


def test_an_odd_answer_about_what_was_to_be_made_ends_the_process(worker):
    worker.run_cell(
        "import sys\n"
        "module = sys.modules['autograder.sandbox.inside.serve']\n"
        "module.Requests._axes = lambda *_: None\n"
        "everything = __import__('gc').get_objects()\n"
        "requests = next(o for o in everything if isinstance(o, module.Requests))\n"
        "requests.answers['axes'] = lambda *_: {'result': 3}"
    )
    with pytest.raises(StudentDied, match="protocol"):
        worker.new_axes()
