"""`ask("k2", student_id)`: shows a question with the student's own numbers."""

from typing import Any

from .personal import filled_in, is_id, sizes_of
from .plain_text import MARK, plain
from .questions import AskedQuestion, questions_here
from .showing import present, without_marks

NO_ID = (
    "This question has numbers of your own. Write the id under which you hand in, in quotation "
    'marks, where the notebook says `student_id = ...` (for instance `student_id = "ada"`). Run '
    "that cell, and then this one again."
)
LONGEST_ID = 60


def ask(name: str, student_id: Any) -> None:
    """Show a personal question with the numbers that belong to an id; say which id it was.

    An id that is not filled in yet is asked for kindly: this cell may run before anything is done.

    Args:
        name: the question's name, such as "k2".
        student_id: the id under which the student hands in.
    """
    question = questions_here().get(name)
    if question is None or not question.is_personal:
        here = [one.name for one in questions_here().values() if one.is_personal]
        _show(f"There is no question {name!r} with numbers of one's own here, only: {here}.")
    elif not is_id(student_id):
        _show(f"**{name}.** {NO_ID}")
    else:
        _show(_asked(question, student_id))


def _asked(question: AskedQuestion, student_id: str) -> str:
    """The question in Markdown."""
    own = sizes_of(question.name, student_id, question.sizes or {})
    text = filled_in(question.text, own)
    return f"**{question.name}.** {text}\n\n*These are the numbers of* {_as_code(student_id)}."


def _as_code(student_id: str) -> str:
    """The id as it was typed, on one line; nothing in it acts on the page."""
    shown = plain(student_id.strip()).replace("`", MARK)
    return f"`{shown if len(shown) <= LONGEST_ID else shown[: LONGEST_ID - 1] + '…'}`"


def _show(markdown: str) -> None:
    """Show Markdown, which Jupyter sets as it sets the question above."""
    present(without_marks(markdown), {"text/markdown": markdown})
