"""Locks on what two graders on one course must not do at the same time."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from autograder.course.errors import MachineError

# Longer than a submission may take with restarts: whoever holds a lock longer than this is stuck.
WAIT_SECONDS = 600
GROUP_SHARED = 0o664  # so that another instructor of the course may wait for the same lock


@contextmanager
def locked(root: Path, name: str) -> Iterator[None]:
    """Hold the lock on something of a course; a thread may take it again inside.

    The kernel holds it for the process, so one that is killed leaves nothing to be cleared away.

    Args:
        root: the course's folder.
        name: what only one grader at a time may do.

    Raises:
        MachineError: the course's folder cannot be written, or another grader does not finish.
    """
    folder = root.resolve() / ".autograder" / "locks"
    path = folder / f"{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=WAIT_SECONDS, mode=GROUP_SHARED, is_singleton=True)
        lock.acquire()
    except Timeout as error:
        raise MachineError(
            f"Another grader has been busy with {name} for {WAIT_SECONDS // 60} minutes and "
            f"holds {path}. End it, or wait for it, and run the command again."
        ) from error
    except OSError as error:
        raise MachineError(
            f"{path} cannot be written ({error.strerror}): graders take turns by it. Make the "
            "course's folder writable, with room on its disk, and run the command again."
        ) from error
    try:
        yield
    finally:
        lock.release()
