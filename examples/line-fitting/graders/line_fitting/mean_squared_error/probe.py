"""How to observe answers to mean_squared_error for a diagnosis."""

from typing import Any

import numpy as np

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations


@probe("mean_squared_error")
def observe_mean_squared_error(student: Any) -> Observations:
    """Errors of fixed predictions: few and many, right ones, too high, in float32."""
    draw = Draw(b"probe", "mean_squared_error")
    few, many, misses = draw.array(4), draw.array(9), draw.array(9)
    error = student.mean_squared_error
    return {
        "few": lambda: error(few + np.array([0.3, -1.2, 2.1, 0.4]), few.copy()),
        "many": lambda: error(many + misses, many.copy()),
        "too high": lambda: error(many + 3.0, many.copy()),
        "float32": lambda: error(misses.astype(np.float32), many.astype(np.float32)),
        "changed": lambda: (error(many + misses, many.copy()), student.changed_inputs)[1],
    }
