"""What one submission's process is allowed, as it is told itself."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Allowance:
    """What one submission may use.

    Attributes:
        memory_bytes: address space beyond what the fork server has.
        scratch_bytes: size of the private directory.
        threads: threads at once.
        open_files: file descriptors at once.
        output_bytes: printed bytes kept a cell.
        reply_bytes: bytes of tensors that one call may return.
        cpu_seconds: processor seconds, in case nobody is left to end it.
    """

    memory_bytes: int
    scratch_bytes: int
    threads: int
    open_files: int
    output_bytes: int
    reply_bytes: int
    cpu_seconds: int
