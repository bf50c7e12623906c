"""Keeps nbgrader from following links when it copies what lies beside a notebook.

nbgrader copies a submission's files into `autograded/` and on into `feedback/`, links resolved: a
link to the course secret would come back to the student as a file, and one to /dev/zero never ends.
nbgrader has no setting for it, so its listing of files is narrowed here, once, for every command.
"""

import os
import stat

from nbgrader.converters import base

_list_all = base.find_all_files


def find_plain_files(path: str, exclude: list[str] | None = None) -> list[str]:
    """nbgrader's own list, without links, pipes and devices."""
    return [name for name in _list_all(path, exclude) if stat.S_ISREG(os.lstat(name).st_mode)]


def install() -> None:
    """Let nbgrader's converters list plain files only; may be repeated."""
    base.find_all_files = find_plain_files
