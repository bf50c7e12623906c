"""Which files the student's code may touch: a Landlock ruleset."""

import os
import stat
import struct
from collections.abc import Iterable

from . import linux

WRITE_FILE, READ_FILE, READ_DIRECTORY = 1 << 1, 1 << 2, 1 << 3
REMOVE_DIRECTORY, REMOVE_FILE = 1 << 4, 1 << 5
MAKE_DIRECTORY, MAKE_FILE, MAKE_SYMLINK = 1 << 7, 1 << 8, 1 << 12
MOVE, TRUNCATE, CONTROL_DEVICE = 1 << 13, 1 << 14, 1 << 15

READ = READ_FILE | READ_DIRECTORY
READ_WRITE = (
    READ
    | WRITE_FILE
    | REMOVE_DIRECTORY
    | REMOVE_FILE
    | MAKE_DIRECTORY
    | MAKE_FILE
    | MAKE_SYMLINK
    | MOVE
    | TRUNCATE
)
USE_DEVICE = READ_FILE | WRITE_FILE | CONTROL_DEVICE
_ON_FILES = USE_DEVICE | TRUNCATE


def handled(version: int) -> tuple[int, int, int]:
    """All that a ruleset of that Landlock version can forbid: (file, network, scope) rights.

    Files: 13 rights at first, then MOVE, TRUNCATE and device ioctls. Network: bind and connect.
    Scope: abstract sockets and signals to the outside.
    """
    files = 13 + (version >= 2) + (version >= 3) + (version >= 5)
    return (1 << files) - 1, 3 if version >= 4 else 0, 3 if version >= 6 else 0


def open_paths(paths: Iterable[str]) -> list[int]:
    """Descriptors that rules can be made of; a path that is not there is left out."""
    found = []
    for path in paths:
        try:
            found.append(os.open(path, os.O_PATH | os.O_CLOEXEC))
        except FileNotFoundError:
            continue
    return found


def restrict(allowed: Iterable[tuple[int, int]]) -> None:
    """Hold this process to some files.

    Args:
        allowed: (path descriptor, rights) pairs; nothing else can be opened.

    Raises:
        OSError: the kernel has no Landlock.
    """
    version = linux.landlock_version()
    if version < 1:
        raise OSError("this kernel has no Landlock, or it is switched off")
    rights = handled(version)
    fields = 3 if version >= 6 else 2 if version >= 4 else 1
    ruleset = linux.landlock_create(struct.pack(f"={fields}Q", *rights[:fields]))
    for path, wanted in allowed:
        if not stat.S_ISDIR(os.fstat(path).st_mode):
            wanted &= _ON_FILES
        linux.landlock_allow(ruleset, path, wanted & rights[0])
    linux.landlock_restrict(ruleset)
    os.close(ruleset)
