"""How hidden graders judge: numerical policy, comparisons in words, diagnosis of mistakes."""

from autograder.judging.assertions import Wrong, assert_matches, sure_of
from autograder.judging.diagnosis import describe, diagnose
from autograder.judging.registry import exercise, probe
from autograder.judging.tolerance import Expected, expected

__all__ = [
    "Expected",
    "Wrong",
    "assert_matches",
    "describe",
    "diagnose",
    "exercise",
    "expected",
    "probe",
    "sure_of",
]
