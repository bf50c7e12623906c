"""What can be seen of a process from outside it, by a descriptor that stands for it."""

import os
import signal
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
BUSY = frozenset((b"R", b"D"))  # runs or waits for a processor; waits for a disk


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
    return _status(pidfd, pid, "VmHWM")


def held_bytes(pidfd: int, pid: int) -> int:
    """The memory that the process holds now and that is no file's: its own, and what it shares.

    Raises:
        ProcessLookupError: it has ended.
    """
    return _status(pidfd, pid, "RssAnon", "RssShmem")


def _status(pidfd: int, pid: int, *names: str) -> int:
    """The sum of these lines of a process's status, in bytes."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        raise ProcessLookupError(f"process {pid} has ended") from None
    signal.pidfd_send_signal(pidfd, 0)  # or the number may have gone to another process
    fields = dict(line.split(":", 1) for line in text.splitlines())
    if any(name not in fields for name in names):
        raise ProcessLookupError(f"process {pid} has no memory any more")
    return sum(int(fields[name].split()[0]) for name in names) * 1024


def effort(pidfd: int, pid: int) -> tuple[float, bool]:
    """The processor seconds that the process has used so far, and whether it wants more just now.

    Raises:
        ProcessLookupError: it has ended.
        PermissionError: this machine hides it.
    """
    own = _fields(Path(f"/proc/{pid}/stat"))
    signal.pidfd_send_signal(pidfd, 0)
    if not own:
        raise ProcessLookupError(f"process {pid} has ended")
    threads = Path(f"/proc/{pid}/task").glob("*/stat")
    states = {fields[0] for thread in threads if (fields := _fields(thread))}
    return sum(map(int, own[11:13])) / TICKS, bool(states & BUSY)


def _fields(stat: Path) -> list[bytes]:
    """What a stat file says after the name, which may hold any bytes; nothing once it is gone."""
    try:
        return stat.read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
