"""`python -m checks --hand-in`: what grading would stumble over, read off the files alone.

Nothing of the notebook runs, and neither the course's packages nor pytest are imported.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cell_names import UNREADABLE, CodeCell, code_cells, grade_id
from ..grading import Grading, grading, newer_syntax, too_new
from ..imports import imports_in, is_own, warnings_of
from ..magics import as_python
from ..notebook import NoNotebook, read_cells
from ..personal import is_id
from ..questions import questions_here
from ..written import written_answers
from .begun import stubs_in, written_in

ALL_WELL = "Grading will find all of it where it belongs. It has more checks than you see."
FEW = 3


@dataclass(frozen=True)
class HandIn:
    """What was found of a folder that is about to be handed in.

    Attributes:
        heading: what was looked at.
        wrong: what grading would stumble over, and what to do.
        notes: what may be as it should.
    """

    heading: str
    wrong: tuple[str, ...]
    notes: tuple[str, ...]


def look_at(folder: Path, notebook: Path | None = None) -> HandIn:
    """Look at what will be handed in.

    Args:
        folder: the assignment's, with `checks` in it.
        notebook: which notebook, if not the assignment's own.
    """
    there = grading()
    name = there.assignment if there else folder.name
    path = notebook or folder / f"{name}.ipynb"
    heading = f"{path.name}, before you hand it in:"
    wrong = [] if notebook else list(_file(folder, name))
    try:
        cells = read_cells(path)
    except NoNotebook as error:
        return HandIn(heading, tuple(wrong) or (str(error),), ())
    wrong += [*_cells(cells, there), *_syntax(code_cells(cells), there), *_written(cells)]
    code = [cell for cell in code_cells(cells) if _parsed(cell.source) is not None]
    sources = [cell.source for cell in code]
    wrong += warnings_of(sources, path.parent, [cell.number for cell in code])
    wrong += _student_id(code)
    notes = [*_beside(folder, name, notebook), *_own_modules(sources, path.parent)]
    notes += _elsewhere(code, there)
    return HandIn(heading, tuple(wrong), tuple(notes) if wrong else (*notes, ALL_WELL))


def _file(folder: Path, name: str) -> Iterator[str]:
    """Whether the notebook is there under the name that grading looks for."""
    if (folder / f"{name}.ipynb").is_file():
        return
    others = sorted(one.name for one in folder.iterdir() if ".ipynb" in one.name.lower())
    others = [one for one in others if not one.startswith(".")]
    if others:
        yield (
            f"There is no {name}.ipynb, and {', '.join(others[:FEW])} instead: give your notebook "
            "that name."
        )
    else:
        yield f"There is no {name}.ipynb in {folder}: save your notebook there, under that name."


def _beside(folder: Path, name: str, notebook: Path | None) -> Iterator[str]:
    if notebook is None:
        found = sorted(one.name for one in folder.glob("*.ipynb") if one.name != f"{name}.ipynb")
        if found:
            yield (
                f"Beside it: {', '.join(found[:FEW])}. What counts is {name}.ipynb: is your work "
                "in that one?"
            )


def _cells(cells: Sequence[dict[str, Any]], there: Grading | None) -> Iterator[str]:
    """Whether the cells are this assignment's, all of them, and each once."""
    if there is None:
        return
    marks = [grade_id(cell) for cell in cells]
    code = code_cells(cells)
    bound = {name for cell in code for name in cell.names.binds}
    checked = {name for cell in code for name in cell.names.checks}
    own = [name for name in there.cells if there.cells[name] != "test"]
    if own and not {*marks, *bound, *checked} & {*there.of_kind("code"), *there.of_kind("quiz")}:
        yield (
            f"None of its cells belongs to {there.assignment}: is it the notebook of another "
            "assignment?"
        )
        return
    for name in own:
        if marks.count(name) > 1:
            yield f"The cell of {name} is there {marks.count(name)} times: leave one of them."
        elif name not in marks and there.cells[name] == "written":
            yield f"The cell for {name} has lost its mark, or is gone. {_AGAIN}"
        elif name not in marks and name not in bound:
            yield f"There is no cell for {name}, and none that defines it. {_AGAIN}"


_AGAIN = "Copy your answers into the notebook as it was released, in its own cells."


def _syntax(cells: Sequence[CodeCell], there: Grading | None) -> Iterator[str]:
    """Cells that Python cannot read: this one, or the older one that grades."""
    minor = there.minor if there else sys.version_info.minor
    for cell in cells:
        text = as_python(cell.source)
        try:
            compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            newer = newer_syntax(text, minor)
        except SyntaxError as error:
            told = too_new(error, minor)
            why = f"{told}." if told else f"Python cannot read it ({error.msg})."
            yield f"Cell {cell.number}, line {error.lineno}: {why}"
        except (ValueError, RecursionError, MemoryError):
            yield f"Cell {cell.number}: Python cannot read it."
        else:
            if newer:
                yield f"Cell {cell.number}, line {newer[0]}: {newer[1]}."


def _written(cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    for name, has_text in written_answers(cells).items():
        if not has_text:
            yield (
                f"{name} has no answer in its own cell. Write it there, not in another one; if you "
                "did, save the notebook."
            )


def _student_id(cells: Sequence[CodeCell]) -> Iterator[str]:
    """Whether questions with numbers of one's own find whose they are."""
    personal = [name for name, one in questions_here().items() if one.is_personal]
    if not personal:
        return
    said: list[ast.expr] = []
    for cell in cells:
        for node in ast.walk(_parsed(cell.source) or ast.Module([], [])):
            if isinstance(node, ast.Assign) and any(
                isinstance(one, ast.Name) and one.id == "student_id" for one in node.targets
            ):
                said.append(node.value)
    needed = f"{', '.join(personal)} {'has' if len(personal) == 1 else 'have'} numbers of your own"
    if not said:
        yield f'No cell says student_id, and {needed}: add `student_id = "your id"` near the top.'
    elif isinstance(said[-1], ast.Constant) and not is_id(said[-1].value):
        yield (
            f"student_id is not set, and {needed}: write the id under which you hand in, in "
            "quotation marks, and answer with the numbers that are shown then."
        )


def _own_modules(sources: Sequence[str], folder: Path) -> Iterator[str]:
    named = dict.fromkeys(
        one.module.partition(".")[0] for source in sources for one in imports_in(as_python(source))
    )
    own = [name for name in named if name != "checks" and is_own(name, folder)]
    if own:
        files = [f"{name}.py" if (folder / f"{name}.py").is_file() else f"{name}/" for name in own]
        yield f"It imports {', '.join(files)}: hand that in with it, in the same folder."


def _elsewhere(cells: Sequence[CodeCell], there: Grading | None) -> Iterator[str]:
    """Answers that stand outside of their own cell, and what has none."""
    stubs = {name for cell in cells for name in stubs_in(cell.source)}
    left = [name for name in (there.of_kind("code") if there else []) if name in stubs]
    for name in left:
        number = written_in(name, cells)
        if number is not None:
            yield f"{name} is written in cell {number}, and not in its own cell: it counts there."
    left = [name for name in left if written_in(name, cells) is None]
    if left:
        yield f"Not begun yet: {', '.join(left)}. You may hand in all the same."


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(as_python(source))
    except UNREADABLE:
        return None
