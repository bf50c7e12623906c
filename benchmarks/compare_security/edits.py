"""Attacks on the notebook's cells and metadata, of nbgrader's kind and of otter's."""

import copy
import re

from nbformat import NotebookNode

CHECK = 'grader.check("causal_mask")'


def graded(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that are graded, or that check the answer."""
    return [
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade") or cell.source == CHECK
    ]


def tag_as_skipped(notebook: NotebookNode) -> None:
    """Ask the program that runs the notebook to leave the graded cells out."""
    for cell in graded(notebook):
        cell.metadata["tags"] = ["skip-execution"]


def copy_graded(notebook: NotebookNode) -> None:
    """Put copies that test nothing in place of the graded cells, and at the end."""
    for cell in graded(notebook):
        empty = copy.deepcopy(cell)
        empty.source, empty.id = "pass", f"{cell.id}-copy"
        notebook.cells[notebook.cells.index(cell)] = empty
        notebook.cells.append(NotebookNode(empty | {"id": f"{cell.id}-again"}))


def raise_points(notebook: NotebookNode) -> None:
    """Make every graded cell worth 121 points, unlocked, and without a test."""
    for cell in graded(notebook):
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader["points"] = 121.0
            cell.metadata.nbgrader["locked"] = False
            cell.source = "pass"
    tests = notebook.metadata.get("otter", {}).get("tests", {})
    for name, source in tests.items():
        raised = re.sub(r"points=\d+", "points=242", source)
        tests[name] = re.sub(r"(?m)^    assert .*$", "    pass", raised)
