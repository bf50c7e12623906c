"""What can be seen of a process from outside it, by a descriptor that stands for it."""

import signal
from pathlib import Path


def pid_of(pidfd: int) -> int:
    """The process's number where we are; its own namespaces count differently.

    Raises:
        ProcessLookupError: it has ended.
    """
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise ProcessLookupError("the process has ended")


def peak_bytes(pidfd: int, pid: int) -> int:
    """The most memory that the process has held so far.

    Raises:
        ProcessLookupError: it has ended.
    """
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        raise ProcessLookupError(f"process {pid} has ended") from None
    signal.pidfd_send_signal(pidfd, 0)  # or the number may have gone to another process
    for line in text.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(f"process {pid} has no memory any more")
