"""The files of a new exercise, in every room that one needs, each with a TODO for what it lacks."""

from autograder.scaffolding.exercise import new_exercise

__all__ = ["new_exercise"]
