"""How to observe answers to normal_equation for a diagnosis."""

from typing import Any

import numpy as np

from autograder.checks.kit.errors import StudentError
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.line_fitting.points import points


@probe("normal_equation")
def observe_normal_equation(student: Any) -> Observations:
    """Lines through fixed points: few and many, on a line, all at one x."""
    draw = Draw(b"probe", "normal_equation")
    few, many = points(draw, 4), points(draw, 9)
    on_a_line = many[0], 1.4 * many[0] - 2.3

    def look(given: tuple[np.ndarray, ...]) -> Any:
        return lambda: student.normal_equation(*(one.copy() for one in given))

    def of_equal_x() -> str:
        try:
            found = student.normal_equation(np.full(5, 0.7), many[1][:5].copy())
        except StudentError as error:
            return error.builtin
        return "nothing" if found is None else "accepted"

    return {
        "many": look(many),
        "few": look(few),
        "on a line": look(on_a_line),
        "equal x": of_equal_x,
        "changed": lambda: (look(many)(), student.changed_inputs)[1],
    }
