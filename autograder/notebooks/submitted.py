"""Finding submissions: `submitted/<student>/<assignment>/` with its notebook and other files."""

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.data_files import in_the_way
from autograder.course.roster import plain_id
from autograder.notebooks.names import odd_name
from autograder.notebooks.plain_file import BadNotebook, read_regular_file

MOST_FILES = 2000
DEEPEST_FOLDER = 20
LONGEST_SHOWN = 100
SKIPPED_FOLDERS = {"checks", "__pycache__"}


@dataclass(frozen=True)
class Submitted:
    """One student's folder for one assignment.

    Attributes:
        student: the folder's name; where that is not valid Unicode, with question marks, which no
            accepted name has.
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
    folders = sorted(_entries(root))
    found = []
    for assignment in assignments:
        for folder in folders:
            if wanted and folder.name not in wanted:
                continue
            if os.path.lexists(folder / assignment):
                found.append(Submitted(as_text(folder.name), assignment, folder / assignment))
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
    plain = plain_id(folder.parent.name)
    others = (
        [] if plain == folder.parent.name else [one.name for one in _entries(folder.parents[1])]
    )
    if sum(plain_id(name) == plain for name in others) > 1:
        return "bad_name", (
            "the name has hidden differences: another folder's has the same letters, composed in "
            "another way; bring both together in one folder"
        )
    for part in (folder.parent, folder):
        if part.is_symlink():
            return "bad_notebook", f"the folder {part.name} is a symbolic link"
    if not folder.is_dir():
        return "bad_notebook", "the submission is not a folder"
    return None


def read_files(folder: Path, max_bytes: int, ours: Collection[str] = ()) -> dict[str, bytes]:
    """The files beside a submitted notebook, by path relative to it.

    Links, pipes, hidden files, notebooks, `checks/` and `ours` (which the release brings) are left
    out.

    Raises:
        BadNotebook: together they are larger than `max_bytes`, or too many, or too deep.
    """
    files: dict[str, bytes] = {}
    left = max_bytes
    for path in files_below(folder):
        name = path.relative_to(folder).as_posix()
        if in_the_way(name, ours):
            continue
        try:
            files[name] = read_regular_file(path, left)
        except BadNotebook as error:
            if path.is_symlink() or not path.is_file():
                continue
            shown = as_text(name)[:LONGEST_SHOWN]
            raise BadNotebook(f"the file {shown} beside the notebook: {error}") from error
        left -= len(files[name])
    return files


def files_below(folder: Path) -> Iterator[Path]:
    """Every file beside a submitted notebook that is not hidden, of ours, or compiled; or a link.

    Raises:
        BadNotebook: there are too many, or they are too deep.
    """
    found = 0
    for place, folders, names in os.walk(folder):
        found += len(folders) + len(names)
        if found > MOST_FILES:
            raise BadNotebook(f"more than {MOST_FILES} files and folders are beside the notebook")
        if len(Path(place).relative_to(folder).parts) > DEEPEST_FOLDER:
            raise BadNotebook(f"folders beside the notebook are more than {DEEPEST_FOLDER} deep")
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS
        )
        for name in sorted(names):
            if not name.startswith(".") and not name.endswith((".ipynb", ".pyc")):
                yield Path(place, name)


def as_text(name: str) -> str:
    """A file's name as text that a database and a page can hold."""
    return name.encode(errors="replace").decode()


def _entries(root: Path) -> list[Path]:
    return [entry for entry in root.iterdir() if entry.is_dir()] if root.is_dir() else []
