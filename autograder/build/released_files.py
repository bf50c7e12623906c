"""Which files of a folder a release is made of."""

from collections.abc import Iterator
from pathlib import Path

CLUTTER = frozenset({"__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".DS_Store"})


def files_under(folder: Path) -> Iterator[Path]:
    """Every file under a folder, in order, without what running a notebook leaves behind."""
    for path in sorted(folder.rglob("*")):
        clutter = CLUTTER.intersection(path.relative_to(folder).parts)
        if path.is_file() and path.suffix != ".pyc" and not clutter:
            yield path
