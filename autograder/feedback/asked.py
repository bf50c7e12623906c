"""Personal questions as their owner was asked them: with the numbers that come from the id."""

from pathlib import Path

from autograder.checks.personal import filled_in
from autograder.course import Assignment
from autograder.course.quiz import read_quiz


def asked_of(owner: str, assignment: Assignment, solutions: Path) -> dict[str, str]:
    """The texts of an assignment's personal questions with one student's numbers, by name.

    Args:
        owner: the id under which the submission was handed in, whatever its notebook says.
        assignment: the assignment.
        solutions: the folder of the course's solutions, which holds the quiz.
    Returns:
        Markdown, as the course wrote it; questions that are the same for everyone are not there.
    """
    if all(exercise.kind != "quiz" for exercise in assignment.exercises):
        return {}
    questions = read_quiz(solutions / "quiz" / f"{assignment.name}.toml")
    return {
        name: filled_in(question.text.strip(), question.sizes_of(owner))
        for name, question in questions.items()
        if question.is_personal
    }
