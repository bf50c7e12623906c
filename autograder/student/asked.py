"""What a student's code was asked last, for whoever says what it was doing when it stopped."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A call.

    Attributes:
        name: of the function or class; None where a module of the student's is called.
        args: the arguments, as the caller gave them.
        kwargs: the keyword arguments.
        again: calls the same with other arguments, given as a sequence and a mapping.
    """

    name: str | None
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    again: Callable[[Sequence[Any], Mapping[str, Any]], Any]
