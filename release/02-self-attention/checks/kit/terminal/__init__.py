"""`python -m checks`: the visible checks in a terminal, on the notebook as it was last saved.

The notebook runs in a process of its own (`runner.py`), which can be killed; all the rest here
imports neither the course's packages nor pytest, so that the terminal answers at once.
"""

from .command_line import main

__all__ = ["main"]
