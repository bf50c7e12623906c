"""How a class stands, as data: what reports and exports are made of."""

from autograder.marks.findings import Finding
from autograder.marks.standing import Standing, standing_of

__all__ = ["Finding", "Standing", "standing_of"]
