"""Templates, filled; and files written only where none of them is there yet."""

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined

Library = Literal["numpy", "torch"]
LIBRARIES: tuple[Library, ...] = ("numpy", "torch")
WIDTH = 100
IMPORTS: dict[Library, str] = {
    "numpy": "import numpy as np\n",
    "torch": "import torch\nfrom torch import Tensor\n",
}


def filled(template: str, **values: Any) -> str:
    """A template's text with these values in it."""
    return _environment().get_template(f"{template}.j2").render(values)


def write(files: Mapping[Path, str]) -> list[Path]:
    """Write files and the folders above them; gives their paths, in order."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(files)


def fitting(opening: str, parts: Sequence[str], closing: str, indent: str = "") -> str:
    """A list of arguments in as few lines as the formatter would take."""
    line = f"{indent}{opening}{', '.join(parts)}{closing}"
    if len(line) <= WIDTH:
        return line
    inner = f"{indent}    {', '.join(parts)}"
    inside = [inner] if len(inner) <= WIDTH else [f"{indent}    {part}," for part in parts]
    return "\n".join([f"{indent}{opening}", *inside, f"{indent}{closing}"])


def imported(text: str) -> dict[str, str]:
    """The names that a module's imports bind, each with the package that it comes from."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = alias.name.split(".")[0]
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = node.module.split(".")[0]
    return found


def library_of(text: str) -> Library | None:
    """What a module of solutions works with; None where it imports neither."""
    packages = set(imported(text).values())
    return next((one for one in ("torch", "numpy") if one in packages), None)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.scaffolding"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["fitting"] = fitting
    return environment
