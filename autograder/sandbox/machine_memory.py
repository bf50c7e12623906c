"""How much memory the machine or container lets its processes hold, and whether that ran out.

Where a control group's bound is reached, the kernel kills a process of the group with SIGKILL: the
student's, or one of ours. That says nothing of the student, whose own bound is another one.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from autograder.course.limits import MIB

GROUPS = Path("/proc/self/cgroup")
MOUNTED = Path("/sys/fs/cgroup")
# The kernel's own names of a group's bound, and of the file that counts who was killed over it.
FILES = {
    True: ("memory.max", "memory.events"),
    False: ("memory.limit_in_bytes", "memory.oom_control"),
}
# Without and with torch: what grading holds where a submission holds little, and room to spare.
LEAST_BYTES = {False: 256 * MIB, True: 768 * MIB}
BESIDE_SUBMISSION_BYTES = {False: 512 * MIB, True: 1024 * MIB}


def bound_bytes(groups: Path = GROUPS, mounted: Path = MOUNTED) -> int:
    """What all processes here may hold together: the smallest bound of our group and those above.

    Args:
        groups: the file in which the kernel names this process's groups.
        mounted: where groups are mounted.
    Returns:
        the bound in bytes; all of the machine's memory where none is smaller.
    """
    bounds = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for folder, name, _ in _folders(groups, mounted):
        with suppress(OSError, ValueError):  # "max" is no bound
            bounds.append(int((folder / name).read_text()))
    return min(bounds)


def times_run_out(groups: Path = GROUPS, mounted: Path = MOUNTED) -> int:
    """How many processes of our group the kernel has killed for want of memory, so far."""
    for folder, _, name in _folders(groups, mounted):
        with suppress(OSError):
            counted = dict(line.split() for line in (folder / name).read_text().splitlines())
            return int(counted.get("oom_kill", 0))
    return 0


def why_too_little(with_torch: bool, submission_bytes: int) -> str | None:
    """Why nothing can be graded in this little memory, and what helps; None where it can.

    Args:
        with_torch: whether the course has torch.
        submission_bytes: what one submission may hold.
    """
    bound, least = bound_bytes(), LEAST_BYTES[with_torch]
    if bound >= least:
        return None
    return (
        f"There is too little memory here: {_mib(bound)} for all processes together, and grading "
        f"takes {_mib(least)} even where a submission takes none. "
        f"{advice(with_torch, submission_bytes)}"
    )


class MemoryWatch:
    """Whether memory runs out from now on.

    Args:
        with_torch: whether the course has torch.
        submission_bytes: what one submission may hold.
    """

    def __init__(self, with_torch: bool, submission_bytes: int) -> None:
        self._before = times_run_out()
        self._advice = advice(with_torch, submission_bytes)

    @property
    def note(self) -> str | None:
        """What to tell where memory ran out, and what helps; None where it did not."""
        killed = times_run_out() - self._before
        if not killed:
            return None
        return (
            f"Memory ran out, and the system killed {killed} of the processes that grade: all "
            f"together may hold {_mib(bound_bytes())} here. Nobody lost a mark by it. "
            f"{self._advice}"
        )


def recommended_bytes(with_torch: bool, submission_bytes: int) -> int:
    """Memory in which a submission may hold all that it may, graded alone."""
    return submission_bytes + BESIDE_SUBMISSION_BYTES[with_torch]


def advice(with_torch: bool, submission_bytes: int) -> str:
    """How much memory grading should have, in a sentence."""
    enough = _mib(recommended_bytes(with_torch, submission_bytes))
    return (
        f"Give this machine or container {enough}, of which {_mib(submission_bytes)} are what a "
        "submission may hold (SubmissionLimits.memory_mb), and as much of that again for each "
        "further worker (--workers)."
    )


def _mib(size: int) -> str:
    return f"{size // MIB} MB"


def _folders(groups: Path, mounted: Path) -> Iterator[tuple[Path, str, str]]:
    """Our group and those above, each with the names of its two files; nothing elsewhere."""
    try:
        lines = groups.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            yield from _upwards(mounted / "memory", path, False)
        elif number == "0":
            yield from _upwards(mounted, path, True)


def _upwards(top: Path, path: str, is_unified: bool) -> Iterator[tuple[Path, str, str]]:
    # In a container the path is often the machine's, and the top is the container's own group.
    folder = top / path.lstrip("/")
    while folder != top:
        yield folder, *FILES[is_unified]
        folder = folder.parent
    yield top, *FILES[is_unified]
