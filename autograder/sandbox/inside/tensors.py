"""Finds what the sandbox runs inside where students have torch."""

import importlib
import importlib.util
from typing import Any


def tensors(part: str) -> Any:
    """A module of `autograder.tensors.inside`; None where students' code has no torch."""
    if importlib.util.find_spec("torch") is None:
        return None
    return importlib.import_module(f"autograder.tensors.inside.{part}")
