"""What the course says of its known mistakes: words for a class, and where each could show."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from autograder.bank import all_mistakes
from autograder.course import Assignment, Course
from autograder.course.layout import quiz_file
from autograder.course.own_code import serve
from autograder.course.questions import Choice, Choices, Question
from autograder.course.quiz import read_quiz

MANY, SOME = 1 / 3, 1 / 10  # parts of those who tried
STARTS = {"A", "All", "An", "Each", "Every", "In", "The", "This", "What", "Where", "You", "Your"}


@dataclass(frozen=True)
class Said:
    """What a student reads of a known mistake.

    Attributes:
        diagnosis: what the answer does.
        hint: a question that leads on; empty for questions of a quiz.
        option: the text of the option that was wrongly chosen; empty where there is none.
    """

    diagnosis: str
    hint: str = ""
    option: str = ""


class KnownWords:
    """The words of a course's known mistakes.

    Args:
        course: the course, which this process serves from now on.
        assignments: those that are reported on.

    Raises:
        CourseError: a quiz or a list of mistakes cannot be read; the text says why.
    """

    def __init__(self, course: Course, assignments: Iterable[Assignment]) -> None:
        serve(course.root)
        self._course, self._assignments = course, tuple(assignments)

    def said(self, assignment: str, exercise: str, slug: str) -> Said | None:
        """The words of a mistake in an exercise; None where the course has none any more."""
        return self._words.get((assignment, exercise, slug))

    def could_show(self, assignment: str, slug: str) -> frozenset[str]:
        """The exercises of an assignment in which this mistake is known."""
        return frozenset(
            exercise
            for where, exercise, known in self._words
            if (where, known) == (assignment, slug)
        )

    @cached_property
    def _words(self) -> dict[tuple[str, str, str], Said]:
        words: dict[tuple[str, str, str], Said] = {}
        by_exercise: dict[str, list] = {}
        for one in all_mistakes():
            if not one.costs_nothing:
                by_exercise.setdefault(one.exercise, []).append(one)
        for assignment in self._assignments:
            for exercise in assignment.exercises:
                for one in by_exercise.get(exercise.name, ()):
                    said = Said(one.diagnosis, one.hint)
                    words.setdefault((assignment.name, exercise.name, one.slug), said)
            if any(one.kind == "quiz" for one in assignment.exercises):
                quiz = read_quiz(quiz_file(self._course.root, assignment.name))
                for name, question in quiz.items():
                    for slug, said in _shown_by(question):
                        words.setdefault((assignment.name, name, slug), said)
        return words


def _shown_by(question: Question) -> list[tuple[str, Said]]:
    """What each wrong answer to a question shows."""
    kind = question.answer
    if isinstance(kind, Choice):
        found = [(one.misconception, Said(one.why, "", one.text)) for one in kind.options.values()]
    elif isinstance(kind, Choices):
        found = [(one.misconception, Said(one.why)) for one in kind.options.values()]
    else:
        found = [(one.misconception, Said(one.why)) for one in kind.wrong]
    return [(slug, said) for slug, said in found if slug]


def to_say(said: Said, exercise: str, places: int, part: float) -> str:
    """A sentence or two to say in class.

    Args:
        said: the words of the mistake.
        exercise: where most made it.
        places: in how many exercises it was made.
        part: of those who tried any of these, how many made it (0 to 1).
    """
    many = "Many" if part >= MANY else "Some" if part >= SOME else "A few"
    where = f"in `{exercise}`" if places == 1 else f"most often in `{exercise}`"
    if said.option and places == 1:
        return f"{many} of you chose “{said.option.rstrip('.')}” {where}. {said.diagnosis}"
    if not said.hint:
        return f"{many} of you made the same slip, {where}. {said.diagnosis}"
    first, _, rest = said.diagnosis.partition(" ")
    diagnosis = f"{first.lower()} {rest}" if first in STARTS else said.diagnosis
    return f"{many} of you did this, {where}: {diagnosis} {said.hint}"
