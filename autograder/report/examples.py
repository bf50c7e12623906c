"""One answer that shows a misconception, read from what was handed in."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.course import Course
from autograder.marks import Finding, Standing
from autograder.notebooks.choosing import choose
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.sanitise import grade_id
from autograder.notebooks.submitted import Submitted

LOOKED_AT = 2  # answers of which the shortest is shown
LONGEST = 4000


@dataclass(frozen=True)
class Example:
    """An answer.

    Attributes:
        student: the id that handed it in.
        assignment: the assignment.
        exercise: the exercise.
        text: the cell's source, cut where it is very long; of a question, the answer.
    """

    student: str
    assignment: str
    exercise: str
    text: str


class Examples:
    """Finds answers to show.

    Args:
        course: the course.
    """

    def __init__(self, course: Course) -> None:
        self._course = course
        self._read: dict[tuple[str, str], dict[str, str]] = {}

    def one_of(
        self, assignment: str, exercise: str, answers: Sequence[tuple[Standing, Finding]]
    ) -> Example | None:
        """The shortest of a few answers, of those first that show nothing else.

        Args:
            assignment: the assignment.
            exercise: the exercise that they answer.
            answers: all that show the misconception.
        """
        clearest = sorted(answers, key=lambda one: (len(one[1].misconceptions), len(one[1].failed)))
        found = []
        for standing, finding in clearest[:LOOKED_AT]:
            text = finding.answered or self._sources(assignment, standing.student).get(exercise)
            if text:
                found.append(Example(standing.student, assignment, exercise, text[:LONGEST]))
        return min(found, key=lambda one: len(one.text), default=None)

    def _sources(self, assignment: str, student: str) -> dict[str, str]:
        """What a student wrote in each cell that nbgrader knows; empty where nothing is read."""
        place = assignment, student
        if place not in self._read:
            self._read[place] = self._sources_in(
                Submitted(
                    student, assignment, self._course.folder("submitted") / student / assignment
                )
            )
        return self._read[place]

    def _sources_in(self, one: Submitted) -> dict[str, str]:
        try:
            notebook = choose(self._course, one).notebook
        except (BadNotebook, OSError):
            return {}
        cells = ((grade_id(cell), cell.source.strip()) for cell in notebook.cells)
        return {name: source for name, source in cells if name is not None}
