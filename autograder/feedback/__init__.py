"""What a student reads: one piece of HTML an exercise, and the page around them."""

from autograder.feedback.exercise import render_exercise

__all__ = ["render_exercise"]
