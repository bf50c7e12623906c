"""A course and a kit of its own, where new exercises can be written without touching this one."""

import re
import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
KIT = REPOSITORY / "autograder"
CHECKS = re.compile(r'^@(exercise|example)\(\s*"\w+"', re.MULTILINE)
NAME = "08-small-things"
PERCENT = """\
# %% [markdown]
# # Small things

# %%
import torch
from torch import Tensor
"""
CONFIG = """\
from pathlib import Path
from autograder.build.preprocessors import PREPROCESSORS

c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "assignments"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "[0-9][0-9]-*.py"]
c.GenerateAssignment.preprocessors = PREPROCESSORS
"""


def make_kit(root: Path) -> Path:
    """Write a course without an exercise, and beside it the kit without any assignment's parts."""
    shutil.copytree(KIT, root / "autograder", ignore=_of_assignments)
    files = {
        "course_config.py": CONFIG,
        "nbgrader_config.py": 'load_subconfig("course_config.py")\n',
        f"assignments/{NAME}/{NAME}.py": PERCENT,
        "solutions/__init__.py": '"""What full marks look like."""\n',
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    return root


def _of_assignments(folder: str, names: list[str]) -> set[str]:
    """What an assignment has in a room; and what Python leaves there."""
    path = Path(folder)
    left = {name for name in names if name == "__pycache__"}
    if path.parent == KIT and path.name in ("hidden", "misconceptions", "variants"):
        shared = {"__init__.py", "mistake.py", "variant.py"}
        left |= set(names) - shared
    if path == KIT / "checks":
        left |= {one.name for one in path.glob("*.py") if CHECKS.search(one.read_text("utf-8"))}
        left |= {"hints"}
    return left
