"""The percent notebooks: cells run with the reference in place, and fail harmlessly without."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import jupytext
import matplotlib as mpl
import pytest

from autograder.checks import play
from autograder.course import load_course
from autograder.course.exercise_cell import Definition, definitions_of, first_line
from autograder.course.layout import reference_file

mpl.use("Agg")
ROOT = Path(__file__).parents[2]
FOLDERS = sorted((ROOT / "assignments").glob("*/"))
ASSIGNMENTS = [path for folder in FOLDERS if (path := folder / f"{folder.name}.py").is_file()]
notebooks = pytest.mark.parametrize("path", ASSIGNMENTS, ids=lambda path: path.stem)


def cells_of(path):
    return jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent").cells


def sources_of(path):
    """Source of each object of the assignment's solutions by name, with what belongs to it."""
    asked = asked_in(path)
    found = {}
    files = [reference_file(ROOT, path.stem, one) for one in ("", *asked)]
    for file in dict.fromkeys(files):
        text = file.read_text(encoding="utf-8")
        tree, lines = ast.parse(text), text.splitlines()
        parts = {part.name for one in asked for part in definitions_of(tree, one)[:-1]}
        for node in tree.body:
            if isinstance(node, Definition) and node.name not in parts:
                nodes = definitions_of(tree, node.name)
                pieces = ["\n".join(lines[first_line(one) - 1 : one.end_lineno]) for one in nodes]
                found[node.name] = "\n\n".join(pieces)
    return found


def asked_in(path):
    """The names of the notebook's exercises, in order."""
    return [cell.metadata["exercise"] for cell in cells_of(path) if "exercise" in cell.metadata]


@notebooks
def test_exercise_cells_are_empty_and_carry_name_and_points_alone(path):
    marked = [dict(cell.metadata) for cell in cells_of(path) if cell.metadata]
    assert marked
    for cell in cells_of(path):
        kind = {"exercise", "quiz"} & set(cell.metadata)
        if kind:
            is_prediction = re.fullmatch("k[0-9]+", str(cell.metadata.get("quiz")))
            marks = set(cell.metadata) - {"bonus", "not_checked", "unseen"} - kind
            assert marks == {"points"} or (is_prediction and not marks)
            assert type(cell.metadata.get("points", 0)) is int
            assert cell.source == ""
            assert cell.cell_type == "code"


@notebooks
def test_every_exercise_has_a_reference_solution_and_every_solution_an_exercise(path):
    assert asked_in(path) == list(sources_of(path))


def as_in_a_release(path, monkeypatch):
    """The files that stand beside a notebook are there, and `play` is what releases have."""
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: mpl.pyplot.close("all"))
    monkeypatch.setattr("checks.play", play, raising=False)


@notebooks
def test_plain_cells_run_once_the_exercises_are_solved(path, monkeypatch):
    as_in_a_release(path, monkeypatch)
    namespace = {}
    for cell in cells_of(path):
        if cell.cell_type == "code":
            exec(sources_of(path).get(cell.metadata.get("exercise"), cell.source), namespace)


@notebooks
def test_before_the_first_exercise_is_solved_only_what_uses_it_fails(path, monkeypatch):
    as_in_a_release(path, monkeypatch)
    namespace, solved = {}, False
    for cell in cells_of(path):
        if cell.cell_type != "code":
            continue
        if "exercise" in cell.metadata:
            solved = True
            exec(stub_of(sources_of(path)[cell.metadata["exercise"]]), namespace)
            continue
        try:
            exec(cell.source, namespace)
        except NotImplementedError:
            assert solved


def stub_of(source):
    region = r"( *)### BEGIN SOLUTION.*?### END SOLUTION"
    return re.sub(region, r"\1raise NotImplementedError", source, flags=re.DOTALL)


@notebooks
def test_the_first_cell_says_how_to_work_and_under_which_licence(path):
    first = cells_of(path)[0]
    assert first.cell_type == "markdown"
    for needed in ("# ", "Conventions", "How to work", "nbgrader validate", "CC BY 4.0"):
        assert needed in first.source


@notebooks
def test_the_time_limits_are_the_courses_own(path):
    limits = load_course(ROOT).limits
    told = f"a cell may run {limits.cell_seconds:g} seconds, and a call of your code "
    assert told + f"{limits.call_seconds:g}." in " ".join(cells_of(path)[0].source.split())


@notebooks
def test_every_picture_is_told_in_words_right_after_it(path):
    cells = cells_of(path)
    for cell, following in pairwise(cells):
        if "plt.show()" in cell.source:
            assert following.source.startswith("*In words:*")
