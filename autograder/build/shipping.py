"""Which files the package `checks` of a release has: what every release has, and its own checks."""

import ast
from pathlib import Path

import autograder
from autograder.course.data_files import files_under
from autograder.course.layout import checks_folder, hints_file, module_of

SAME_FOR_ALL = Path(autograder.__file__).parent / "checks"
TENSORS = "kit/tensors/"


def files_to_ship(root: Path, assignment: str, has_torch: bool) -> dict[str, Path]:
    """The files of `checks` that one assignment's students get, by path from that folder.

    All that stands with its visible checks comes, and what they import of other assignments'.

    Args:
        root: the course's folder.
        assignment: the assignment's name.
        has_torch: whether the course has torch, and so what knows its tensors.
    """
    same = _by_path(SAME_FOR_ALL).items()
    shipped = {name: path for name, path in same if has_torch or not name.startswith(TENSORS)}
    shipped |= _by_path(checks_folder(root, assignment))
    shipped |= {path.name: path for path in modules_of(root, assignment)}
    hints = hints_file(root, assignment)
    if hints.is_file():
        shipped[f"hints/{module_of(assignment)}.toml"] = hints
    return shipped


def _by_path(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in files_under(folder)}


def modules_of(root: Path, assignment: str) -> list[Path]:
    """An assignment's visible checks, and those of others that they import."""
    own = {path.stem: path for path in checks_folder(root, assignment).glob("*.py")}
    others = {path.stem: path for path in sorted(root.glob("assignments/*/checks/*.py"))}
    everywhere = others | own
    needed, unread = set(own), list(own)
    while unread:
        new = _imported(everywhere[unread.pop()]) & everywhere.keys() - needed
        needed |= new
        unread += new
    return [everywhere[name] for name in sorted(needed)]


def _imported(path: Path) -> set[str]:
    """The modules of `checks` that one of them imports, at its top or later."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=imported):
                found += [alias.name for alias in imported]
            case ast.ImportFrom(names=imported):
                where = [*(["checks"] * node.level), *([node.module] if node.module else [])]
                found += [".".join([*where, alias.name]) for alias in imported]
    return {name.split(".")[1] for name in found if name.startswith("checks.")}
