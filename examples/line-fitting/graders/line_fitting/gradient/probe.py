"""How to observe answers to gradient for a diagnosis."""

from typing import Any

import numpy as np

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations


@probe("gradient")
def observe_gradient(student: Any) -> Observations:
    """Gradients of fixed lines: few points and many, flat, through zero, in float32."""
    draw = Draw(b"probe", "gradient")
    few, many = (draw.array(4) + 0.5, draw.array(4)), (draw.array(9) - 0.7, draw.array(9))
    single = tuple(one.astype(np.float32) for one in many)

    def look(given: tuple[np.ndarray, ...], slope: float, intercept: float) -> Any:
        return lambda: student.gradient(*(one.copy() for one in given), slope, intercept)

    return {
        "few": look(few, 1.3, -4.1),
        "many": look(many, -2.2, 0.7),
        "flat": look(many, 0.0, 2.6),
        "through zero": look(many, 1.9, 0.0),
        "float32": look(single, 1.3, -4.1),
        "changed": lambda: (look(many, 1.3, -4.1)(), student.changed_inputs)[1],
    }
