"""Written questions, as `solutions/<module>/written.toml` holds them; a person grades them."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.checks.kit.written import UNANSWERED as UNANSWERED
from autograder.course.errors import CourseError

HEADING = re.compile(r"#{1,6} ")
ABOVE = "**{name}.** *(in your own words; {points}, given by a person)* {text}"
"""What stands above an answer's cell."""


@dataclass(frozen=True)
class Wording:
    """The words of a notebook as it is released, by which a student's own are told from them.

    Attributes:
        texts: each cell's; of an assignment without written questions none.
        headings: the lines that are headings.
    """

    texts: tuple[str, ...] = ()
    headings: frozenset[str] = frozenset()


NO_WORDING = Wording()


def wording(markdown: Iterable[str], code: Iterable[str]) -> Wording:
    """The wording of a notebook, by its cells."""
    texts = tuple(markdown)
    lines = (line.strip() for text in texts for line in text.splitlines())
    headings = frozenset(line for line in lines if HEADING.match(line))
    return Wording((*texts, *code, UNANSWERED), headings)


@dataclass(frozen=True)
class WrittenQuestion:
    """One question that is answered in sentences.

    Attributes:
        name: the answer's cell, such as `w1`.
        text: the question, in Markdown.
        rubric: what earns each point, in Markdown; for graders alone.
    """

    name: str
    text: str
    rubric: str


def read_written(path: Path) -> dict[str, WrittenQuestion]:
    """The written questions of one assignment, by name.

    Raises:
        CourseError: the file is missing or wrong; the text says what.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CourseError(f"{path} is missing: it holds the written questions.") from error
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path}: {error}") from error
    questions = [_question(entry, path) for entry in data.get("question", [])]
    return {question.name: question for question in questions}


def _question(entry: dict, path: Path) -> WrittenQuestion:
    name = entry.get("name", "?")
    texts = [entry.get(part) for part in ("name", "text", "rubric")]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise CourseError(f"{path}: question {name!r} needs a name, a text and a rubric.")
    return WrittenQuestion(entry["name"], entry["text"].strip(), entry["rubric"].strip())
