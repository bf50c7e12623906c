"""Scores whose shares cover several orders of magnitude."""

import numpy as np

from autograder.judging.draw import Draw


def steps(draw: Draw) -> np.ndarray:
    """Rows of scores half a unit apart, so that some shares are a few millionths, in any order."""
    steps = -0.5 * np.arange(29) + 0.1 * draw.array(3, 29)
    return np.roll(steps, draw.integer(1, 28), axis=-1)
