"""Verdicts: a pure function of submission and course, its store, the process that runs it."""

from autograder.verdicts.grader import Grader, default_workers
from autograder.verdicts.pool import GradingUnavailable
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict, SubmissionVerdict, TestResult

__all__ = [
    "ExerciseVerdict",
    "Grader",
    "GradingUnavailable",
    "Submission",
    "SubmissionVerdict",
    "TestResult",
    "default_workers",
]
