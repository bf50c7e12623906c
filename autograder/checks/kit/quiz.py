"""Visible check of quiz questions: is there an answer of the right form? Never: is it right?"""

from typing import Any

from .answer_forms import letter_of, letters_of, number_of, shape_of
from .describing import result_text
from .errors import MissingName
from .expectation import Mismatch, exercise
from .local_student import LocalStudent
from .personal import is_id
from .questions import AskedQuestion, questions_here

UNANSWERED = "..."
"""What came back where the dots of the release still stand."""

MISSING_ID = (
    "Write the id under which you hand in where the notebook says `student_id = ...`, in quotation "
    "marks, and run that cell: this question has numbers of your own."
)


@exercise("[qk][0-9]*")
def test_the_answer_has_the_form_that_is_asked_for(student: LocalStudent, asked: str) -> None:
    """The answer has the form that is asked for. Whether it is right, grading tells."""
    question = questions_here().get(asked)
    if question is None:
        raise Mismatch("nothing", "a question of this notebook", f"There is no question {asked}.")
    said = _said_id(student) if question.is_personal else None
    answer = student.value(asked)  # read last: a report names what was read last
    wanted, example = wanted_form(question)
    if answer is ...:
        says = f"There is no answer yet. Put yours in place of the dots: `{asked} = {example}`, "
        raise Mismatch(UNANSWERED, wanted, says + "for instance.")
    if not _has_form(question, answer):
        says = f"The answer must be {wanted}, as in `{asked} = {example}`."
        raise Mismatch(result_text(answer)[:80], wanted, says)
    if question.is_personal and not is_id(said):
        shown = "..." if said is ... else result_text(said)[:60]
        raise Mismatch(f"student_id = {shown}", "your id", MISSING_ID)


def _said_id(student: LocalStudent) -> Any:
    """What the notebook says is the student's id; the open dots where it says nothing."""
    try:
        return student.value("student_id")
    except MissingName:
        return ...


def _has_form(question: AskedQuestion, answer: Any) -> bool:
    match question.kind:
        case "choice":
            return letter_of(answer, question.letters) is not None
        case "choices":
            return letters_of(answer, question.letters) is not None
        case "number":
            return number_of(answer) is not None
        case _:
            return shape_of(answer) is not None


def wanted_form(question: AskedQuestion) -> tuple[str, str]:
    """What is wanted in words, and an example that says nothing about the right answer."""
    letters = ", ".join(f'"{letter}"' for letter in question.letters)
    match question.kind:
        case "choice":
            return f"one letter of {letters}", '"A"'
        case "choices":
            return f"a list of letters of {letters}, none twice", '["A", "B"]'
        case "number":
            return "a number", "0.5"
        case _:
            return "a tuple of whole numbers above 0", "(2, 3)"
