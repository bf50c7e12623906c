"""What students do to the cells of a notebook, by accident or not, as random edits."""

import copy
import random
from collections.abc import Callable

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

EXERCISES = ("predict", "mean_squared_error")
IDS = [name for exercise in EXERCISES for name in (exercise, f"test_{exercise}")]

# An edit changes the notebook, and returns the exercises whose own answer it may have lost.
Edit = Callable[[NotebookNode, random.Random], set[str]]


def _marked(notebook: NotebookNode, drawn: random.Random, names: list[str]) -> NotebookNode | None:
    cells = [cell for cell in notebook.cells if _id(cell) in names]
    return drawn.choice(cells) if cells else None


def _id(cell: NotebookNode) -> str:
    mark = cell.metadata.get("nbgrader")
    return str(mark.get("grade_id")) if isinstance(mark, dict) else ""


def _own(name: str) -> set[str]:
    return {name} & set(EXERCISES)


def delete(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A marked cell is gone; of several copies, one."""
    cell = _marked(notebook, drawn, IDS)
    if cell is None:
        return set()
    notebook.cells = [one for one in notebook.cells if one is not cell]
    return _own(_id(cell))


def copy_at_the_end(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A marked cell is there once more."""
    cell = _marked(notebook, drawn, IDS)
    if cell is not None:
        notebook.cells.append(copy.deepcopy(cell))
    return set()


def rename(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A marked cell has another id, one that exists or not."""
    cell = _marked(notebook, drawn, IDS)
    if cell is None:
        return set()
    before = _id(cell)
    cell.metadata.nbgrader["grade_id"] = drawn.choice([*IDS, "bonus", "", "../x", None, 3, ["f"]])
    return _own(before) | _own(_id(cell))


def swap(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """Two marked cells have changed places."""
    places = [place for place, cell in enumerate(notebook.cells) if _id(cell) in IDS]
    if len(places) > 1:
        one, other = drawn.sample(places, 2)
        cells = notebook.cells
        cells[one], cells[other] = cells[other], cells[one]
    return set()


def change_worth(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A marked cell says that it is worth more, or is no graded cell, or one of another kind."""
    cell = _marked(notebook, drawn, IDS)
    if cell is not None:
        name = drawn.choice(["points", "grade", "solution", "locked", "task", "schema_version"])
        worth = [True, False, 100, -5, 1e308, "9", None, {"a": 1}, 2**70]
        cell.metadata.nbgrader[name] = drawn.choice(worth)
    return set()


def turn_to_text(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A marked cell is text, or raw."""
    cell = _marked(notebook, drawn, IDS)
    if cell is not None:
        cell.cell_type = drawn.choice(["markdown", "raw"])
        cell.pop("outputs", None)
        cell.pop("execution_count", None)
    return set()


def merge(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """Two answers stand in one cell, as Jupyter's "merge cells" leaves them."""
    one = _marked(notebook, drawn, [EXERCISES[0]])
    other = _marked(notebook, drawn, [EXERCISES[1]])
    if one is None or other is None:
        return set()
    one.source += f"\n\n{other.source}"
    notebook.cells = [cell for cell in notebook.cells if cell is not other]
    return set(EXERCISES)


def claim_a_score(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A graded cell says something else, and shows a score already."""
    cell = _marked(notebook, drawn, IDS[1::2])
    if cell is not None and cell.cell_type == "code":
        cell.source = drawn.choice(["2.0", "pass", "", "raise SystemExit", "print(9)"])
        score = drawn.choice(["2.0", "1000", "nan", "-1"])
        cell.outputs = [new_output("execute_result", {"text/plain": score}, execution_count=1)]
    return set()


def add_a_cell(notebook: NotebookNode, drawn: random.Random) -> set[str]:
    """A cell that nobody asked for, perhaps with a mark of nbgrader's."""
    new = drawn.choice([new_code_cell, new_markdown_cell])
    cell = new(
        drawn.choice(
            ["1 / 0", "<script>alert(1)</script>", "", "raise SystemExit", "![a](attachment:b)"]
        )
    )
    name = drawn.choice(["bonus", EXERCISES[0], f"test_{EXERCISES[1]}", "bonus"])
    if drawn.random() < 0.5:
        cell.metadata["nbgrader"] = {"grade_id": name, "grade": True, "points": 50}
    notebook.cells.insert(drawn.randint(0, len(notebook.cells)), cell)
    return _own(name) if "nbgrader" in cell.metadata else set()


EDITS: list[Edit] = [delete, copy_at_the_end, rename, swap, change_worth, turn_to_text]
EDITS += [merge, claim_a_score, add_a_cell]


def edit(notebook: NotebookNode, drawn: random.Random) -> tuple[list[str], set[str]]:
    """Edit a notebook a few times, in place.

    Returns:
        what was done; and the exercises whose own answer may be gone.
    """
    chosen = [drawn.choice(EDITS) for _ in range(drawn.randint(1, 6))]
    lost: set[str] = set()
    for one in chosen:
        lost |= one(notebook, drawn)
    return [one.__name__ for one in chosen], lost
