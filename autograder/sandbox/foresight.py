"""What a test asks of one submission it asks of the next, so requests can be sent together.

A turn costs more than most calls do: two processes are woken up, each with caches that the other
has filled. So a request takes those along that have followed it more often than not. The answers
are the same, in the same order, and one that nobody asks for in the end is dropped.
"""

from dataclasses import dataclass, field
from typing import Protocol

MOST_DIFFERENT = 8  # requests remembered at one place; those that depend on answers differ always
MOST_BYTES = 1 << 15  # sent ahead at once; a socket takes more, so that neither side waits

Asked = tuple[bytes, bytes]
"""A request: its JSON, but for its id, and the bytes of its tensors."""


class Guide(Protocol):
    """Knows what is going to be asked."""

    def after(self, asked: Asked) -> list[Asked]:
        """Note that this was asked; what to send along with it."""


@dataclass
class Plan:
    """A guide that knows it all, such as the cells of a notebook.

    Attributes:
        asked: every request, in order.
    """

    asked: list[Asked]

    def after(self, asked: Asked) -> list[Asked]:
        """What comes next, as far as it fits."""
        if not self.asked or self.asked[0] != asked:
            self.asked = []
        self.asked = self.asked[1:]
        return _fitting(self.asked)


@dataclass
class _Place:
    """A place in a scene: how often it was reached, and what was asked there."""

    visits: int = 0
    following: dict[Asked, "_Place"] = field(default_factory=dict)


class Walk:
    """A guide that goes by what was asked in the same scene before, and remembers it.

    Args:
        start: where the scene begins.
    """

    def __init__(self, start: _Place) -> None:
        self._place = start
        start.visits += 1

    def after(self, asked: Asked) -> list[Asked]:
        """What more than half of those that came by here asked from here on."""
        following = self._place.following
        place = following.get(asked, _Place())
        if len(following) < MOST_DIFFERENT:
            following[asked] = place
        place.visits += 1
        self._place = place
        likely = []
        before = place.visits - 1  # this visit has not gone on yet
        while usual := [each for each in place.following.items() if 2 * each[1].visits > before]:
            ((next_asked, place),) = usual
            likely.append(next_asked)
            before = place.visits
        return _fitting(likely)


class Foresight:
    """What was asked so far, scene by scene; kept for the life of a grading process."""

    def __init__(self) -> None:
        self._scenes: dict[str, _Place] = {}

    def walk(self, scene: str) -> Walk:
        """A guide through a scene: requests that are likely to be the same for every submission."""
        return Walk(self._scenes.setdefault(scene, _Place()))


def _fitting(asked: list[Asked]) -> list[Asked]:
    room, count = MOST_BYTES, 0
    for text, blob in asked:
        room -= len(text) + len(blob)
        if room < 0:
            break
        count += 1
    return asked[:count]
