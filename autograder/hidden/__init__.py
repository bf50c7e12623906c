"""Hidden graders: a pytest file an assignment, or a folder of them; students never receive them."""

from pathlib import Path

HERE = Path(__file__).parent


def grader_files(module: str) -> list[Path]:
    """The files that hold an assignment's graders, in the order in which they run.

    Args:
        module: the assignment's module name.
    Returns:
        `module.py`, or else the files of the folder `module`; none where there are no graders.
    """
    alone = HERE / f"{module}.py"
    return [alone] if alone.is_file() else _modules(f"{module}/*.py")


def owners() -> dict[str, str]:
    """The module of the assignment that each grader file belongs to, by the file's own name."""
    beside = {path.stem: path.stem for path in _modules("*.py")}
    inside = {path.stem: path.parent.name for path in _modules("*/*.py")}
    return beside | inside | {module: module for module in inside.values()}


def _modules(pattern: str) -> list[Path]:
    return sorted(path for path in HERE.glob(pattern) if path.name != "__init__.py")
