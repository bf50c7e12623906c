"""The image that containers are made of: how it is built to match what is installed here."""

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

from autograder.sandbox.containers.engine import Engine
from autograder.sandbox.inside.versions import versions
from autograder.sandbox.visible import closure

FOLDER = Path(__file__).parents[2]  # holds the Containerfile, and what it copies


def build_command(engine: Engine, image: str, packages: Sequence[str]) -> list[str]:
    """The command that builds the image.

    Args:
        engine: what builds it.
        image: what to call it.
        packages: distributions that students' code may import, as `importable` gives them.

    Raises:
        SandboxUnavailable: a package that students may import is not installed here.
    """
    arguments = {
        "PYTHON": versions(())["python"],
        "PACKAGES": " ".join(packages),
        "PINS": " ".join(pins(packages)),
    }
    return engine.build_command(image, FOLDER, arguments)


def pins(packages: Sequence[str]) -> list[str]:
    """The versions, as pip takes them, of these packages and of all that they require."""
    return sorted(f"{_name(one)}=={one.version.partition('+')[0]}" for one in closure(packages))


def _name(distribution: importlib.metadata.Distribution) -> str:
    return distribution.metadata["Name"].lower()
