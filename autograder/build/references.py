"""Reference solutions as text: one object of a module, and what in it students must not see.

Modules are read, never imported: a release needs their text alone, comments included.
"""

import ast
from pathlib import Path

from autograder.course import CourseError
from autograder.course.errors import did_you_mean
from autograder.course.exercise_cell import definitions_of, first_line

BEGIN, END = "BEGIN SOLUTION", "END SOLUTION"  # nbgrader's own markers


def parse_module(path: Path) -> tuple[str, ast.Module]:
    """A module's text and its syntax tree.

    Raises:
        CourseError: there is no such file, or it is not Python.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CourseError(f"{path} is missing: it holds the reference solutions.") from error
    try:
        return text, ast.parse(text)
    except SyntaxError as error:
        raise CourseError(f"{path}, line {error.lineno}: {error.msg}.") from error


def named_objects(
    tree: ast.Module,
) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """The functions and classes of a module, by name."""
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def reference_source(path: Path, name: str) -> str:
    """The source of one function or class, from its decorators to its last comment.

    What belongs to it stands before it.

    Raises:
        CourseError: the module has no such object, or its solution is not marked rightly.
    """
    text, tree = parse_module(path)
    objects = named_objects(tree)
    if name not in objects:
        raise CourseError(
            f"{path} has no function or class {name!r}, which the notebook asks for."
            f"{did_you_mean(name, objects)}"
        )
    lines = text.splitlines()
    nodes = definitions_of(tree, name)
    first, last = first_line(nodes[0]) - 1, nodes[-1].end_lineno or nodes[-1].lineno
    # The closing marker is a comment, and the syntax tree ends before it.
    while last < len(lines) and (not lines[last].strip() or lines[last][0].isspace()):
        last += 1
    source = "\n".join(lines[first:last]).rstrip()
    if not solution_lines(source, f"{path}: {name}"):
        raise CourseError(
            f"{path}: {name} has no `### {BEGIN}` ... `### {END}`, so students would be given all "
            "of it. Put the markers around what they are to write."
        )
    return source


def solution_lines(text: str, where: str) -> set[int]:
    """The numbers, from 1, of the lines that stand between solution markers.

    Raises:
        CourseError: a marker has no partner; `where` says what the text is.
    """
    inside: set[int] = set()
    begun: int | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if BEGIN in line:
            if begun is not None:
                raise CourseError(f"{where}: a second {BEGIN} comes before an {END}.")
            begun = number
        elif END in line:
            if begun is None:
                raise CourseError(f"{where}: an {END} has no {BEGIN} before it.")
            begun = None
        elif begun is not None:
            inside.add(number)
    if begun is not None:
        raise CourseError(f"{where}: a {BEGIN} has no {END} after it.")
    return inside
