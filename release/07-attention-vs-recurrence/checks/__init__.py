"""Visible checks: what a student runs in the notebook, `check("softmax")`, before handing in.

`ask("k1", student_id)` shows a question with numbers of one's own, `hint("softmax")` helps on, and
`python -m checks` does it all in a terminal.

The folder stands by itself: every release has a copy, with the module of that one assignment.
"""

from .asking import ask
from .checking import CheckFailed, check
from .hinting import hint

__all__ = ["CheckFailed", "ask", "check", "hint"]
