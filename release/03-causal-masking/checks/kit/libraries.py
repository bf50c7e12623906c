"""What knows a library's values, found where the library has been imported.

A tensor can be met only in a process that has imported torch. So what knows tensors is looked for
then, wherever it may stand, and a course of NumPy alone neither needs nor loads it.
"""

import importlib
import importlib.util
import sys
from functools import cache
from types import ModuleType


def with_torch(name: str) -> ModuleType | None:
    """The module of this name, where torch has been imported and there is such a module."""
    return _imported(name) if "torch" in sys.modules else None


@cache
def _imported(name: str) -> ModuleType | None:
    package, _, _ = name.rpartition(".")
    try:
        is_here = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if error.name is None or not f"{package}.".startswith(f"{error.name}."):
            raise
        is_here = False
    return importlib.import_module(name) if is_here else None
