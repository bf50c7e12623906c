"""Public examples: inputs that all may see, and the picture that the student's own result draws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from .chart import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Picture(Protocol):
    """Draws a result and tells it as data and in words; never raises, whatever the result is."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure in inches."""

    def chart(self, result: Any) -> Chart:
        """The picture as data, or why the result cannot be drawn."""

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the result, or say in the axes why it cannot be drawn."""


@dataclass(frozen=True)
class Example:
    """The public example of one exercise.

    Attributes:
        exercise: the exercise's name.
        run: calls the student's code on the public inputs; gives a tensor or an array of at most a
            few hundred numbers when the code is right.
        picture: draws that result.
    """

    exercise: str
    run: Callable[[Any], Any]
    picture: Picture

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the student's result; a wrong shape or NaN is drawn or named, never an error."""
        self.picture.draw(result, ax)

    def alt(self, result: Any) -> str:
        """The picture of this very result in words."""
        return self.picture.chart(result).words


examples: dict[str, Example] = {}
"""Every public example by its exercise; importing an assignment's module adds that one's."""


def example(
    exercise: str, picture: Picture
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a function of the `student` as the public example of an exercise."""

    def register(run: Callable[[Any], Any]) -> Callable[[Any], Any]:
        examples[exercise] = Example(exercise, run, picture)
        return run

    return register
