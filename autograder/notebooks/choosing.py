"""Which file of a hand-in is read as its notebook; or why none is.

Browsers and Jupyter rename notebooks and leave copies: what was handed in under the assignment's
name may be as it was released, and the work in `NAME-Copy1.ipynb` or `NAME (1).ipynb`. Whatever is
read, a note says so; where two could be meant, neither is guessed.
"""

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nbformat import NotebookNode

from autograder.checks.kit.cell_names import grade_id
from autograder.course import Assignment, Course, CourseError
from autograder.course.data_files import in_the_way
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.submitted import (
    DEEPEST_FOLDER,
    MOST_FILES,
    SKIPPED_FOLDERS,
    Submitted,
    as_text,
    why_refused,
)

NOTEBOOK = ".ipynb"
MOST_NOTEBOOKS = 10  # beside the one of the assignment's name; a few copies are all that happens
FEW, LONGEST_NAME = 3, 100
LEFT_BEHIND = ("requirements.txt", "AGENTS.md", "timestamp.txt", "submission_secret.txt")

WRONG_ASSIGNMENT, SEVERAL, NONE = "wrong_assignment", "several_notebooks", "missing_notebook"
FOLDER_ALONE, WRONG_ENDING = "only_folder", "wrong_ending"
# What is taken for the reason that there is no notebook, by how a file's name ends.
INSTEAD = {
    "only_archive": (".zip", ".gz", ".tar", ".tgz", ".bz2", ".xz", ".7z", ".rar"),
    "only_pdf": (".pdf", ".html", ".htm", ".docx"),
    "only_python": (".py",),
}
REASONS = (
    *("bad_notebook", NONE, WRONG_ASSIGNMENT, SEVERAL, FOLDER_ALONE, WRONG_ENDING),
    *INSTEAD,
)
"""Why no notebook can be read of a hand-in; its author can mend each."""

CHECKED = re.compile(r"""\bcheck\(\s*["'](\w+)["']""")
BOUND = re.compile(r"^(?:(?:async +)?def|class) +(\w+)|^(\w+) *=(?!=)", re.MULTILINE)
SIGNED = re.compile(r"^student_id *=.*", re.MULTILINE)


@dataclass(frozen=True)
class Chosen:
    """The notebook that is read of a hand-in.

    Attributes:
        notebook: as it was handed in, reduced to what grading uses.
        notes: why this file and no other, and what is not read, in words; nothing where the only
            one has the assignment's name.
    """

    notebook: NotebookNode
    notes: tuple[str, ...] = ()


def choose(course: Course, one: Submitted) -> Chosen:
    """Find and read the notebook of a hand-in.

    The one of the assignment's name counts where it has work in it, which is anything that was not
    released. Else the only other one of this assignment with work counts, if there is one.

    Raises:
        BadNotebook: there is none, or more than one could be meant; the reason is one of `REASONS`.
    """
    if unfit := why_refused(one.folder):
        raise BadNotebook(unfit[1], unfit[0])
    names = _notebooks_in(one)
    wanted = one.notebook.name
    others = [name for name in names if name != wanted]
    assignment, most = course.assignment(one.assignment), course.limits.notebook_mb * 2**20
    released = released_texts(course, one.assignment)
    named, whose = None, None
    if wanted in names:
        named = read_notebook(one.notebook, most)
        whose = _whose(named, course, assignment)
        if whose in (None, assignment.name) and _has_work(named, released):
            return Chosen(named, _not_read(others, wanted))
    elif not others:
        raise _nothing(one, course)
    candidates, refused = _candidates(one, others, course)
    with_work = [found for found in candidates if _has_work(found[1], released)]
    if len(with_work) > 1:
        shown = _listed([name for name, _ in with_work])
        beside = f"{wanted} holds no work" if named is not None else f"there is no {wanted}"
        raise BadNotebook(f"{beside}, and each of {shown} could be meant", SEVERAL)
    if with_work:
        ((name, notebook),) = with_work
        return Chosen(notebook, (_why(name, wanted, whose, named is not None),))
    if named is not None and whose in (None, assignment.name):
        return Chosen(named, _not_read(others, wanted))
    if named is None and candidates:
        name, notebook = candidates[0]
        return Chosen(notebook, (_why(name, wanted, None, False),))
    if whose is not None:
        raise BadNotebook(f"{wanted} holds the cells of {whose}", WRONG_ASSIGNMENT)
    missing = f"the folder has no {wanted}; it holds {_listed(others)}"
    raise refused or BadNotebook(f"{missing}, without a cell of this assignment", NONE)


def notebooks_of(one: Submitted) -> list[Path]:
    """The files that `choose` may look into, the one of the assignment's name first."""
    paths = [one.folder / name for name in _notebooks_in(one)]
    return sorted(paths, key=lambda path: path != one.notebook)


def released_texts(course: Course, assignment: str) -> frozenset[str] | None:
    """The texts of all cells of a released notebook; None where nothing is released here."""
    path = course.folder("release") / assignment / f"{assignment}{NOTEBOOK}"
    try:
        known = path.stat()
        return _texts(path, known.st_mtime_ns, known.st_size)
    except (OSError, BadNotebook):
        return None


@lru_cache(maxsize=64)
def _texts(path: Path, changed: int, size: int) -> frozenset[str]:
    cells = read_notebook(path, size).cells
    return frozenset(_plain(cell.source) for cell in cells)


def _plain(source: str) -> str:
    """A cell's text, whoever's id it says and however its lines end."""
    lines = SIGNED.sub("student_id = ...", source).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def _has_work(notebook: NotebookNode, released: Collection[str] | None) -> bool:
    """Whether a notebook has a cell that was not released: an answer, a note, an attempt."""
    if released is None:  # nothing to tell it by
        return True
    texts = (_plain(cell.source) for cell in notebook.cells)
    return any(text and text not in released for text in texts)


def _whose(notebook: NotebookNode, course: Course, assignment: Assignment) -> str | None:
    """Which assignment's cells a notebook holds, this one's first; None where it has no course's.

    By nbgrader's names of cells and what is checked; where both are lost, by what is bound. Names
    of questions are the same in all assignments, and tell only where nothing else does.
    """
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    found = {(grade_id(cell) or "").removeprefix("test_") for cell in notebook.cells}
    found |= {name for source in code for name in CHECKED.findall(source)}
    if found & _named(assignment, "code"):
        return assignment.name
    bound = {name for source in code for pair in BOUND.findall(source) for name in pair}
    shared = {other.name: len(found & _named(other, "code")) for other in _all(course)}
    nearest = max(shared, key=shared.__getitem__)
    if shared[nearest] > len(bound & _named(assignment, "code")):  # a pasted cell is no notebook
        return nearest
    if (found | bound) & _named(assignment):
        return assignment.name
    return next((other.name for other in _all(course) if bound & _named(other, "code")), None)


def _named(assignment: Assignment, kind: str | None = None) -> set[str]:
    return {one.name for one in assignment.exercises if kind in (None, one.kind)}


def _all(course: Course) -> Iterator[Assignment]:
    for name in course.sources:
        with suppress(CourseError):  # whoever grades that one is told
            yield course.assignment(name)


def _notebooks_in(one: Submitted) -> list[str]:
    """Names that end as notebooks' do, in order; the assignment's own may be anything."""
    with os.scandir(one.folder) as entries:
        return sorted(
            entry.name
            for entry in entries
            if not entry.name.startswith(".")
            and entry.name.lower().endswith(NOTEBOOK)
            and (entry.name == one.notebook.name or entry.is_file(follow_symlinks=False))
        )


def _candidates(
    one: Submitted, others: list[str], course: Course
) -> tuple[list[tuple[str, NotebookNode]], BadNotebook | None]:
    """Other notebooks with this assignment's cells, each text once; and why another was not taken.

    Raises:
        BadNotebook: there are too many to look into.
    """
    if len(others) > MOST_NOTEBOOKS:
        told = f"{len(others)} notebooks lie there, and {one.notebook.name} holds no work"
        raise BadNotebook(told, SEVERAL)
    assignment, left = course.assignment(one.assignment), 2 * course.limits.notebook_mb * 2**20
    found: dict[tuple[str, ...], tuple[str, NotebookNode]] = {}
    refused: BadNotebook | None = None
    for name in others:
        try:
            size = (one.folder / name).lstat().st_size
            notebook = read_notebook(
                one.folder / name, min(left, course.limits.notebook_mb * 2**20)
            )
        except (BadNotebook, OSError) as error:
            refused = refused or BadNotebook(f"{_shown(name)} cannot be read: {error}")
            continue
        left = max(0, left - size)
        whose = _whose(notebook, course, assignment)
        if whose == assignment.name:
            texts = tuple(_plain(cell.source) for cell in notebook.cells)
            found.setdefault(texts, (name, notebook))
        elif whose is not None:
            refused = BadNotebook(f"{_shown(name)} holds the cells of {whose}", WRONG_ASSIGNMENT)
    return list(found.values()), refused


def _why(name: str, wanted: str, whose: str | None, is_there: bool) -> str:
    """Why a file was read that has another name than the assignment's."""
    if not is_there:
        because = f"there is no {wanted}, and its cells are this assignment's"
    elif whose not in (None, wanted.removesuffix(NOTEBOOK)):
        because = f"{wanted} holds the cells of {whose}"
    else:
        because = f"{wanted} is as it was released"
    return f"{_shown(name)} was read: {because}"


def _not_read(others: list[str], wanted: str) -> tuple[str, ...]:
    """A note on what lies beside the notebook that was read; none where nothing does."""
    if not others:
        return ()
    are = "was" if len(others) == 1 else "were"
    return (f"{_listed(others)} {are} not read: {wanted} counts",)


def _nothing(one: Submitted, course: Course) -> BadNotebook:
    """Why there is no notebook, by what was handed in instead."""
    ours = [*course.data_files(one.assignment), *LEFT_BEHIND]
    names, within = [], ""
    for seen, (place, folders, files) in enumerate(os.walk(one.folder)):
        below = Path(place).relative_to(one.folder)
        if seen > MOST_FILES or len(below.parts) > DEEPEST_FOLDER:
            break
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS
        )
        own = [name for name in sorted(files) if not name.startswith(".")]
        if below.parts:
            found = [name for name in own if name.lower().endswith(NOTEBOOK)]
            within = within or (f"{below.as_posix()}/{found[0]}" if found else "")
        names += [name for name in own if not in_the_way((below / name).as_posix(), ours)]
    missing = f"the folder has no {one.notebook.name}"
    if within:
        return BadNotebook(f"{missing}; it holds {_shown(within)}", FOLDER_ALONE)
    if renamed := [name for name in names if f"{NOTEBOOK}." in name.lower()]:
        return BadNotebook(f"{missing}; it holds {_listed(renamed)}", WRONG_ENDING)
    for reason, endings in INSTEAD.items():
        if instead := [name for name in names if name.lower().endswith(endings)]:
            return BadNotebook(f"{missing}; it holds {_listed(instead)}", reason)
    return BadNotebook(f"{missing}; it holds {_listed(names)}" if names else missing, NONE)


def _listed(names: list[str]) -> str:
    more = len(names) - FEW
    shown = ", ".join(map(_shown, names[:FEW]))
    return f"{shown} and {more} more" if more > 0 else shown


def _shown(name: str) -> str:
    """A file's name that no terminal and no page takes for anything else."""
    text = as_text(name[:LONGEST_NAME])
    return "".join(one if one.isprintable() else "\ufffd" for one in text)
