"""Visible checks: what a student runs in the notebook, `check("row_sums")`, before handing in.

`ask("k1", student_id)` shows a question with numbers of one's own, `hint("row_sums")` helps on,
`play("step_size")` shows a picture that moves, `progress()` says how the notebook stands, and
`python -m checks` does it all in a terminal.

The folder stands by itself: every release has a copy, with the checks of that one assignment.
"""

import sys

from .kit.asking import ask
from .kit.checking import CheckFailed, check
from .kit.hinting import hint
from .kit.playing import play
from .kit.progress import progress
from .kit.unfinished import explain_in_notebook

__all__ = ["CheckFailed", "ask", "check", "hint", "play", "progress"]

if "IPython" in sys.modules:
    explain_in_notebook()
