"""Finding submissions: `submitted/<student>/<assignment>/` with its notebook and other files."""

import os
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.notebooks.reading import BadNotebook, read_regular_file

LONGEST_NAME = 100
# nbgrader matches folders with glob patterns, and reads `{` as a format field.
REFUSED = set("*?[]{}/\\:\"'<>|")
SKIPPED_FOLDERS = {"checks", "__pycache__"}


@dataclass(frozen=True)
class Submitted:
    """One student's folder for one assignment.

    Attributes:
        student: the folder's name.
        assignment: the assignment's name.
        folder: where it is.
    """

    student: str
    assignment: str
    folder: Path

    @property
    def notebook(self) -> Path:
        """Where the notebook should be."""
        return self.folder / f"{self.assignment}.ipynb"


def find_submitted(
    root: Path, assignments: Iterable[str], students: Iterable[str] = ()
) -> list[Submitted]:
    """Every submission under `submitted/`, by assignment, then student.

    Args:
        root: the folder `submitted/`.
        assignments: which ones to look for.
        students: only these; all when empty.
    """
    wanted = set(students)
    folders = sorted(entry for entry in _entries(root) if not entry.name.startswith("."))
    found = []
    for assignment in assignments:
        for folder in folders:
            if wanted and folder.name not in wanted:
                continue
            if os.path.lexists(folder / assignment):
                found.append(Submitted(folder.name, assignment, folder / assignment))
    return found


def why_refused(folder: Path) -> tuple[str, str] | None:
    """Why a submission's folder cannot be graded, as (reason code, detail); None when it can.

    A link could show another student's work, or a file of the grading machine.

    Args:
        folder: `submitted/<student>/<assignment>`.
    """
    odd = odd_name(folder.parent.name)
    if odd is not None:
        return "bad_name", f"{odd}; rename the folder"
    for part in (folder.parent, folder):
        if part.is_symlink():
            return "bad_notebook", f"the folder {part.name} is a symbolic link"
    if not folder.is_dir():
        return "bad_notebook", "the submission is not a folder"
    return None


def odd_name(student: str) -> str | None:
    """Why a folder's name is not fit to be a student's id; None when it is."""
    if len(student) > LONGEST_NAME:
        return f"the name has {len(student)} characters; {LONGEST_NAME} are allowed"
    if student != student.strip() or student != unicodedata.normalize("NFC", student):
        return (
            "the name has hidden differences (space at an end, or letters composed in another way)"
        )
    for character in student:
        if character in REFUSED:
            return f"the name has the character {character!r}"
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            return f"the name has the invisible character U+{ord(character):04X}"
    return None


def read_files(folder: Path, max_bytes: int) -> dict[str, bytes]:
    """The files beside a submitted notebook, by path relative to it.

    Links, pipes, hidden files, notebooks and `checks/` (which the release brings) are left out.

    Raises:
        BadNotebook: together they are larger than `max_bytes`.
    """
    files: dict[str, bytes] = {}
    left = max_bytes
    for path in _files_below(folder):
        name = path.relative_to(folder).as_posix()
        try:
            files[name] = read_regular_file(path, left)
        except BadNotebook as error:
            if path.is_symlink() or not path.is_file():
                continue
            raise BadNotebook(f"the file {name} beside the notebook: {error}") from error
        left -= len(files[name])
    return files


def _files_below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS
        )
        for name in sorted(names):
            if not name.startswith(".") and not name.endswith((".ipynb", ".pyc")):
                yield Path(place, name)


def _entries(root: Path) -> list[Path]:
    return [entry for entry in root.iterdir() if entry.is_dir()] if root.is_dir() else []
