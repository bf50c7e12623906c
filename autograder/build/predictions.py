"""A prediction in a release: its cells, and what its check tells, encoded."""

from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.build.quiz_cells import answer_line, form_of, question_text, right_answer
from autograder.build.stubs import give_whole
from autograder.course.questions import Choice, Choices, Number, Question, check_cell

KEY = "prediction"
"""In the metadata of an answer's cell: the prediction's name."""


def prediction_cells(question: Question) -> Iterator[NotebookNode]:
    """A prediction's text, the cell for its answer, and its check; none of them is graded."""
    yield new_markdown_cell(question_text(question, "without points"))
    answer = answer_line(question, right_answer(question, ""))
    cell = new_code_cell(answer, metadata={KEY: question.name})
    yield give_whole(cell, f"{question.name} = ...  # {form_of(question)}")
    locked = {"deletable": False, "editable": False}
    yield new_code_cell(check_cell(question.name), metadata=locked)


def told_of(question: Question) -> dict[str, Any]:
    """What the check of a prediction tells: the key, and why each answer is right or wrong."""
    match question.answer:
        case Choice() | Choices() as answer:
            why = {letter: option.why.strip() for letter, option in answer.options.items()}
            return {"key": answer.key, "why": why}
        case Number() as answer:
            return {
                "key": answer.key.number({}),
                "within": answer.within(answer.key.number({})),
                "why": answer.why,
                "wrong": [
                    {
                        "value": one.value.number({}),
                        "within": answer.within(one.value.number({})),
                        "why": one.why,
                    }
                    for one in answer.wrong
                ],
            }
        case answer:
            wrong = [{"value": one.value.shape({}), "why": one.why} for one in answer.wrong]
            return {"key": answer.key.shape({}), "why": answer.why, "wrong": wrong}
