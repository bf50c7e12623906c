"""What a student reads: one piece of HTML an exercise, and the page around them."""

from autograder.feedback.exercise import marks_of, render_exercise

__all__ = ["marks_of", "render_exercise"]
