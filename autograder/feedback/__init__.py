"""What a student reads: one piece of HTML an exercise, and the page around them."""

from autograder.feedback.exercise import ExerciseFeedback, render_exercise

__all__ = ["ExerciseFeedback", "render_exercise"]
