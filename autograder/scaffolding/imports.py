"""Imports that an exercise needs, put where a module or a notebook has its others."""

import ast
import re

from autograder.scaffolding.filling import imported

CELL = re.compile(r"^# %%", re.MULTILINE)
NAMES = re.compile(r"^from (\S+) import ([\w, ]+)$")


def with_imports(text: str, needed: str, source: str) -> str:
    """A module that imports what some code in it uses.

    Args:
        text: the module.
        needed: import statements, one a line.
        source: the code; what it does not name is not imported for it.
    """
    missing = _missing(text, needed, source)
    if not missing:
        return text
    tree, lines = ast.parse(text), text.splitlines()
    end = _end_of_imports(tree)
    if end is None:
        has_docstring = ast.get_docstring(tree) is not None
        end = (tree.body[0].end_lineno or 1) if has_docstring else 0
        missing = ["", *missing] if has_docstring else [*missing, ""]
    return "\n".join(_joined(lines, missing, end)) + "\n"


def with_imports_in_notebook(text: str, needed: str, source: str) -> str:
    """A percent notebook that does so; where it has no imports, a cell after its first."""
    missing = _missing(text, needed, source)
    if not missing:
        return text
    end = _end_of_imports(ast.parse(text))
    if end is not None:
        return "\n".join(_joined(text.splitlines(), missing, end)) + "\n"
    starts = [cell.start() for cell in CELL.finditer(text)]
    place = starts[1] if len(starts) > 1 else len(text)
    cell = "\n".join(["# %%", *missing])
    return f"{text[:place].rstrip()}\n\n{cell}\n\n{text[place:]}"


def _missing(text: str, needed: str, source: str) -> list[str]:
    """The statements that are needed, without the names that are bound or never used."""
    bound = imported(text)
    found = []
    for line in needed.splitlines():
        names = [name for name in imported(line) if name not in bound]
        used = [name for name in names if re.search(rf"\b{name}\b", source)]
        if used:
            found.append(line if " as " in line or line.startswith("import") else _from(line, used))
    return list(dict.fromkeys(found))


def _from(line: str, names: list[str]) -> str:
    """`from torch import Tensor, nn`, of these names; classes first, as the linter has it."""
    ordered = sorted(set(names), key=lambda name: (name[0].islower(), name))
    return f"{line.split(' import ')[0]} import {', '.join(ordered)}"


def _end_of_imports(tree: ast.Module) -> int | None:
    """The number of the last line of the first run of imports."""
    end = None
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            end = node.end_lineno
        elif end is not None:
            break
    return end


def _joined(lines: list[str], new: list[str], end: int) -> list[str]:
    """The lines with new ones after line `end`, or joined to one that imports from there."""
    new = list(new)
    for number, line in enumerate(lines[:end]):
        match = NAMES.match(line)
        for one in list(new) if match else ():
            if match and (more := NAMES.match(one)) and more[1] == match[1]:
                lines[number] = _from(line, (match[2] + "," + more[2]).replace(" ", "").split(","))
                new.remove(one)
    return [*lines[:end], *new, *lines[end:]]
