"""Stand-ins for arrays that no grader can compute with.

Their form can be read, so that a test of form says what it sees. Whatever else is asked of them
fails the claim that asks.
"""

from typing import Any, NoReturn

import numpy as np

from autograder.judging.assertions import Wrong


class RefusedArray(np.ndarray):
    """An array that can be looked at, and not computed with.

    Attributes:
        symptom: why, in words for the student.
    """

    symptom = "Your array cannot be computed with."  # of a part of it

    def __array_ufunc__(self, *_: Any, **__: Any) -> NoReturn:
        """Fail the claim that computes with it."""
        raise Wrong(self.symptom)

    __array_function__ = __array_ufunc__


def refused_array(array: np.ndarray, symptom: str) -> RefusedArray:
    """The stand-in for an array.

    Args:
        array: what the student's code gave.
        symptom: why it is refused.
    """
    stand_in = array.view(RefusedArray)
    stand_in.symptom = symptom
    return stand_in
