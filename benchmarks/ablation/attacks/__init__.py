"""Small attacks on the sandbox, grouped by what they are after."""

from . import files, network, processes, resources, traces, kernel  # noqa: F401, I001  # this order
from .catalogue import CATALOGUE, Attack

__all__ = ["CATALOGUE", "Attack"]
