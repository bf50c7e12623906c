"""How to observe answers to predict for a diagnosis."""

from typing import Any

import numpy as np

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations


@probe("predict")
def observe_predict(student: Any) -> Observations:
    """Predictions of fixed lines: few points and many, level, in float32."""
    draw = Draw(b"probe", "predict")
    few, many = draw.array(4), draw.array(9)
    return {
        "few": lambda: student.predict(few.copy(), 1.3, -4.1),
        "many": lambda: student.predict(many.copy(), -2.2, 0.7),
        "level": lambda: student.predict(many.copy(), 0.0, 2.6),
        "float32": lambda: student.predict(many.astype(np.float32), 1.3, -4.1),
        "changed": lambda: (student.predict(many.copy(), 1.3, -4.1), student.changed_inputs)[1],
    }
