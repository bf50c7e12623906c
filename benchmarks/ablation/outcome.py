"""How an attack ends."""

from enum import StrEnum


class Outcome(StrEnum):
    """What an attack achieved, as seen from outside wherever that is possible."""

    STOPPED = "stopped"
    CONTAINED = "contained"  # it hurts the attacker's own submission, within bounds
    THROUGH = "through"


def through(succeeded: object) -> Outcome:
    """THROUGH when it succeeded, else STOPPED."""
    return Outcome.THROUGH if succeeded else Outcome.STOPPED


def bounded(used: int, bound: int) -> Outcome:
    """How much an attack got of something of which a bound is allowed."""
    if used > bound:
        return Outcome.THROUGH
    return Outcome.CONTAINED if used else Outcome.STOPPED
