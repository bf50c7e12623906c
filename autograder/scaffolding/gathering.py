"""A folder of known answers gathers what its files hold, in the order in which it is tried."""

import ast
from pathlib import Path

from autograder.course import CourseError


def gather(folder: Path, name: str, constant: str, about: str) -> str:
    """The text of a folder's `__init__.py` when one more file is in it.

    Args:
        folder: such as `autograder/misconceptions/causal_masking`.
        name: the new file's name without `.py`.
        constant: what each file holds: `MISTAKES`.
        about: the first line of a folder that is new.

    Raises:
        CourseError: the file there does more than gather.
    """
    path = folder / "__init__.py"
    package = ".".join(("autograder", folder.parent.name, folder.name))
    names: list[str] = []
    first = about
    if path.is_file():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        first, names = ast.get_docstring(tree, clean=False) or about, _gathered(tree, constant)
        again = _written(first, package, names, constant) if names else ""
        if ast.dump(ast.parse(again)) != ast.dump(tree):
            raise CourseError(
                f"{path} does more than gather {constant}, so it cannot be extended here. Let it "
                "import the files beside it and nothing else, as those of other assignments do."
            )
    return _written(first, package, [*names, name], constant)


def _gathered(tree: ast.Module, constant: str) -> list[str]:
    """The files whose constants are gathered, in order."""
    return [
        node.value.id
        for node in ast.walk(tree.body[-1])
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr == constant
    ]


def _written(about: str, package: str, names: list[str], constant: str) -> str:
    """The file as the formatter would leave it."""
    imported = _fitting(f"from {package} import ", "", sorted(names), "")
    gathered = _fitting(f"{constant} = ", "(", [f"*{name}.{constant}" for name in names], ")")
    return f'"""{about}"""\n\n{imported}\n\n{gathered}\n'


def _fitting(start: str, opened: str, parts: list[str], closed: str) -> str:
    """A list in one line where it fits, else one part a line."""
    comma = "," if opened and len(parts) == 1 else ""
    line = f"{start}{opened}{', '.join(parts)}{comma}{closed}"
    if len(line) <= 100:
        return line
    return "\n".join([f"{start}(", *(f"    {part}," for part in parts), ")"])
