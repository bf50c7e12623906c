"""A class of odd notebooks: right answers, handed in as students hand them in without harm."""

from benchmarks.odd_notebooks import answers, cells, files
from benchmarks.odd_notebooks.kinds import KINDS

__all__ = ["KINDS", "answers", "cells", "files"]
