"""What of a solutions module stands in one exercise's cell."""

import ast

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions_of(tree: ast.Module, exercise: str) -> list[Definition]:
    """The exercise's function or class, and before it the functions that belong to it.

    Those stand directly above, and their names begin with the exercise's: `row_sums_kernel` belongs
    to `row_sums`.

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
