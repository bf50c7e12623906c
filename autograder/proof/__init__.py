"""Proves the graders: right answers keep every mark, wrong ones lose some and are named."""

from autograder.proof.known_answers import KnownAnswer, known_answers
from autograder.proof.proving import Proof, prove

__all__ = ["KnownAnswer", "Proof", "known_answers", "prove"]
