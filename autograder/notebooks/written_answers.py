"""The answer to a written question: what stands in its own cell, or else beside the question.

Students write into the question's cell, or into a new one below it, and tools strip cells of
nbgrader's mark. None of that is read as "no answer": enough words of one's own between a question
and the next heading are an answer that a person looks at, with where it stood.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nbformat import NotebookNode

from autograder.checks.kit.cell_names import grade_id
from autograder.course import Assignment, Exercise
from autograder.course.written import UNANSWERED, Wording
from autograder.notebooks.normal_form import NoPython, parsed
from autograder.notebooks.own_words import comments_in

FEWEST_WORDS = 8
RUN = 4  # words in a row that stand in the release, too, are the release's
LONGEST = 20_000  # characters of a cell that are looked at
MOST = 200_000  # of all cells beside a question: to read code takes its time
# Chinese and Japanese put no spaces between words: there each character counts as one.
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\d_]+")


@dataclass(frozen=True)
class Passage:
    """What stands in one cell between a written question and the next heading.

    Attributes:
        number: the cell's in the notebook, from 1.
        kind: `markdown`, `code` or `raw`.
        below: how many cells below the question's own it is.
        text: the lines that are not the release's.
        words: how many words in it are not.
    """

    number: int
    kind: str
    below: int
    text: str
    words: int


def answer_to(notebook: NotebookNode, assignment: Assignment, exercise: Exercise) -> str | None:
    """The answer in a notebook that is in order; None for no written one.

    Args:
        notebook: sanitised.
        assignment: its assignment.
        exercise: what is answered.
    """
    (cell,) = (cell for cell in notebook.cells if grade_id(cell) == exercise.name)
    if cell.source != UNANSWERED:
        return cell.source
    return "\n\n".join(one.text for one in passages(notebook, assignment, exercise)) or None


def passages(
    notebook: NotebookNode, assignment: Assignment, exercise: Exercise
) -> tuple[Passage, ...]:
    """What is written beside a question whose own cell is empty; nothing where it is too little.

    Args:
        notebook: the notebook.
        assignment: its assignment, which knows the release's own words.
        exercise: the written question.
    """
    named = any(grade_id(c) == exercise.name and c.source != UNANSWERED for c in notebook.cells)
    if exercise.kind != "written" or named:
        return ()
    found = tuple(_beside(notebook.cells, assignment, exercise))
    return found if sum(one.words for one in found) >= FEWEST_WORDS else ()


def own_cell(
    cells: Sequence[NotebookNode], assignment: Assignment, exercise: Exercise
) -> NotebookNode | None:
    """The cell right below a written question, where it holds the answer and has lost its mark."""
    place = _question(cells, exercise)
    if place is None or place + 1 == len(cells):
        return None
    cell = cells[place + 1]
    if cell.cell_type != "markdown" or grade_id(cell) or _asks(cell, assignment):
        return None
    is_answer = cell.source.strip() == UNANSWERED or _own(cell, assignment.wording)[1]
    starts_section = _until_heading(cell.source, assignment.wording) != cell.source
    return cell if is_answer and not starts_section else None


def _beside(
    cells: Sequence[NotebookNode], assignment: Assignment, exercise: Exercise
) -> Iterator[Passage]:
    start = _question(cells, exercise)
    if start is None:
        marked = (i for i, cell in enumerate(cells) if grade_id(cell) == exercise.name)
        start = next(marked, len(cells))
    code = "|".join(one.name for one in assignment.exercises if one.kind != "written") or "(?!)"
    answers = re.compile(rf"^(?:(?:async +)?def +|class +)?(?:{code})\b *[(:=]", re.MULTILINE)
    left = MOST
    for number, cell in enumerate(cells[start:], start):
        if left <= 0:
            return
        if number > start and _asks(cell, assignment):
            continue
        if cell.cell_type == "code" and answers.search(cell.source[:LONGEST]):
            continue  # an exercise that has lost its mark
        whole = cell.source
        left -= min(len(whole), LONGEST)
        if cell.cell_type == "markdown":
            cell = NotebookNode(cell, source=_until_heading(whole, assignment.wording))
        text, words = ("", 0) if grade_id(cell) else _own(cell, assignment.wording)
        if words:
            yield Passage(number + 1, cell.cell_type, number - start, text, words)
        if cell.source != whole:
            return


def _question(cells: Sequence[NotebookNode], exercise: Exercise) -> int | None:
    """Where the question stands, by its name in bold; None where it is gone."""
    bold = f"**{exercise.name}.**"
    return next((place for place, cell in enumerate(cells) if bold in cell.source), None)


def _asks(cell: NotebookNode, assignment: Assignment) -> bool:
    """Whether the cell is a question of the release."""
    names = (*assignment.predictions, *(one.name for one in assignment.exercises))
    return cell.source.lstrip().startswith(tuple(f"**{name}.**" for name in names))


def _until_heading(source: str, wording: Wording) -> str:
    """The text above the first of the release's headings; a student's own end nothing."""
    lines = source.splitlines()
    for place, line in enumerate(lines):
        if line.strip() in wording.headings:
            return "\n".join(lines[:place])
    return source


def _own(cell: NotebookNode, wording: Wording) -> tuple[str, int]:
    """The lines of a cell that are not the release's, and how many words in it are not."""
    source = cell.source[:LONGEST]
    if cell.cell_type == "code":
        count = len(_own_words(_said_in(source), wording))
        return source.strip() if count else "", count
    places = {match.start() for match in _own_words(source, wording)}
    lines, at = [], 0
    for line in source.splitlines(keepends=True):
        if not WORD.search(line) or not places.isdisjoint(range(at, at + len(line))):
            lines.append(line)
        at += len(line)
    pictures = FEWEST_WORDS * len(cell.get("attachments", ()))  # such as a page written by hand
    return "".join(lines).strip(), len(places) + pictures


def _said_in(source: str) -> str:
    """What a code cell says in words: comments and strings, or all of it where it is no Python."""
    try:
        nodes = list(ast.walk(parsed(source)))
    except (NoPython, RecursionError):
        return source
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return "\n".join([*comments_in(source), *(one for one in constants if isinstance(one, str))])


def _own_words(text: str, wording: Wording) -> list[re.Match[str]]:
    """The words that are part of no run of words that stands in the release."""
    found = list(WORD.finditer(text))
    words = [match[0].casefold() for match in found]
    released = _runs(wording)
    own = [True] * len(words)
    for start in range(max(1, len(words) - RUN + 1)):
        if tuple(words[start : start + RUN]) in released:
            own[start : start + RUN] = [False] * len(own[start : start + RUN])
    return [match for match, is_own in zip(found, own, strict=True) if is_own]


@lru_cache(maxsize=64)
def _runs(wording: Wording) -> frozenset[tuple[str, ...]]:
    """All runs of words in the release; a text of fewer words is one."""
    found = set()
    for text in wording.texts:
        words = [word.casefold() for word in WORD.findall(text)]
        found |= {
            tuple(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))
        }
    return frozenset(found)
