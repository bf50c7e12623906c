"""The files beside a notebook that are copied and read: plain ones, no links, pipes or devices.

`nbgrader_patches` lets nbgrader use them, too.
"""

import logging
import os
import stat
from collections.abc import Sequence
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path

from nbgrader.converters import base
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from autograder.gradebook.grading import grader_of
from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.submitted import files_below

LONGEST_TIMESTAMP = 100
# What a browser shows or saves, and never runs.
IMAGES = {".gif", ".jpeg", ".jpg", ".png", ".webp"}
TAME = IMAGES | {".csv", ".ipynb", ".json", ".npy", ".npz", ".py", ".txt"}

_list_all = base.find_all_files
log = logging.getLogger(__name__)


def find_plain_files(path: str, exclude: list[str] | None = None) -> list[str]:
    """nbgrader's own list without links, pipes and devices; of a student's files only tame ones."""
    submitted = grader_of(Path.cwd()).course.folder("submitted")
    if submitted in Path(os.path.abspath(path)).parents:
        return tame_files(path, exclude or ())
    found = _list_all(path, exclude)
    return [name for name in found if stat.S_ISREG(os.lstat(name).st_mode)]


def tame_files(folder: str | Path, exclude: Sequence[str] = ()) -> list[str]:
    """The files of a submission that are copied: plain ones of kinds that a browser never runs.

    Formgrader serves what is copied from its own address: a page or an SVG there could run script
    with the instructor's rights. Grading reads `submitted/` itself, and lacks nothing.

    Args:
        folder: `submitted/<student>/<assignment>`.
        exclude: nbgrader's patterns of names that are left out.

    Raises:
        BadNotebook: there are too many, or they are too deep.
    """
    names = (str(path) for path in files_below(Path(folder)) if path.suffix.lower() in TAME)
    found = [name for name in names if stat.S_ISREG(os.lstat(name).st_mode)]
    return [name for name in found if not any(fnmatch(Path(name).name, one) for one in exclude)]


def handed_in_at(folder: Path) -> datetime | None:
    """When a submission was handed in, in UTC; None where no short plain file tells a time."""
    path = folder / "timestamp.txt"
    if not os.path.lexists(path):
        return None
    try:
        return parse_utc(read_regular_file(path, LONGEST_TIMESTAMP).decode().strip())
    except BadNotebook as error:
        log.warning("%s tells no time: %s", path, error)
    except Exception as error:  # a time of the year 9999 raises another one than no time at all
        log.warning("%s tells no time (%s)", path, type(error).__name__)
    return None


def read_timestamp(self: CourseDirectory, dest_path: str) -> datetime | None:
    """nbgrader's question for the time of a submission."""
    return handed_in_at(Path(dest_path))
