"""What one submission may use, and what judging it may."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

MIB = 1024 * 1024
PAGE = 4096  # a file takes whole ones


@dataclass(frozen=True)
class Limits:
    """Bounds on one submission's process, enforced from outside it.

    Attributes:
        call_seconds: seconds for one graded call; where the machine keeps the process waiting for
            a processor, up to four times as long by the clock.
        cell_seconds: seconds for one notebook cell, likewise.
        submission_seconds: seconds for all first runs of a submission, restarts included, and as
            many again for all second ones; of a call or cell that a busy machine prolongs, its own
            limit counts.
        memory_bytes: address space the process may add to what it starts with.
        output_bytes: bytes of printed text kept per cell; the rest is counted and dropped.
        scratch_bytes: size of the private directory the code may write to.
        reply_bytes: largest value a call may return.
        threads: threads the code may have at once.
        open_files: file descriptors the code may hold.
    """

    call_seconds: float = 5.0
    cell_seconds: float = 10.0
    submission_seconds: float = 60.0
    memory_bytes: int = 2048 * MIB
    output_bytes: int = 64 * 1024
    scratch_bytes: int = 64 * MIB
    reply_bytes: int = 32 * MIB
    threads: int = 32
    open_files: int = 64

    def with_room_for(self, files: Mapping[str, bytes]) -> "Limits":
        """The same limits, with these files not counted among the submission's own."""
        size = sum(len(data) + PAGE for data in files.values())
        return replace(self, scratch_bytes=self.scratch_bytes + size)


@dataclass(frozen=True)
class Bounds:
    """Bounds on a grading worker, which compares what submissions give; enforced from outside it.

    Attributes:
        memory_bytes: memory it may hold beyond what it starts with.
        test_seconds: processor seconds for one hidden test, or for the diagnosis of an answer;
            the submission's process has its own.
    """

    memory_bytes: int = 2048 * MIB
    test_seconds: float = 60.0
