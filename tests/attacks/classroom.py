"""The class that is graded: hostile notebooks, and honest ones before, between and after them."""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attack import HEADS, Attack
from canaries import Canaries, word
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from prelude import LOOT, Places
from small_curriculum import perfect

from autograder.course import load_course

MASK, BY_HAND, FUSED = "03-causal-masking", "01-attention-by-hand", "05-fused-attention"
BETWEEN = 16  # hostile students from one honest student to the next

# What an honest student gets wrong: exercise by source. The marks have to stay what they are.
MASK_TRANSPOSED = """
def causal_mask(seq_len, device=None):
    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).triu()
"""
NOT_MERGED = "def merge_heads(x):\n    return x.flatten(2)"


@dataclass(frozen=True)
class Honest:
    """An honest student's submission.

    Attributes:
        student: the name of the folder.
        assignment: which notebook.
        wrong: the cell of an exercise that is answered wrongly, by exercise; all else is right.
    """

    student: str
    assignment: str
    wrong: dict[str, str]


KINDS: tuple[tuple[str, dict[str, str]], ...] = (
    (HEADS, {}),
    (MASK, {}),
    (HEADS, {"merge_heads": NOT_MERGED}),
    (BY_HAND, {"q2": 'q2 = "A"'}),
    (MASK, {"causal_mask": MASK_TRANSPOSED}),
)


def honest_students(attacks: Sequence[Attack]) -> list[Honest]:
    """Honest students whose names sort before, between and after those of the hostile ones."""
    hostile = sorted(attack.slug for attack in attacks)
    names = ["0-first", *(f"{name}-not" for name in hostile[::BETWEEN]), "zz-last"]
    honest = []
    for place, name in enumerate(names):
        assignment, wrong = KINDS[place % len(KINDS)]
        honest.append(Honest(name, assignment, wrong))
    honest += [Honest(name, HEADS, {}) for name in ("0-second", "zz-very-last", "Zoë")]
    return [*honest, Honest("0-first", FUSED, {})]


class Classroom:
    """Hands notebooks in.

    Args:
        course: the course's folder.
    """

    def __init__(self, course: Path) -> None:
        self._course = course
        self._right = {name: perfect(course, name) for name in load_course(course).assignments}

    def hand_in_honest(self, honest: Honest, canaries: Canaries) -> None:
        """Put an honest student's notebook into `submitted/`."""
        notebook = copy.deepcopy(self._right[honest.assignment])
        for exercise, source in honest.wrong.items():
            cell_of(notebook, exercise).source = source
        self._write(notebook, honest.student, honest.assignment, canaries)

    def hand_in(self, attack: Attack, canaries: Canaries, places: Places) -> None:
        """Put a hostile student's notebook, and what stands beside it, into `submitted/`."""
        notebook = copy.deepcopy(self._right[attack.assignment])
        answer = LOOT if attack.answer is None else attack.answer.strip()
        for exercise, source in {**attack.parts, attack.exercise: answer}.items():
            cell_of(notebook, exercise).source = source
        prelude = places.prelude(attack.slug, attack.assignment)
        cells = [new_code_cell(source) for source in (prelude, attack.cell.strip()) if source]
        notebook.cells[:0] = cells
        if attack.edit is not None:
            attack.edit(notebook)
        folder = self._write(notebook, attack.student, attack.assignment, canaries)
        for name, text in attack.beside.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if attack.place is not None:
            attack.place(folder)

    def _write(
        self, notebook: NotebookNode, student: str, assignment: str, canaries: Canaries
    ) -> Path:
        own = canaries.students.setdefault(student, word())
        notebook.cells.append(new_code_cell(f"# {own}"))
        folder = self._course / "submitted" / student / assignment
        folder.mkdir(parents=True)
        path = folder / f"{assignment}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return folder


def cell_of(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell that nbgrader knows by this name."""
    marks = ((cell, cell.metadata.get("nbgrader")) for cell in notebook.cells)
    (found,) = [
        cell for cell, mark in marks if isinstance(mark, dict) and mark.get("grade_id") == name
    ]
    return found
