"""Reading a file that may be anything: a pipe, a device, a link to elsewhere."""

import os
import stat
from pathlib import Path


class BadNotebook(Exception):
    """What was handed in holds no notebook that can be graded; the text says why, in a few words.

    Attributes:
        reason: the same as a code.
    """

    def __init__(self, told: str, reason: str = "bad_notebook") -> None:
        super().__init__(told)
        self.reason = reason


def read_regular_file(path: Path, max_bytes: int) -> bytes:
    """The bytes of a plain file, never of a link, a pipe or a device.

    Raises:
        BadNotebook: it is none, it is too large, or it cannot be read.
    """
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        descriptor = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        )
    except OSError as error:
        what = "it is a symbolic link" if os.path.islink(path) else error.strerror
        raise BadNotebook(f"the file cannot be opened: {what}") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise BadNotebook("it is not a regular file")
        if status.st_size > max_bytes:
            allowed = f"{max_bytes / 2**20:.0f} MB are allowed"
            raise BadNotebook(f"it is {status.st_size / 2**20:.1f} MB large; {allowed}")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(max_bytes)
    finally:
        os.close(descriptor)
