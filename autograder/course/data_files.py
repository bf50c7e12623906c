"""Files that an assignment brings along: they stand beside its notebook, whoever's that is."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

CLUTTER = frozenset({"__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".DS_Store"})


def files_under(folder: Path) -> Iterator[Path]:
    """Every file under a folder, in order, without what running a notebook leaves behind."""
    for path in sorted(folder.rglob("*")):
        clutter = CLUTTER.intersection(path.relative_to(folder).parts)
        if path.is_file() and path.suffix != ".pyc" and not clutter:
            yield path


def data_files(folder: Path) -> dict[str, bytes]:
    """An assignment's figures, data and modules, by path from its folder.

    Its prose, its visible checks and its hints are something else.

    Args:
        folder: `assignments/<name>`.
    """
    paths = {path.relative_to(folder).as_posix(): path for path in files_under(folder)}
    sources = (f"{folder.name}.py", "hints.toml")
    return {
        name: path.read_bytes()
        for name, path in paths.items()
        if name not in sources and not name.startswith("checks/") and path.suffix != ".ipynb"
    }


def laid_over(theirs: Mapping[str, bytes], ours: Mapping[str, bytes]) -> dict[str, bytes]:
    """Both sets of files, ours in place of any of theirs that stands in the way."""
    kept = {name: data for name, data in theirs.items() if not in_the_way(name, ours)}
    return {**kept, **ours}


def in_the_way(name: str, ours: Collection[str]) -> bool:
    """Whether a path is one of ours, or a file where ours has a folder, or the other way round."""
    path = PurePosixPath(name)
    return any(
        path == one or path in one.parents or one in path.parents
        for one in map(PurePosixPath, ours)
    )
