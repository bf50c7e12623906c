"""One right answer to an exercise, in the style nearest to the student's, and why it is right.

It is for pages that are written once nobody can hand in any more; who calls this has seen to that.
"""

import ast
import re
import textwrap
import tomllib
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from autograder.bank import variants
from autograder.course.errors import CourseError
from autograder.course.exercise_cell import definitions_of, first_line
from autograder.course.layout import reference_file, why_file
from autograder.course.questions import Choice, Choices, Number, Question

LONGEST = 20_000  # characters of a student's code that are looked at for its style
CLEARLY = 0.1  # how much nearer another style must be than the reference's
ALSO = "\n\nAccepted, too: "
TOKEN = re.compile(r"\w+|[^\w\s]")
MARKER = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True)
class RightAnswer:
    """What a page shows.

    Attributes:
        code: a right answer to an exercise of code; else None.
        answer: the right answer to a question, in words; else None.
        why: why it is right.
        styles: how many right answers we know; 1 for a question.
    """

    code: str | None
    answer: str | None
    why: str
    styles: int = 1


def right_code(root: Path, assignment: str, exercise: str, written: str) -> RightAnswer:
    """A right answer to an exercise of code.

    Args:
        root: the course's folder; this process serves that course.
        assignment: the assignment's name.
        exercise: the exercise's name.
        written: what the student wrote.
    """
    reference, summary = _reference(reference_file(root, assignment, exercise), exercise)
    others = [textwrap.dedent(one.code).strip() for one in variants(exercise)]
    own = _style(written)
    nearest = max(others, key=lambda code: _likeness(own, code), default=reference)
    is_nearer = _likeness(own, nearest) > _likeness(own, reference) + CLEARLY
    why = _whys(root, assignment).get(exercise, summary)
    return RightAnswer(nearest if is_nearer else reference, None, why, 1 + len(others))


def right_choice(question: Question, owner: str) -> RightAnswer:
    """The right answer to a question, with the numbers of whom it was asked.

    Args:
        question: the question.
        owner: the id under which the submission was handed in.
    """
    kind, sizes = question.answer, question.sizes_of(owner)
    match kind:
        case Choice():
            right = kind.options[kind.key]
            letters = [kind.key, *(one for one in kind.accept if one != kind.key)]
            named = [f"**{letter}.** {kind.options[letter].text}" for letter in letters]
            return RightAnswer(None, ALSO.join(named), right.why)
        case Choices():
            named = [f"**{letter}.** {kind.options[letter].text}" for letter in kind.key]
            others = [", ".join(one) for one in kind.accept if one != kind.key]
            whys = " ".join(kind.options[letter].why for letter in kind.key)
            return RightAnswer(None, ALSO.join(["\n\n".join(named), *others]), whys)
        case Number():
            unit = f" {kind.unit}" if kind.unit else ""
            numbers = [f"`{one.number(sizes):.6g}`{unit}" for one in (kind.key, *kind.accept)]
            return RightAnswer(None, ALSO.join(dict.fromkeys(numbers)), kind.why)
        case _:
            shapes = [f"`{one.shape(sizes)}`" for one in (kind.key, *kind.accept)]
            return RightAnswer(None, ALSO.join(dict.fromkeys(shapes)), kind.why)


def _reference(path: Path, exercise: str) -> tuple[str, str]:
    """The reference without what the notebook has given already, and what it says that it does."""
    text = path.read_text(encoding="utf-8")
    lines, nodes = text.splitlines(keepends=True), definitions_of(ast.parse(text), exercise)
    blocks = []
    for node in nodes:
        block = lines[first_line(node) - 1 : _end(lines, node.end_lineno or node.lineno)]
        said = node.body[0]
        if ast.get_docstring(node) is not None and len(node.body) > 1:
            offset = first_line(node)
            del block[said.lineno - offset : (said.end_lineno or said.lineno) - offset + 1]
        blocks.append(MARKER.sub("", "".join(block)).strip())
    summary = (ast.get_docstring(nodes[-1]) or "").partition("\n\n")[0]
    return "\n\n\n".join(blocks), " ".join(summary.split())


def _end(lines: list[str], last: int) -> int:
    """The closing marker is a comment, and the syntax tree ends before it."""
    while last < len(lines) and (not lines[last].strip() or lines[last][0].isspace()):
        last += 1
    return last


def _whys(root: Path, assignment: str) -> dict[str, str]:
    """The course's own words on why its answers are right, where it has any.

    Raises:
        CourseError: the file is wrong; the text says what.
    """
    path = why_file(root, assignment)
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path}: {error}") from error
    for name, why in found.items():
        if not isinstance(why, str):
            raise CourseError(f"{path}: {name} is to be a text: why its answer is right.")
    return {name: " ".join(why.split()) for name, why in found.items()}


def _style(code: str) -> Counter[tuple[str, str]]:
    """Which tokens follow which: what is like in two texts of one style, whatever their length."""
    return Counter(pairwise(TOKEN.findall(code[:LONGEST])))


def _likeness(style: Counter[tuple[str, str]], code: str) -> float:
    other = _style(code)
    return 2 * (style & other).total() / max(style.total() + other.total(), 1)
