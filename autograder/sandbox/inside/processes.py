"""Says in words what seccomp refuses anyway: no process can be started from here."""

import errno
import sys
from typing import Any

STARTS_A_PROCESS = frozenset(
    {
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.system",
        "pty.spawn",
        "subprocess.Popen",
    }
)


class ProcessRefused(PermissionError):
    """The code tried to start a process."""


def refuse_processes() -> None:
    """Raise ProcessRefused wherever Python is about to start a process, from now on."""
    sys.addaudithook(_refuse)


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    if event in STARTS_A_PROCESS:
        raise ProcessRefused(errno.EPERM, f"No process can be started here ({event})")
