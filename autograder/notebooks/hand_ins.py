"""Every hand-in of a student for an assignment, kept: nbgrader has one folder and one row for all.

    hand_ins/<student>/<assignment>/20261126T191500.000000Z-3f2a9c1d4b5e/   as it was handed in
    hand_ins/.arriving/                                                     half-way, and nobody's

The name says when it was handed in, in UTC, and what it holds: names sort by time. A folder is
filled under `.arriving` and renamed, so that whoever looks finds a hand-in whole or not at all.
Whatever takes hand-ins may put them there so; `keep` does it. None is ever changed or removed.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.submitted import DEEPEST_FOLDER, MOST_FILES, SKIPPED_FOLDERS

FOLDER, ARRIVING = "hand_ins", ".arriving"
TIMESTAMP = "timestamp.txt"
WHEN = "%Y%m%dT%H%M%S.%fZ"
NAME = re.compile(r"(\d{8}T\d{6}\.\d{6}Z)-([0-9a-f]{12})")


@dataclass(frozen=True)
class HandIn:
    """One hand-in.

    Attributes:
        folder: where it is kept.
        moment: when it was handed in; when it was taken in, where nothing tells.
        content: a digest of its files, without the one that says when.
    """

    folder: Path
    moment: datetime
    content: str

    @property
    def name(self) -> str:
        """The folder's name, which sorts by time."""
        return self.folder.name


def keep(
    root: Path, student: str, assignment: str, source: Path, moment: datetime, max_bytes: int
) -> HandIn:
    """Keep a copy of what was handed in: plain files, without hidden ones and checks.

    Args:
        root: the course's folder.
        student: who hands in; a name that is fit to be a folder's.
        assignment: the assignment's name.
        source: the folder that was handed in.
        moment: when, with a time zone.
        max_bytes: of all its files together.

    Raises:
        BadNotebook: it is too large, or has too many files or too deep.
        OSError: it cannot be written.
    """
    files = dict(plain_files(source, max_bytes))
    content = _digest(files)
    arriving = root / FOLDER / ARRIVING
    arriving.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(dir=arriving))
    try:
        write(staged, files)
        place = root / FOLDER / student / assignment
        place.mkdir(parents=True, exist_ok=True)
        final = place / f"{moment.astimezone(UTC).strftime(WHEN)}-{content}"
        if not final.exists():
            staged.chmod(0o755)
            staged.rename(final)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return HandIn(final, moment, content)


def kept(root: Path, student: str, assignment: str) -> list[HandIn]:
    """A student's hand-ins for an assignment, the earliest first."""
    try:
        names = sorted(os.listdir(root / FOLDER / student / assignment))
    except OSError:
        return []
    found = [(name, NAME.fullmatch(name)) for name in names]
    return [
        HandIn(
            root / FOLDER / student / assignment / name,
            datetime.strptime(match[1], WHEN).replace(tzinfo=UTC),
            match[2],
        )
        for name, match in found
        if match
    ]


def who_handed_in(root: Path, assignment: str) -> list[str]:
    """The students of whom a hand-in is kept."""
    folder = root / FOLDER
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [
        one.name
        for one in found
        if not one.name.startswith(".") and kept(root, one.name, assignment)
    ]


def content_of(folder: Path, max_bytes: int) -> str:
    """The digest of a folder's files, as the names of hand-ins have it."""
    return _digest(dict(plain_files(folder, max_bytes)))


def plain_files(folder: Path, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    """The plain files of a folder by their paths in it; no links, hidden files or checks.

    Raises:
        BadNotebook: they are too large, too many or too deep.
    """
    found, left = 0, max_bytes
    for place, folders, names in os.walk(folder):
        below = Path(place).relative_to(folder)
        found += len(folders) + len(names)
        if found > MOST_FILES or len(below.parts) > DEEPEST_FOLDER:
            raise BadNotebook("it has too many files, or folders that are too deep")
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS
        )
        for name in sorted(names):
            path = Path(place, name)
            if name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            data = read_regular_file(path, left)
            left -= len(data)
            yield (below / name).as_posix(), data


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Write files by their paths into a folder, which is there."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _digest(files: dict[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, data in sorted(files.items()):
        if name != TIMESTAMP:
            whole.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode(errors="replace"))
    return whole.hexdigest()[:12]
