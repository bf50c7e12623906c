"""What a container's image and the trusted side must have in common, so that drift is told."""

import hashlib
import importlib.metadata
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from .boot import FOLDERS


def importable(required: Iterable[str], optional: Iterable[str]) -> tuple[str, ...]:
    """What students' code may import on this machine, with all that these require.

    Args:
        required: the course's packages; IPython, which runs the cells, comes with them.
        optional: those of its packages that count where they are installed.
    """
    named = (*required, *(name for name in optional if is_installed(name)), "ipython")
    return tuple(dict.fromkeys(named))


def is_installed(name: str, oldest: str = "0") -> bool:
    """Whether a distribution is installed here, of this version ("3.7") or a newer one."""
    found = versions([name])[name]
    return found != "none" and _numbers(found) >= _numbers(oldest)


def _numbers(version: str) -> list[int]:
    """The numbers that a version begins with: 3 and 7 of "3.7.1rc1"."""
    return [int(part) for part in version.split(".")[:2] if part.isdecimal()]


def fingerprint() -> str:
    """The hash of what of ours runs in a container: the protocol's two ends are of one version."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted(path for folder in FOLDERS for path in (package / folder).rglob("*.py")):
        content, name = path.read_bytes(), path.relative_to(package).as_posix()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def normalised(name: str) -> str:
    """A package's name in the one spelling that stands for all."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed() -> dict[str, str]:
    """The versions of Python and of all packages that are here, by their normalised names."""
    return versions(normalised(one.metadata["Name"]) for one in importlib.metadata.distributions())


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of Python and of these packages here; none where one is missing.

    Builds of one version for other processors, such as "2.9.0+cpu", count as the same.
    """
    found = {"python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    for name in packages:
        try:
            found[name] = importlib.metadata.version(name).partition("+")[0]
        except importlib.metadata.PackageNotFoundError:
            found[name] = "none"
    return found
