"""Gradescope: the zip that it takes as an autograder, and what that runs there.

`zip_file.py` writes the zip from `templates/`. On the platform the package is run as a program and
grades one submission: `owner.py` says whose it is, `results.py` what its marks are in Gradescope's
format.
"""

from autograder.harness.gradescope.zip_file import write

__all__ = ["write"]
