"""Notebooks that strangers wrote: found, read and put in order without being trusted."""

from autograder.notebooks.names import look_alikes
from autograder.notebooks.reading import BadNotebook, read_notebook
from autograder.notebooks.sanitise import code_cells, sanitise
from autograder.notebooks.submitted import Submitted, find_submitted, read_files, why_refused

__all__ = [
    "BadNotebook",
    "Submitted",
    "code_cells",
    "find_submitted",
    "look_alikes",
    "read_files",
    "read_notebook",
    "sanitise",
    "why_refused",
]
