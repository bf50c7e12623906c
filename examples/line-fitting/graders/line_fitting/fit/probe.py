"""How to observe answers to fit for a diagnosis."""

from typing import Any

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.line_fitting.points import points


@probe("fit")
def observe_fit(student: Any) -> Observations:
    """Fits of fixed points: no step, one, several, many, and few points."""
    draw = Draw(b"probe", "fit")
    few, many = points(draw, 4), points(draw, 9)

    def look(given: tuple[Any, ...], rate: float, steps: int) -> Any:
        return lambda: student.fit(*(one.copy() for one in given), rate, steps)

    return {
        "one step": look(many, 0.05, 1),
        "several steps": look(many, 0.08, 7),
        "no step": look(many, 0.05, 0),
        "few points": look(few, 0.03, 5),
        "many steps": look(many, 0.1, 60),
        "changed": lambda: (look(many, 0.05, 2)(), student.changed_inputs)[1],
    }
