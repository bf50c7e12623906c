"""A small course to build releases from: one assignment, three exercises, a check, a figure."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
NAME = "03-causal-masking"

PERCENT = """\
# %% [markdown]
# # Causal masking
#
# A token may look back, never ahead.
# ![a triangle](triangle.png)

# %%
import torch
from torch import Tensor, nn

# %% exercise="causal_mask" points=2

# %% [markdown]
# ## A module

# %% exercise="Gate" points=1.5

# %% quiz="q1" points=1
"""

SOLUTIONS = '''\
"""Reference solutions."""

import torch
from torch import Tensor, nn


def causal_mask(seq_len: int, device=None) -> Tensor:
    """Let every position attend to itself and to what came before."""
    ### BEGIN SOLUTION
    rows = torch.arange(seq_len, device=device)  # one a query
    return rows[:, None] >= rows[None, :]
    ### END SOLUTION


class Gate(nn.Module):
    """Scale by a learned number."""

    def __init__(self, start: float = 1.0) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.scale = nn.Parameter(torch.full((), start))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        if x.ndim == 0:
            raise ValueError("x has no dimension, and a gate needs at least one")
        return torch.sigmoid(self.scale) * x
        ### END SOLUTION
'''

QUIZ = """\
[[question]]
name = "q1"
text = "Which keys does query 0 see?"
key = "B"
[question.options.A]
text = "All of them"
why = "That is an encoder's view; a decoder hides the future from query 0."
misconception = "no-mask"
[question.options.B]
text = "Key 0 alone"
why = "The first position has no past but itself."
"""

CHECKS = '''\
"""Visible checks of the small course."""

from checks.drawn import triangle
from checks.kit.expectation import exercise, expect


@exercise("causal_mask")
def test_three_positions(student):
    """Row 0 allows key 0, row 1 keys 0 and 1, row 2 all three."""
    expect(student.causal_mask(3), triangle(), "(queries, keys)")
'''

DRAWN = '''\
"""Masks that are drawn, not computed."""

import torch


def triangle():
    """Three positions."""
    return torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
'''

HINTS = """\
[causal_mask]
question = "Which keys may query 0 see?"
pointer = "A comparison of positions."
miniature = "Think of two words."
"""

CONFIG = """\
from pathlib import Path
from autograder.build.preprocessors import PREPROCESSORS

c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "assignments"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "[0-9][0-9]-*.py", "hints.toml"]
c.GenerateAssignment.preprocessors = PREPROCESSORS
"""


def make_course(root: Path) -> Path:
    """Write the small course into a new folder."""
    files = {
        "course_config.py": CONFIG,
        "nbgrader_config.py": 'load_subconfig("course_config.py")\n',
        f"assignments/{NAME}/{NAME}.py": PERCENT,
        f"assignments/{NAME}/checks/causal_masking.py": CHECKS,
        f"assignments/{NAME}/checks/drawn.py": DRAWN,
        f"assignments/{NAME}/hints.toml": HINTS,
        f"assignments/{NAME}/triangle.png": "not really a picture",
        f"assignments/{NAME}/.ipynb_checkpoints/old.py": "left behind",
        "solutions/causal_masking/reference.py": SOLUTIONS,
        "solutions/causal_masking/quiz.toml": QUIZ,
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that a file is sure to hold."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
