"""What a grader made of one submission."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """One cell of the table.

    Attributes:
        score: points in the grader's own result; None when it gave none.
        reached: whether the attacker got what was not marks: a secret, a connection, the home.
        note: why there is no score.
    """

    score: float | None
    reached: bool = False
    note: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether the attacker got marks, or what else the attack was after."""
        return bool(self.score) or self.reached
