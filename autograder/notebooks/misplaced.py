"""What lies under `submitted/` where no assignment is looked for, and would be passed over."""

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from autograder.notebooks.submitted import SKIPPED_FOLDERS, as_text

MOST_NOTEBOOKS = 20  # of a folder, whose names are looked at
NOTEBOOK = ".ipynb"


@dataclass(frozen=True)
class Misplaced:
    """A folder or a notebook that no assignment has.

    Attributes:
        student: whose folder it is in; empty where it is in nobody's.
        name: its own name.
        why: what is wrong with its place, in words.
        near: the assignment that is meant, as far as can be told; or empty.
    """

    student: str
    name: str
    why: str
    near: str = ""

    @property
    def path(self) -> str:
        """Where it is, under `submitted/`."""
        return "/".join(filter(None, (self.student, self.name)))


def find_misplaced(
    root: Path, assignments: Collection[str], students: Iterable[str] = ()
) -> list[Misplaced]:
    """All of it, by student, then name; hidden files and the folders of checks are nobody's work.

    Args:
        root: the folder `submitted/`.
        assignments: every assignment of the course.
        students: look into these folders alone; into all when empty.
    """
    wanted = set(students)
    found: list[Misplaced] = []
    for entry in _visible(root):
        if entry.is_symlink():  # what it leads to is nobody's, and grading says so
            continue
        if entry.is_dir():
            if not wanted or entry.name in wanted:
                found += _of_student(entry, assignments)
        elif entry.suffix == NOTEBOOK and not wanted:
            near = _meant(entry.stem, assignments)
            found.append(_misplaced("", entry.name, "it is in no student's folder", near))
    return found


def _of_student(folder: Path, assignments: Collection[str]) -> Iterator[Misplaced]:
    swapped = folder.name in assignments
    for entry in _visible(folder):
        if entry.name in assignments or entry.name in SKIPPED_FOLDERS:
            continue
        if swapped:
            why = "the student's folder comes first, and holds the assignment's"
            yield _misplaced(folder.name, entry.name, why, folder.name)
        elif entry.is_dir():
            inside = [] if entry.is_symlink() else _visible(entry)
            notebooks = [one.stem for one in inside if one.suffix == NOTEBOOK]
            held = [name for name in notebooks[:MOST_NOTEBOOKS] if name in assignments]
            near = held[0] if held else _meant(entry.name, assignments)
            yield _misplaced(folder.name, entry.name, "there is no such assignment", near)
        elif entry.suffix == NOTEBOOK:
            near = _meant(entry.stem, assignments)
            yield _misplaced(folder.name, entry.name, "it is in no assignment's folder", near)


def _misplaced(student: str, name: str, why: str, near: str) -> Misplaced:
    return Misplaced(as_text(student), as_text(name), why, near)


def _meant(name: str, assignments: Collection[str]) -> str:
    """The assignment of nearly that name, whatever letters are large and what joins words."""
    plain = name.casefold().replace("_", "-").replace(" ", "-")
    near = get_close_matches(plain, assignments, n=1)
    without = {one.split("-", 1)[-1]: one for one in assignments}
    # `hw1-line-fitting` is meant for `01-line-fitting`, far as it is.
    return near[0] if near else next((one for word, one in without.items() if word in plain), "")


def _visible(folder: Path) -> list[Path]:
    """What is in a folder, in order; nothing where it cannot be listed."""
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError:
        return []
    return [folder / name for name in names]
