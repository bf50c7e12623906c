"""The image that containers are made of: how it is built to match what is installed here."""

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

from autograder.sandbox.containers.engine import Engine
from autograder.sandbox.inside.versions import versions
from autograder.sandbox.visible import closure

FOLDER = Path(__file__).parents[2]  # holds the Containerfile, and what it copies


def build_command(
    engine: Engine,
    image: str,
    packages: Sequence[str],
    base: str | None = None,
    wheels: Path | None = None,
) -> list[str]:
    """The command that builds the image.

    Args:
        engine: what builds it.
        image: what to call it.
        packages: distributions that students' code may import, as `importable` gives them.
        base: the image to build on, which has this version of Python; None for Docker Hub's.
        wheels: the folder to take packages from; None to take them from their indexes.

    Raises:
        SandboxUnavailable: a package that students may import is not installed here.
    """
    arguments = {
        "PYTHON": versions(())["python"],
        "PACKAGES": " ".join(packages),
        "PINS": " ".join(pins(packages)),
    }
    if base is not None:
        arguments["BASE"] = base
    if wheels is not None:
        arguments["SOURCE"] = "--no-index --find-links /wheels"
    return engine.build_command(image, FOLDER, arguments, wheels)


def pins(packages: Sequence[str]) -> list[str]:
    """The versions, as pip takes them, of these packages and of all that they require."""
    return sorted(f"{_name(one)}=={one.version.partition('+')[0]}" for one in closure(packages))


def _name(distribution: importlib.metadata.Distribution) -> str:
    return distribution.metadata["Name"].lower()
