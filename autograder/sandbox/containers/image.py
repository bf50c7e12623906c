"""The image that containers are made of: how it is built to match what is installed here."""

import importlib.metadata
from pathlib import Path

from autograder.sandbox.containers.engine import Engine
from autograder.sandbox.inside.versions import importable, versions
from autograder.sandbox.visible import closure

FOLDER = Path(__file__).parents[2]  # holds the Containerfile, and what it copies


def build_command(engine: Engine, image: str) -> list[str]:
    """The command that builds the image.

    Args:
        engine: what builds it.
        image: what to call it.

    Raises:
        SandboxUnavailable: a package that students may import is not installed here.
    """
    arguments = {
        "PYTHON": versions(())["python"],
        "PACKAGES": " ".join(importable()),
        "PINS": " ".join(pins()),
    }
    return engine.build_command(image, FOLDER, arguments)


def pins() -> list[str]:
    """The versions, as pip takes them, of all that students may import and that these require."""
    return sorted(f"{_name(one)}=={one.version.partition('+')[0]}" for one in closure(importable()))


def _name(distribution: importlib.metadata.Distribution) -> str:
    return distribution.metadata["Name"].lower()
