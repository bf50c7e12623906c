"""Personal questions as their owner was asked them: with the numbers that come from the id."""

from pathlib import Path

from autograder.checks.kit.personal import filled_in
from autograder.course import Assignment
from autograder.course.layout import quiz_file
from autograder.course.quiz import read_quiz


class Asked:
    """An assignment's personal questions.

    Args:
        assignment: the assignment.
        root: the course's folder.
    """

    def __init__(self, assignment: Assignment, root: Path) -> None:
        has_quiz = any(exercise.kind == "quiz" for exercise in assignment.exercises)
        questions = read_quiz(quiz_file(root, assignment.name)) if has_quiz else {}
        self._personal = {name: one for name, one in questions.items() if one.is_personal}

    def of(self, owner: str) -> dict[str, str]:
        """Their texts with one student's numbers, by name.

        Args:
            owner: the id under which the submission was handed in, whatever its notebook says.

        Returns:
            Markdown, as the course wrote it; questions that are the same for everyone are not
            there.
        """
        return {
            name: filled_in(question.text.strip(), question.sizes_of(owner))
            for name, question in self._personal.items()
        }
