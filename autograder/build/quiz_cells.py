"""The cells of a quiz question, and what of the questions goes out with a release.

What goes out is made here field by field, so that no key and no reason can slip in; those of
predictions go out encoded.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.build.references import BEGIN, END
from autograder.build.stubs import give_stub
from autograder.checks.kit.personal import filled_in
from autograder.course import Exercise
from autograder.course.questions import Choice, Choices, Number, Question, ask_cell
from autograder.feedback.words import points
from autograder.notebooks.sanitise import metadata_of

# The id under which the reference hands in, which decides its numbers in personal questions.
REFERENCE_ID = "reference"
# The notebook carries what goes out in its metadata; companions.py puts it beside the notebook.
PUBLIC_QUESTIONS = "autograder_questions"
UNSIGNED = re.compile(r"^student_id = \.\.\.", re.MULTILINE)
PERSONAL = (
    "*The numbers are your own: run the next cell, which shows the question with the numbers of "
    "your `student_id`.*"
)
PREDICTION = "*A prediction, {worth}: the check says at once whether it is right, and why.*"
SEVERAL = "*One or several are right: name them all.*"


def question_cells(exercise: Exercise, question: Question, owner: str) -> Iterator[NotebookNode]:
    """A question's text and the cell for its answer, which holds the owner's right answer."""
    worth = f"{points(exercise.points)} for any answer" if exercise.taking_part else ""
    yield new_markdown_cell(question_text(question, worth))
    if question.is_personal:
        source = ask_cell(question.name)
        yield new_code_cell(source, metadata={"deletable": False, "editable": False})
    answer = f"### {BEGIN}\n{answer_line(question, right_answer(question, owner))}\n### {END}"
    cell = new_code_cell(answer, metadata={"nbgrader": metadata_of(exercise, graded=False)})
    yield give_stub(cell, f"{question.name} = ...  # {form_of(question)}")


def right_answer(question: Question, owner: str) -> Any:
    """What the owner of a notebook would have to answer."""
    answer, sizes = question.answer, question.sizes_of(owner)
    match answer:
        case Choice():
            return answer.key
        case Choices():
            return list(answer.key)
        case Number():
            return answer.key.number(sizes)
        case _:
            return answer.key.shape(sizes)


def answer_line(question: Question, value: Any) -> str:
    """An answer as a student would write it: `q1 = "B"`."""
    written = json.dumps(value) if isinstance(value, str | list) else repr(value)
    return f"{question.name} = {written}"


def is_unsigned(source: str) -> bool:
    """Whether it is the cell in which students write their id."""
    return UNSIGNED.search(source) is not None


def signed(source: str, student_id: str) -> str:
    """A cell's source with an id in the place that the release leaves open."""
    return UNSIGNED.sub(lambda _: f"student_id = {json.dumps(student_id)}", source)


def public_questions(
    questions: Iterable[Question], told: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """`questions.json`: what a student's notebook needs to ask, and to look at an answer's form.

    Letters, and of personal questions the text and the possible sizes. Never what is right, but for
    predictions.

    Args:
        questions: the notebook's.
        told: of predictions, by name: what their checks tell, encoded.
    """
    told = told or {}
    return [
        _public(one) | ({"told": told[one.name]} if one.name in told else {}) for one in questions
    ]


def as_json(public: Iterable[dict[str, Any]]) -> str:
    """A line for each question, so that a difference shows which has changed."""
    lines = (json.dumps(fields, ensure_ascii=False, sort_keys=True) for fields in public)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _public(question: Question) -> dict[str, Any]:
    answer = question.answer
    fields: dict[str, Any] = {"name": question.name, "kind": answer.kind}
    if isinstance(answer, Choice | Choices):
        fields["letters"] = list(answer.options)
    if isinstance(answer, Number) and answer.unit is not None:
        fields["unit"] = answer.unit
    if question.is_personal:
        fields["text"] = question.text.strip()
        fields["sizes"] = {name: list(among) for name, among in question.sizes.items()}
    return fields


def question_text(question: Question, worth: str = "") -> str:
    """A question in Markdown.

    Args:
        question: the question.
        worth: of a prediction, what it earns; empty for all others.
    """
    text = question.text.strip()
    if question.is_personal:
        text = filled_in(text, {name: f"⟨{name}⟩" for name in question.sizes})
    parts = [f"**{question.name}.** {text}"]
    answer = question.answer
    if isinstance(answer, Choices):
        parts.append(SEVERAL)
    if isinstance(answer, Choice | Choices):
        options = (f"- **{letter}.** {o.text.strip()}" for letter, o in answer.options.items())
        parts.append("\n".join(options))
    if question.is_personal:
        parts.append(PERSONAL)
    if worth:
        parts.append(PREDICTION.format(worth=worth))
    return "\n\n".join(parts)


def form_of(question: Question) -> str:
    """Which answers the cell takes, for the comment behind the dots; the same for every key."""
    match question.answer:
        case Choice(options=options):
            *others, last = (f'"{letter}"' for letter in options)
            return f"{', '.join(others)} or {last}"
        case Choices():
            return 'a list of letters, such as ["A", "B"]'
        case Number(unit=unit):
            return "a number" if unit is None else f"a number: {unit}"
        case _:
            return "a tuple of whole numbers, such as (2, 3)"
