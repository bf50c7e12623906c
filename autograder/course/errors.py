"""Mistakes in the course or the machine, said so that an instructor can mend them."""

import difflib
from collections.abc import Iterable


class CourseError(Exception):
    """The course's files or settings are wrong; the text says where, and what to do next."""


class MachineError(Exception):
    """This machine cannot do what the course asks; the text says why, and what to do next."""


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """` Did you mean 'x'?`, or nothing when no known name is that near (0 to 1)."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f" Did you mean {near[0]!r}?" if near else ""
