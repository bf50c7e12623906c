"""What an instructor says where the marks alone do not say what another system should get."""

from dataclasses import dataclass
from typing import Literal

Pending = Literal["refuse", "zero", "omit"]
Missing = Literal["omit", "zero"]
Unmatched = Literal["refuse", "omit"]


@dataclass(frozen=True)
class Choices:
    """What is done with marks that are not plain; whatever loses a mark is refused unless said.

    Attributes:
        pending: of a submission that has not all its marks yet: `zero` exports what it has so far,
            and 0 where it has none; `omit` leaves it out.
        missing: of a student who handed nothing in, past the due date: `zero` exports a 0.
        unmatched: of a student whom the other system's file has not, or to whom it has not
            assigned this: `omit` leaves the mark out.
        scale: whether scores become shares of the other system's maximum.
        cap: whether a score that the other system would drop becomes its maximum.
    """

    pending: Pending = "refuse"
    missing: Missing = "omit"
    unmatched: Unmatched = "refuse"
    scale: bool = False
    cap: bool = False
