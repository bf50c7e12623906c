"""What a student's code was asked last, for whoever says what it was doing when it stopped."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A call.

    Attributes:
        name: of the function or class; None where a module of the student's is called.
        args: the arguments, as the caller gave them.
        kwargs: the keyword arguments.
    """

    name: str | None
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
