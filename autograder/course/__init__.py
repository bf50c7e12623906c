"""The course: its settings, its folders, its assignments and exercises."""

from autograder.course.assignments import Assignment, Exercise
from autograder.course.course import Course, load_course
from autograder.course.errors import CourseError
from autograder.course.limits import Limits

__all__ = ["Assignment", "Course", "CourseError", "Exercise", "Limits", "load_course"]
