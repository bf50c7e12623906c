"""What one right answer is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One right answer to one exercise.

    Attributes:
        exercise: the exercise it answers.
        name: what is particular about it.
        code: the cell as a student would write it.
    """

    exercise: str
    name: str
    code: str
