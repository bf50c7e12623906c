"""How hidden graders judge: numerical policy, comparisons in words, diagnosis of mistakes."""

from autograder.judging.assertions import (
    Wrong,
    assert_gradients_match,
    assert_matches,
    sure_of,
)
from autograder.judging.devices import assert_stays_on_meta
from autograder.judging.diagnosis import describe, diagnose
from autograder.judging.registry import exercise, probe
from autograder.judging.structure import Structure, structure_of
from autograder.judging.tolerance import Expected, expected

__all__ = [
    "Expected",
    "Structure",
    "Wrong",
    "assert_gradients_match",
    "assert_matches",
    "assert_stays_on_meta",
    "describe",
    "diagnose",
    "exercise",
    "expected",
    "probe",
    "structure_of",
    "sure_of",
]
