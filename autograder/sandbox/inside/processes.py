"""Says in words what seccomp refuses anyway: no process can be started from here."""

import errno
import sys
from multiprocessing.synchronize import SemLock
from typing import Any, NoReturn

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
    """Raise ProcessRefused wherever Python is about to start a process, from now on.

    Pools, queues and data loaders make a semaphore before their first process, which fails here for
    want of a place that processes share.
    """
    sys.addaudithook(_refuse)
    SemLock.__init__ = _refuse_semaphore  # type: ignore[method-assign]


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    if event in STARTS_A_PROCESS:
        raise ProcessRefused(errno.EPERM, f"No process can be started here ({event})")


def _refuse_semaphore(*args: Any, **kwargs: Any) -> NoReturn:
    raise ProcessRefused(errno.EPERM, "No process can be started here (multiprocessing)")
