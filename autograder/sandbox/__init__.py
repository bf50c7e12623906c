"""Where student code runs: a fork server, a confined process for each submission, and a line to it.

Importing this loads no torch, so that a fork server can start while its caller loads it.
"""

from autograder.sandbox.errors import SandboxLost, SandboxUnavailable
from autograder.sandbox.outcomes import CellError, CellOutcome
from autograder.sandbox.sandbox import Sandbox

__all__ = ["CellError", "CellOutcome", "Sandbox", "SandboxLost", "SandboxUnavailable"]
