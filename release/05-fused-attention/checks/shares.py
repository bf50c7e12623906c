"""What pictures that move compute weights with, and the colours that they share."""

import numpy as np

BLUE, ORANGE, GREY = "#3f7fbf", "#d0760a", "#888888"
"""Each can be seen on a white page and on a black one."""


def shares(scores: np.ndarray) -> np.ndarray:
    """Each score's share of one whole along the last axis; that of minus infinity is 0.

    One share is 1 / (the sum of e^(another score - its own)).

    Args:
        scores: (..., keys).
    """
    told = np.where(np.isneginf(scores), -1e300, scores)
    with np.errstate(over="ignore"):
        rivals = np.exp(told[..., None, :] - told[..., :, None]).sum(axis=-1)
    return np.where(np.isneginf(scores), 0.0, 1 / rivals)
