"""What of a solutions module stands in one exercise's cell."""

import ast
from pathlib import Path

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions_of(tree: ast.Module, exercise: str) -> list[Definition]:
    """The exercise's function or class, and before it the functions that belong to it.

    Those stand directly above, and their names begin with the exercise's: `triton_attention_kernel`
    belongs to `triton_attention`.

    Returns:
        them in the order of the text, the exercise last; nothing where the module lacks it.
    """
    above: list[Definition] = []
    for node in tree.body:
        if not isinstance(node, Definition):
            above = []
        elif node.name == exercise:
            return [*above, node]
        elif node.name.startswith(f"{exercise}_"):
            above.append(node)
        else:
            above = []
    return []


def first_line(node: Definition) -> int:
    """The number, from 1, of the line where a definition begins, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def solution_path(solutions: Path, module: str, exercise: str) -> Path:
    """The module that holds an exercise's solution: its own, or that of its assignment.

    An exercise has one of its own where its solution imports what may be missing on a machine.

    Args:
        solutions: the folder of reference solutions.
        module: the assignment's module name.
        exercise: the exercise's name.
    """
    alone = solutions / f"{exercise}.py"
    return alone if alone.is_file() else solutions / f"{module}.py"
