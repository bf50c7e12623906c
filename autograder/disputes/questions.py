"""What a student was asked in a quiz question, and what would have been right."""

from autograder.checks.kit.personal import filled_in
from autograder.course import Assignment, Course, Exercise
from autograder.course.layout import quiz_file
from autograder.course.questions import Choice, Choices, Number, Question
from autograder.course.quiz import read_quiz
from autograder.disputes.account import Asked
from autograder.verdicts.verdict import ExerciseVerdict


def asked_of(
    course: Course,
    assignment: Assignment,
    exercise: Exercise,
    student: str,
    verdict: ExerciseVerdict | None,
) -> Asked:
    """The question as a student saw it, its key, and the answer."""
    question = read_quiz(quiz_file(course.root, assignment.name))[exercise.name]
    sizes = question.sizes_of(student)
    options = getattr(question.answer, "options", {})
    return Asked(
        text=filled_in(question.text, sizes).strip(),
        options={letter: one.text for letter, one in options.items()},
        numbers=sizes,
        key=key_of(question, sizes),
        answered=verdict.answered if verdict else None,
        why=(verdict.message if verdict else None) or "",
    )


def key_of(question: Question, sizes: dict[str, int]) -> str:
    """The right answer in words, with how far from it an answer may lie."""
    match question.answer:
        case Choice() as kind:
            return kind.key
        case Choices() as kind:
            return ", ".join(kind.key)
        case Number() as kind:
            number = kind.key.number(sizes)
            within = kind.within(number)
            unit = f" {kind.unit}" if kind.unit else ""
            return f"{number:g}{unit}" + (f", or within {within:.3g} of it" if within else "")
        case kind:
            return str(kind.key.shape(sizes))
