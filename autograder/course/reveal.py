"""What of a verdict a student gets to read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.course.aspects import ASPECTS


@dataclass(frozen=True)
class Reveal:
    """What feedback shows beside the marks, which it always shows.

    What stopped the student's own code (a timeout, a syntax error, a missing cell) is always told:
    it says nothing about the hidden tests.

    Attributes:
        tests: what was checked, in words, with each check's outcome and points.
        symptoms: what was seen to be wrong, the mistake it points to, a quiz answer's explanation.
        hints: a pointer that does not give the answer away.
        pictures: the student's own result on the notebook's example.
        printed: what the exercise's own cell printed; off, since its author has seen it.
        aspects: what the aspects of an exercise are called, by name, in order.
    """

    tests: bool = True
    symptoms: bool = True
    hints: bool = True
    pictures: bool = True
    printed: bool = False
    aspects: Mapping[str, str] = field(default_factory=lambda: ASPECTS)
