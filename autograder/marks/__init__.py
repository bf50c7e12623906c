"""How a class stands, as data: what reports and exports are made of."""

from autograder.marks.families import AnswerFamily, families_of
from autograder.marks.findings import Finding
from autograder.marks.standing import Standing, standing_of

__all__ = ["AnswerFamily", "Finding", "Standing", "families_of", "standing_of"]
