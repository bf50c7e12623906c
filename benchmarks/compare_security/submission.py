"""What a student hands in: the released notebook with the attack where the answer belongs."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from benchmarks.compare_security.catalogue import HERE, Attack


def hand_in(
    attack: Attack, tool: str, places: Mapping[str, str], released: Path, folder: Path
) -> Path:
    """Write a submission into a new folder.

    Args:
        attack: what is submitted.
        tool: the grader that it is written for.
        places: what `@word@` stands for in its source.
        released: the notebook that students received.
        folder: where the notebook goes, and what lies beside it.
    Returns:
        path of the submitted notebook.
    """
    notebook = nbformat.read(released, as_version=4)
    answer = next(cell for cell in notebook.cells if _is_answer(cell))
    answer.source = attack.source(tool, places)
    if attack.edit is not None:
        attack.edit(notebook)
    folder.mkdir(parents=True)
    if attack.beside:
        shutil.copy(HERE / "beside" / attack.beside, folder)
    path = folder / released.name
    nbformat.write(notebook, path)
    return path


def _is_answer(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return marks.get("solution", False) or "otter_answer_cell" in cell.metadata.get("tags", ())
