"""Pictures that move: what a reader may change, and the picture for each choice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Chosen = Mapping[str, Any]
"""A value for each control, by its name."""


class Frame(Protocol):
    """One picture, for one choice of values."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""

    @property
    def says(self) -> str:
        """A sentence or two with what to see, which stand below the picture."""

    @property
    def words(self) -> str:
        """All that the picture shows, in words."""

    def draw(self, figure: "Figure") -> None:
        """Draw it."""


@dataclass(frozen=True)
class Slider:
    """Values in order, to slide through.

    Attributes:
        name: the frame's argument that it sets.
        label: what stands beside it.
        values: numbers, the smallest first.
    """

    name: str
    label: str
    values: tuple[float, ...]

    def text(self, value: Any) -> str:
        """A value as it is shown."""
        return f"{value:g}"


@dataclass(frozen=True)
class Choice:
    """Values that have names, of which one holds.

    Attributes:
        name: the frame's argument that it sets.
        label: what stands beside it.
        values: the names.
    """

    name: str
    label: str
    values: tuple[str, ...]

    def text(self, value: Any) -> str:
        """A value as it is shown."""
        return str(value)


Control = Slider | Choice


@dataclass(frozen=True)
class Moving:
    """A picture that moves.

    Attributes:
        name: what `play` is called with.
        controls: what a reader may change.
        stills: choices that tell the story where nothing can be moved; it starts with the first.
        frame: makes the picture for a value of each control.
    """

    name: str
    controls: tuple[Control, ...]
    stills: tuple[Chosen, ...]
    frame: Callable[..., Frame]

    def told(self, chosen: Chosen) -> str:
        """A choice in words: `width: 64; scores: as they are`."""
        return "; ".join(f"{one.label}: {one.text(chosen[one.name])}" for one in self.controls)


pictures: dict[str, Moving] = {}
"""Every picture that moves by its name; importing an assignment's module adds that one's."""


def moving(
    name: str, *controls: Control, stills: tuple[Chosen, ...]
) -> Callable[[type[Frame]], type[Frame]]:
    """Register a class of frames, whose arguments the controls set, as a picture that moves."""

    def register(frame: type[Frame]) -> type[Frame]:
        pictures[name] = Moving(name, controls, stills, frame)
        return frame

    return register
