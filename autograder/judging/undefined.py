"""Which name a student's code used that nothing defines, where that can be told."""

import ast
import re

from autograder.student import StudentError

NOT_DEFINED = re.compile(r"name '(\w{1,60})' is not defined\b")
MOST_NAMES = 8
"""Names that a line may use for one of them to be told: which it is could tell a hidden input."""


def undefined_name(error: StudentError, cell: str) -> str | None:
    """The name that a NameError is about; None where it is no such error, or cannot be told.

    An error's text is the student's to write, and may hold what no student may see. So a name is
    told only where the very line that stopped uses it.

    Args:
        error: what the code raised, and in which line of the cell.
        cell: the exercise's own cell.
    """
    named = NOT_DEFINED.match(error.message)
    if error.builtin != "NameError" or named is None:
        return None
    try:
        nodes = list(ast.walk(ast.parse(cell)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    used = {node.id for node in nodes if isinstance(node, ast.Name) and node.lineno == error.line}
    return named[1] if named[1] in used and len(used) <= MOST_NAMES else None
