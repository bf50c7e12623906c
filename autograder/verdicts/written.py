"""The verdict on a written question: a person's to give, unless there is no answer."""

from autograder.course import Exercise
from autograder.verdicts.attempted import NO_TEXT
from autograder.verdicts.verdict import ExerciseVerdict, Outcome, TestResult


def judge_written(exercise: Exercise, answered: bool) -> ExerciseVerdict:
    """All points wait for a person where there is an answer, and are lost where there is none."""
    outcome: Outcome = "pending" if answered else "failed"
    claim = f"The answer to {exercise.name}, read by a person."
    return ExerciseVerdict(
        exercise=exercise.name,
        max_points=exercise.points,
        tests=(TestResult("answer", claim, outcome, exercise.points, "person"),),
        message=None if answered else NO_TEXT,
    )
