"""Quiz questions, as `solutions/quiz/<assignment>.toml` holds them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.course.errors import CourseError


@dataclass(frozen=True)
class Option:
    """One answer to choose.

    Attributes:
        text: the answer, in Markdown.
        why: why it is right, or what misunderstanding it shows; one sentence to the student.
        misconception: the misunderstanding's slug; None on the right answer.
    """

    text: str
    why: str
    misconception: str | None


@dataclass(frozen=True)
class Question:
    """One quiz question.

    Attributes:
        name: the variable that the student binds, such as `q1`.
        text: the question, in Markdown.
        options: by letter, in order.
        key: the letter of the right one.
    """

    name: str
    text: str
    options: dict[str, Option]
    key: str


def read_quiz(path: Path) -> dict[str, Question]:
    """The questions of one assignment, by name.

    Raises:
        CourseError: the file is missing or wrong; the text says what.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CourseError(f"The quiz {path} is missing.") from error
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path}: {error}") from error
    questions = [_question(entry, path) for entry in data.get("question", [])]
    return {question.name: question for question in questions}


def _question(entry: dict, path: Path) -> Question:
    name = entry.get("name", "?")
    try:
        options = {
            letter: Option(option["text"], option["why"], option.get("misconception"))
            for letter, option in entry["options"].items()
        }
        question = Question(entry["name"], entry["text"], options, entry["key"])
    except KeyError as error:
        raise CourseError(f"{path}: question {name!r} lacks {error.args[0]!r}.") from error
    if question.key not in options:
        raise CourseError(f"{path}: the key of {name!r}, {question.key!r}, is not an option.")
    for letter, option in options.items():
        if (option.misconception is None) != (letter == question.key):
            raise CourseError(
                f"{path}: {name!r}: every wrong option needs a misconception, the key none; "
                f"look at option {letter}."
            )
    return question
