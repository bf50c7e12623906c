"""Cells of a notebook that only show something: a picture, a table, a training run.

Grading need not run them, and some take seconds. An author marks one in the percent notebook, `# %%
demonstration=true`.
"""

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Demonstration:
    """A cell that only shows something.

    Attributes:
        source: the cell as it is released.
        binds: names that it binds at its top level, which other cells might read.
    """

    source: str
    binds: frozenset[str]


def demonstration(source: str) -> Demonstration:
    """The demonstration that a cell of the percent notebook is.

    Raises:
        SyntaxError: the cell is not plain Python.
    """
    return Demonstration(source.strip(), frozenset(_bound(ast.parse(source))))


def _bound(tree: ast.Module) -> set[str]:
    """Names that the module's statements bind, functions' own names left out."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.split(".")[0])
        waiting += ast.iter_child_nodes(node)
    return found
