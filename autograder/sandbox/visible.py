"""What student code may read: the interpreter, the system's libraries, and the packages named.

Never the whole of site-packages, where nbgrader, this project and its solutions may be installed.
"""

import csv
import importlib.metadata
import os
import platform
import re
import shlex
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.packages import WITH_ENGINE
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.inside.versions import is_installed, normalised

PACKAGE_FOLDERS = ("site-packages", "dist-packages")
# Some builds of torch require it and some do not, of one version; no release is to differ for that.
INSTALLER = "setuptools"


@dataclass(frozen=True)
class Tree:
    """A file, or a folder and all beneath it but what is hidden.

    Attributes:
        path: absolute, without symbolic links.
        hidden: paths relative to it that must not be seen.
    """

    path: Path
    hidden: tuple[Path, ...] = ()

    def pieces(self) -> Iterator[Path]:
        """The largest files and folders that make up the tree without what is hidden."""
        yield from _pieces(self.path, self.hidden)


def _pieces(path: Path, hidden: tuple[Path, ...]) -> Iterator[Path]:
    if not hidden:
        yield path
        return
    for entry in sorted(path.iterdir()):
        beneath = [one.relative_to(entry.name) for one in hidden if one.parts[0] == entry.name]
        if Path() not in beneath:
            yield from _pieces(entry, tuple(beneath))


def interpreter() -> list[Tree]:
    """The running Python's libraries, without any installed packages."""
    base = Path(sys.base_prefix).resolve()
    library = base / "lib"
    trees = []
    if base != Path("/usr"):
        trees.append(Tree(library, _hidden_in(library, sysconfig.get_path("stdlib"))))
    for name in ("stdlib", "platstdlib"):
        folder = Path(sysconfig.get_path(name, vars={"base": str(base), "platbase": str(base)}))
        folder = folder.resolve()
        if folder.is_dir() and not any(folder.is_relative_to(tree.path) for tree in trees):
            trees.append(Tree(folder, _existing(folder, PACKAGE_FOLDERS)))
    return trees


def _hidden_in(library: Path, standard: str) -> tuple[Path, ...]:
    """Other Pythons in a library folder, and the packages installed for this one."""
    own = Path(standard).name
    others = [one.name for one in library.glob("python*") if one.is_dir() and one.name != own]
    return _existing(library, [*others, *(f"{own}/{folder}" for folder in PACKAGE_FOLDERS)])


def system_libraries() -> list[Tree]:
    """The folders of the system's shared libraries, without any Python's packages in them."""
    multiarch = f"{platform.machine()}-linux-gnu"
    candidates = [f"/usr/lib/{multiarch}", f"/lib/{multiarch}", "/usr/lib64", "/lib64"]
    if not Path(candidates[0]).is_dir():
        candidates += ["/usr/lib", "/lib"]
    folders = {Path(one).resolve() for one in candidates if Path(one).is_dir()}
    trees = []
    for folder in sorted(folders):
        pythons = sorted(one.name for one in folder.glob("python*"))
        trees.append(Tree(folder, _existing(folder, pythons)))
    cache = Path("/etc/ld.so.cache")
    return [*trees, Tree(cache)] if cache.is_file() else trees


def _existing(folder: Path, names: Iterable[str]) -> tuple[Path, ...]:
    return tuple(Path(name) for name in names if (folder / name).exists())


def packages(names: Iterable[str]) -> dict[Path, Path]:
    """Where the distributions named, and all that they require, are installed.

    Returns:
        for each top-level entry, or entry of a namespace package: its path within a folder of
        packages, and where it is.

    Raises:
        SandboxUnavailable: one of those named is not installed.
    """
    entries: dict[Path, Path] = {}
    for distribution in closure(names):
        for entry in _entries(distribution):
            path = Path(str(distribution.locate_file(entry)))
            if path.exists():
                entries[entry] = path.resolve()
    # Of a folder that several distributions fill, some may claim the whole.
    return {one: path for one, path in entries.items() if not entries.keys() & {*one.parents}}


def modules(names: Iterable[str], python: str) -> list[str]:
    """What the distributions named, and all that they require, have to import.

    Args:
        names: theirs.
        python: the version that they are for. What machines of one kind alone require is left out.

    Raises:
        SandboxUnavailable: one of those named is not installed.
    """
    found = [one for one in closure(names, python) if one.name != INSTALLER]
    entries = {entry for one in found for entry in _entries(one)}
    tops = {entry.parts[0].partition(".")[0] for entry in entries if "-" not in entry.parts[0]}
    return sorted(top for top in tops if top.isidentifier() and not top.startswith("_"))


def closure(names: Iterable[str], python: str = "") -> list[importlib.metadata.Distribution]:
    """The distributions named, and all that they require here.

    Args:
        names: theirs.
        python: what is required for this version of it, on machines of every kind.

    Raises:
        SandboxUnavailable: one of those named is not installed.
    """
    from packaging.requirements import Requirement

    found: dict[str, importlib.metadata.Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(name, "") for name in names]
    _refuse_missing([name for name, _ in waiting])
    while waiting:
        name, extra = waiting.pop()
        key = normalised(name)
        if (key, extra) in seen:
            continue
        seen.add((key, extra))
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # a requirement that pip could do without, here at least
        found[key] = distribution
        for text in distribution.requires or []:
            needed = Requirement(text)
            if python and re.search("platform|os_name", str(needed.marker)):
                continue
            of = {"python_version": python, "python_full_version": f"{python}.0"} if python else {}
            if needed.marker is None or needed.marker.evaluate({**of, "extra": extra}):
                waiting += [(needed.name, one) for one in ("", *needed.extras)]
    return list(found.values())


def _refuse_missing(names: Iterable[str]) -> None:
    missing = [name for name in names if not is_installed(name)]
    if missing:
        install = shlex.join(["pip", "install", *(WITH_ENGINE.get(one, one) for one in missing)])
        raise SandboxUnavailable(
            f"Not installed here, and student code may use it: {', '.join(missing)}. "
            f"Install it: {install}"
        )


def _entries(distribution: importlib.metadata.Distribution) -> set[Path]:
    """The top-level entries of a distribution; those of a namespace package one level down."""
    inside: dict[str, set[str]] = {}
    for file in _files(distribution):
        top, *rest = file.split("/", 2)
        inside.setdefault(top, set()).update(rest[:1])
    entries: set[Path] = set()
    for top, names in inside.items():
        if top in ("..", "__pycache__") or top.endswith(".pth"):
            continue
        if top.isidentifier() and names and "__init__.py" not in names:
            entries |= {Path(top, name) for name in names - {"__pycache__"}}
        else:
            entries.add(Path(top))
    return entries


def _files(distribution: importlib.metadata.Distribution) -> list[str]:
    record = distribution.read_text("RECORD")
    if record:  # read by hand: torch's has 15,000 lines
        return [row[0] for row in csv.reader(record.splitlines()) if row]
    if distribution.files:
        return [str(file) for file in distribution.files]
    named = distribution.read_text("top_level.txt") or distribution.metadata["Name"]
    return [f"{name}/__init__.py" for name in named.split()]


def is_open_to_all(path: Path) -> bool:
    """Whether any user of this machine may reach the path and read it, going by its mode."""
    folders = [path, *path.parents] if path.is_dir() else list(path.parents)
    readable = os.stat(path).st_mode & 0o004
    return bool(readable) and all(os.stat(folder).st_mode & 0o001 for folder in folders)
