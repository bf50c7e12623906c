"""Two courses, without and with torch, notebooks of each, and their marks at home."""

import copy
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from line_fitting import cell_of
from nbformat import NotebookNode
from small_curriculum import perfect

PROJECT = Path(__file__).parents[2]
SOURCES = ("assignments", "solutions", "graders")
CONFIGS = ("course_config.py", "nbgrader_config.py")
NEVER_ENDS = "while True:\n    pass"
HOLDS_MUCH = "import numpy\nmuch = numpy.ones((600 << 20) // 8)\n"

Marks = dict[str, float]
"""Points by exercise, and of the whole as `score`, `max_score` and `pending_points`."""


@dataclass(frozen=True)
class Kind:
    """A course to measure with.

    Attributes:
        name: what to call it.
        source: its folder.
        assignment: the one that is handed in.
        exercise: which of its exercises is answered wrongly.
        wrong: that answer.
    """

    name: str
    source: Path
    assignment: str
    exercise: str
    wrong: str


KINDS = (
    Kind(
        "NumPy alone",
        PROJECT / "examples" / "line-fitting",
        "01-line-fitting",
        "mean_squared_error",
        "def mean_squared_error(predicted, actual):\n    return sum((predicted - actual) ** 2)",
    ),
    Kind(
        "torch",
        PROJECT,
        "03-causal-masking",
        "causal_mask",
        "def causal_mask(seq_len, device=None):\n"
        "    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).triu()",
    ),
)


class Home:
    """A course on the machine of whoever teaches it, released.

    Args:
        kind: which course.
        folder: an empty one.

    Attributes:
        kind: which course.
        root: its folder.
    """

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind = kind
        self.root = folder
        built = shutil.ignore_patterns("*.ipynb", "__pycache__")
        for name in SOURCES:
            shutil.copytree(kind.source / name, folder / name, ignore=built)
        for name in CONFIGS:
            shutil.copy(kind.source / name, folder)
        self.autograder("release", kind.assignment)

    def autograder(self, *words: object, cwd: Path | None = None) -> None:
        """Run a command there that may find something wrong, and may not fail otherwise."""
        command = [sys.executable, "-m", "autograder", *map(str, words)]
        done = subprocess.run(command, cwd=cwd or self.root, capture_output=True, text=True)
        if done.returncode > 1:
            raise RuntimeError(done.stderr)

    def notebooks(self, student: str) -> dict[str, NotebookNode]:
        """What a student may hand in, by what is in it."""
        name, exercise = self.kind.assignment, self.kind.exercise
        right = perfect(self.root, name, student)
        mistaken, endless = copy.deepcopy(right), copy.deepcopy(right)
        cell_of(mistaken, exercise).source = self.kind.wrong
        cell_of(endless, exercise).source += f"\n{NEVER_ENDS}"
        return {
            "all right": right,
            "a known mistake": mistaken,
            "an endless loop": endless,
        }

    def right_and_large(self, student: str) -> NotebookNode:
        """Right work that holds 600 MB, which the course allows."""
        notebook = self.notebooks(student)["all right"]
        cell = cell_of(notebook, self.kind.exercise)
        cell.source = HOLDS_MUCH + cell.source
        return notebook

    def marks(self, handed: dict[str, NotebookNode]) -> dict[str, Marks]:
        """The marks that `autograder grade` gives here, by student."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "course"
            shutil.copytree(self.root, root)
            for student, notebook in handed.items():
                hand_in(root, student, self.kind.assignment, notebook)
            self.autograder("grade", self.kind.assignment, "--json", "marks.json", cwd=root)
            return marks_in(root / "marks.json")


def hand_in(root: Path, student: str, assignment: str, notebook: NotebookNode) -> None:
    """Put a notebook where a course finds what was handed in."""
    folder = root / "submitted" / student / assignment
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, folder / f"{assignment}.ipynb")


def marks_in(file: Path) -> dict[str, Marks]:
    """The marks in what `autograder grade --json` wrote, by student."""
    listed = json.loads(file.read_text(encoding="utf-8"))["submissions"]
    return {one["student"]: marks_of(one) for one in listed}


def marks_of(entry: dict[str, Any]) -> Marks:
    """The marks in one submission's entry."""
    whole = {name: entry[name] for name in ("score", "max_score", "pending_points")}
    return whole | {name: one["score"] for name, one in entry["exercises"].items()}
