"""A student's folder with two exercises of NumPy, one of which rests on the other."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from autograder.build.shipping import files_to_ship

NAME = "03-causal-masking"
IMPORTS = "%matplotlib inline\nimport numpy as np\nimport matplotlib.pyplot as plt\n!echo shell-ran"
RIGHT = "def causal_mask(seq_len):\n    return np.tri(seq_len) > 0"
WRONG = RIGHT.replace("> 0", "< 1")
STUB = (
    "def causal_mask(seq_len):\n"
    '    raise NotImplementedError("causal_mask is not written yet: replace this line")'
)
CHECK = 'from checks import check\n\ncheck("causal_mask")'
COUNT = "def allowed(seq_len):\n    return int(causal_mask(seq_len).sum())"
CHECK_COUNT = CHECK.replace("causal_mask", "allowed")
CHECKS = '''\
"""Visible checks of an assignment with two exercises."""

import numpy as np

from checks.kit.expectation import exercise, expect, expect_number


@exercise("causal_mask")
def test_three_positions(student):
    """Row 0 allows key 0, row 1 keys 0 and 1, row 2 all three."""
    wanted = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]]) > 0
    expect(student.causal_mask(3), wanted, "(queries, keys)")


@exercise("causal_mask")
def test_one_position(student):
    """A single position may attend to itself."""
    expect(student.causal_mask(1), np.array([[True]]), "(queries, keys)")


@exercise("allowed")
def test_the_pairs_are_counted(student):
    """Of three positions, six pairs are allowed."""
    expect_number(student.allowed(3), 6, "the pairs")
'''
HINTS = """\
[causal_mask]
question = "Which keys may query 0 see?"
pointer = "A comparison of positions."
miniature = "Think of two words."
"""


def make_package(root: Path, folder: Path) -> Path:
    """The package `checks` as a release of a course without torch has it.

    Args:
        root: an empty folder for the course's sources.
        folder: where the package is to stand.
    """
    own = root / "assignments" / NAME
    (own / "checks").mkdir(parents=True)
    (own / "checks" / "small.py").write_text(CHECKS, encoding="utf-8")
    (own / "hints.toml").write_text(HINTS, encoding="utf-8")
    for path, source in files_to_ship(root, NAME, has_torch=False).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / path)
    return folder


def save(folder: Path, *sources: str, name: str = NAME) -> None:
    """Save a notebook with these code cells, from number 2 on, as Jupyter does.

    Cells have the ids that a release gives them, by what they define or check.
    """
    notebook = new_notebook(cells=[new_markdown_cell("# Text"), *map(new_code_cell, sources)])
    for cell in notebook.cells[1:]:
        if found := re.search(
            r"^(check\(\"|def )(causal_mask|allowed)\b", cell.source, re.MULTILINE
        ):
            grade_id = found[2] if found[1] == "def " else f"test_{found[2]}"
            cell.metadata["nbgrader"] = {"grade_id": grade_id}
    (folder / f"{name}.ipynb").write_text(writes(notebook), encoding="utf-8")


def checks(
    folder: Path, *arguments: str, cwd: Path | None = None, module: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run the command as a terminal would, with nothing but Python's own settings."""
    what = ["-m", "checks"] if module else [str(folder / "checks")]
    return subprocess.run(
        [sys.executable, "-B", *what, *arguments],
        cwd=cwd or folder,
        capture_output=True,
        encoding="utf-8",
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        check=False,
    )
