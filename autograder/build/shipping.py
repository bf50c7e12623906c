"""Which files of `autograder/checks/` an assignment's release needs: no other assignment's."""

import ast
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

from autograder.course.data_files import files_under

# What every notebook and every terminal starts from; `discovery` finds the rest by what it marks.
ENTRANCES = ("__init__", "__main__")
MARKS = {"exercise", "example"}


def files_to_ship(folder: Path, module: str, exercises: Collection[str]) -> list[Path]:
    """The files of the package `checks` that one assignment's students get.

    A module goes with an assignment when it checks one of its exercises or bears its name, and with
    it all that such modules import. Hints go by the module's name, and other files with everyone.

    Args:
        folder: the package.
        module: the assignment's module name.
        exercises: the names of its exercises.
    """
    trees = {path.stem: _parse(path) for path in sorted(folder.glob("*.py"))}
    needed = {name for name in ENTRANCES if name in trees}
    needed |= {name for name, tree in trees.items() if _checks_any_of(tree, exercises)}
    needed |= {module} & trees.keys()
    unread = list(needed)
    while unread:
        new = _imported(trees[unread.pop()]) & trees.keys() - needed
        needed |= new
        unread += new
    kept = []
    for path in files_under(folder):
        inside = path.relative_to(folder)
        of_another = path.suffix == ".py" and path.stem not in needed
        if not of_another and (inside.parts[0] != "hints" or path.stem == module):
            kept.append(path)
    return kept


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _checks_any_of(tree: ast.Module, exercises: Collection[str]) -> bool:
    """Whether a module has a check or an example of one of the exercises; `q[0-9]*` is a name."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=mark), args=[ast.Constant(value=str(name)), *_]):
                if mark in MARKS and any(fnmatchcase(one, name) for one in exercises):
                    return True
    return False


def _imported(tree: ast.Module) -> set[str]:
    """The modules of the same package that a module imports, at its top or later."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names |= {alias.name for alias in node.names} if node.module is None else {node.module}
    return names
