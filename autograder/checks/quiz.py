"""Visible check of quiz questions: is there an answer of the right form? Never: is it right?"""

from .expectation import Mismatch, exercise
from .local_student import LocalStudent


@exercise("q[0-9]*")
def test_the_answer_is_one_letter(student: LocalStudent, asked: str) -> None:
    """The answer is one of the letters A to D. Whether it is right, grading tells."""
    answer = student.value(asked)
    letters = ("A", "B", "C", "D")
    if answer is ...:
        says = f"There is no answer yet. Put your letter in place of the dots: {asked} = "
        raise Mismatch("...", "a letter", says + 'one of "A", "B", "C" or "D".')
    if not isinstance(answer, str) or answer not in letters:
        says = (
            f'The answer must be one capital letter in quotation marks: {asked} = "A", or "B" ...'
        )
        raise Mismatch(repr(answer)[:60], '"A", "B", "C" or "D"', says)
