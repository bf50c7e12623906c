"""What stopped a notebook: cells that raised an error, and imports that are not there.

An answer may fail only because of one, and then says so. All that is told of it is the student's
own text, as it was before the process had seen any hidden input.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from autograder.checks.kit.cell_names import MOST_CODE, names_in
from autograder.checks.kit.errors import Stop, StudentDied
from autograder.checks.kit.imports import imports_in, why_missing
from autograder.sandbox.inside.not_there import NAME, NOT_THERE
from autograder.sandbox.outcomes import CellOutcome

MOST_NAMES = 64
"""Names that may be told: which one it is could tell a hidden input, if there were thousands."""

_NO_NAME = re.compile(r"name '(\w{1,60})' is not defined\b")
_MISSING = re.compile(NOT_THERE.format(f"({NAME.pattern})"))
_LONGEST = 160


def told(stop: Stop, packages: Sequence[str]) -> str:
    """What is told of an answer that fails because of what stopped above.

    Args:
        stop: what stopped.
        packages: those that there are.
    """
    if stop.missing:
        return (
            f"In {stop.where()}: {why_missing(stop.missing, packages)} Your answer uses it, and "
            "fails for that alone."
        )
    return (
        f"The notebook stopped in {stop.where()}: {stop.says}. Your answer needs what that cell "
        "makes, and fails for that alone: mend that cell first."
    )


class Stops:
    """What stopped the cells of one notebook.

    Args:
        sources: the cells that were run, in order.
        outcomes: what came of each, by its place.
        deaths: how the process ended over a cell, by its place.
    """

    def __init__(
        self,
        sources: Sequence[str],
        outcomes: Mapping[int, CellOutcome],
        deaths: Mapping[int, StudentDied],
    ) -> None:
        self._sources, self._outcomes, self._deaths = sources, outcomes, deaths

    def behind(self, builtin: str, message: str) -> Stop | None:
        """What is behind an error of a later cell or a call; None where that is its own.

        Args:
            builtin: the error's nearest built-in type.
            message: its text; nothing of it is told but a name that the notebook has, too.
        """
        if builtin == "NameError" and (named := _NO_NAME.match(message)):
            return self._by_name.get(named[1])
        if missing := _MISSING.match(message):
            return self._by_import.get(missing[1])
        return None

    @cached_property
    def _by_import(self) -> Mapping[str, Stop]:
        found: dict[str, Stop] = {}
        for place, outcome in self._outcomes.items():
            for name, line in outcome.missing:
                found.setdefault(name, self._stop(place, line, missing=name))
        if sum(map(len, self._sources)) < MOST_CODE:
            for place, source in enumerate(self._sources):
                for one in imports_in(source):  # within functions, they fail when these are called
                    names = [*_prefixes(one.module), f"{one.module}.{one.name}"]
                    for name in names:
                        found.setdefault(name, self._stop(place, one.line, missing=name))
        return found if len(found) <= 2 * MOST_NAMES else {}

    @cached_property
    def _by_name(self) -> Mapping[str, Stop]:
        found: dict[str, Stop] = {}
        for place in sorted({*self._outcomes, *self._deaths}):
            stop = self._at(place)
            if stop is None:
                continue
            error = self._outcomes[place].error if place in self._outcomes else None
            named = None if error is None else _NO_NAME.match(error.message)
            first = stop if named is None else found.get(named[1], stop)
            for name in names_in(self._sources[place]).binds:
                found.setdefault(name, first)
        return found if len(found) <= MOST_NAMES else {}

    def _at(self, place: int) -> Stop | None:
        """What stopped a cell, if anything."""
        if place in self._deaths:
            return self._stop(place, None, says=f"it was ended ({self._deaths[place].reason})")
        error = self._outcomes[place].error
        if error is None:
            return None
        says = f"{error.type_name}: {error.message}" if error.message else error.type_name
        return self._stop(place, error.line, says=_plain(says))

    def _stop(self, place: int, line: int | None, says: str = "", missing: str = "") -> Stop:
        lines = [line.strip() for line in self._sources[place].splitlines()]
        code = [line for line in lines if line and not line.startswith("#")]
        return Stop(place, _plain(code[0] if code else "")[:60], line, says, missing)


def _prefixes(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _plain(text: str) -> str:
    """A text on one line, bounded, that ends no `code` early."""
    return " ".join(text.replace("`", "'").split())[:_LONGEST].rstrip(".")
