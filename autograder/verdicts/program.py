"""Python as far as a verdict rests on it: without comments, layout, and words to a reader."""

import ast
import hashlib
import json
import os
from collections.abc import Collection
from functools import cache
from pathlib import Path

Described = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
# Functions so marked are of one exercise; what a hidden test says of itself is what students read.
OF_AN_EXERCISE = {"exercise", "probe", "example"}
UNTOLD = ""
"""The exercise of a function whose mark names it by a variable, which a text does not tell."""
SUFFIXES = {".py", ".toml", ".txt", ".j2"}


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file without docstrings, but for those that students read."""
    return _parsed(path.read_text(encoding="utf-8"))


@cache
def _parsed(text: str) -> ast.Module:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, Described) and exercise_of(node) is None:
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())), *rest]:
                    node.body = rest
    return tree


def exercise_of(node: ast.AST) -> str | None:
    """The exercise that a function is a hidden test, a probe or the public example of."""
    for decorator in getattr(node, "decorator_list", ()):
        match decorator:
            case ast.Call(func=ast.Name(id=mark), args=[name, *_]) if mark in OF_AN_EXERCISE:
                return str(name.value) if isinstance(name, ast.Constant) else UNTOLD
    return None


class Programs:
    """Digests of files; what was read before in the same form is not parsed again.

    Args:
        memory: a file that keeps them from run to run.
    """

    def __init__(self, memory: Path | None = None) -> None:
        self._memory = memory
        self._known: dict[str, str] = {}
        if memory is not None and memory.is_file():
            try:
                self._known = dict(json.loads(memory.read_text(encoding="utf-8")))
            except (OSError, ValueError):
                self._known = {}

    def digest_of(self, folder: Path, apart: Collection[Path] = ()) -> str:
        """The digest of all program files under a folder, but those in folders that stand apart."""
        elsewhere = {one for one in apart if one != folder}
        files = sorted(
            path
            for path in folder.rglob("*")
            if path.suffix in SUFFIXES and not elsewhere & {*path.parents}
        )
        known = len(self._known)
        told = [(path.relative_to(folder).as_posix(), self._digest(path)) for path in files]
        if len(self._known) != known and self._memory is not None:
            self._keep(self._memory)
        return _hash(repr(told))

    def _digest(self, path: Path) -> str:
        as_written = hashlib.sha256(path.read_bytes()).hexdigest()
        if path.suffix != ".py":
            return as_written
        if as_written not in self._known:
            self._known[as_written] = _hash(ast.dump(parsed(path)))
        return self._known[as_written]

    def _keep(self, memory: Path) -> None:
        """Write them whole or not at all; what cannot be kept is found anew next time."""
        unfinished = memory.with_name(f".{memory.name}.{os.getpid()}")
        try:
            memory.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(self._known), encoding="utf-8")
            os.replace(unfinished, memory)
        except OSError:
            unfinished.unlink(missing_ok=True)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
