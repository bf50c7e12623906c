"""What a visible check says of one number."""

import numpy as np
import pytest

from autograder.checks.kit.expectation import Mismatch, expect_number


@pytest.mark.parametrize("right", [0.5, np.float32(0.5), np.array(0.5)])
def test_any_kind_of_number_will_do(right):
    expect_number(right, 0.5, "the error")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (0.25, "This is half of it"),
        (0.75, "This is another number than the error"),
        (None, "Nothing came back"),
        (np.array([0.5]), "One number is wanted here: the error"),
        ("0.5", "One number is wanted here: the error"),
    ],
)
def test_what_is_wrong_is_said(wrong, says):
    def half(found):
        return "This is half of it." if found == 0.25 else None

    with pytest.raises(Mismatch, match=says):
        expect_number(wrong, 0.5, "the error", half)
