"""The catalogue that the modules beside this one enter their attacks into."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.ablation.outcome import Outcome
from benchmarks.ablation.stage import Act

Perform = Callable[[Act], Outcome]


@dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
        kind: what it is after.
        name: what is tried, from the function's docstring.
        perform: tries it and says how it ended.
    """

    kind: str
    name: str
    perform: Perform


CATALOGUE: list[Attack] = []


def attack(kind: str) -> Callable[[Perform], Perform]:
    """Enter a function as an attack of that kind."""

    def enter(perform: Perform) -> Perform:
        assert perform.__doc__ is not None
        CATALOGUE.append(Attack(kind, perform.__doc__.rstrip("."), perform))
        return perform

    return enter
