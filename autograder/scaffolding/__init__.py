"""The files of a new course, assignment or exercise, each with a TODO for what it lacks."""

from autograder.scaffolding.assignment import new_assignment
from autograder.scaffolding.course import new_course
from autograder.scaffolding.exercise import new_exercise

__all__ = ["new_assignment", "new_course", "new_exercise"]
