"""Cells of a notebook that only show something: a picture, a table, a training run.

Grading need not run them, and some take seconds. An author marks one in the percent notebook, `# %%
demonstration=true`.
"""

import ast
from dataclasses import dataclass

from autograder.checks.kit.cell_names import names_in


@dataclass(frozen=True)
class Demonstration:
    """A cell that only shows something.

    Attributes:
        source: the cell as it is released.
        binds: names that it binds, or changes in place, which other cells might read.
    """

    source: str
    binds: frozenset[str]


def demonstration(source: str) -> Demonstration:
    """The demonstration that a cell of the percent notebook is.

    Raises:
        SyntaxError: the cell is not plain Python.
    """
    ast.parse(source)
    return Demonstration(source.strip(), names_in(source).binds)
