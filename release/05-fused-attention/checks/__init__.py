"""Visible checks: what a student runs in the notebook, `check("softmax")`, before handing in.

The folder stands by itself: every release has a copy, with the module of that one assignment.
"""

from .checking import CheckFailed, check

__all__ = ["CheckFailed", "check"]
