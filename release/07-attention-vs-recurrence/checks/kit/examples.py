"""Public examples: inputs that all may see, and the picture that the student's own result draws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from .chart import Chart


class Picture(Protocol):
    """Tells a result as data and in words; never raises, whatever the result is."""

    def chart(self, result: Any) -> Chart:
        """The picture as data, or why the result cannot be drawn."""


@dataclass(frozen=True)
class Example:
    """The public example of one exercise.

    Attributes:
        exercise: the exercise's name.
        run: calls the student's code on the public inputs; gives a tensor or an array of at most a
            few hundred numbers when the code is right.
        picture: tells how that result is drawn.
    """

    exercise: str
    run: Callable[[Any], Any]
    picture: Picture


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
