"""Which pages nbconvert makes for formgrader: what stands on them alone is for graders."""

from collections.abc import Callable
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

# What formgrader's page of one submission says of it, and no page for students does.
SAID = ("submission_id", "notebook_path", "assignment_id")


def is_formgraders(resources: dict[str, Any]) -> bool:
    """Whether a page is formgrader's of one submission."""
    return "nbgrader" not in resources and all(name in resources for name in SAID)


def put_above(notebook: NotebookNode, text_of: Callable[[NotebookNode], str | None]) -> None:
    """Add a cell of Markdown above each cell that `text_of` has something to say of."""
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        text = text_of(cell)
        cells += [cell] if text is None else [new_markdown_cell(text), cell]
    notebook.cells = cells
