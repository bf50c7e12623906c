"""How the points of an exercise are shared among its hidden tests."""

from collections.abc import Sequence


def share(points: float, weights: Sequence[float]) -> list[float]:
    """Split `points` in proportion to `weights`.

    Args:
        points: what the exercise is worth.
        weights: one relative weight a test, each at least 0, not all of them 0.
    Returns:
        one number a test; they add up to `points`.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("an exercise needs a test that carries weight")
    return [points * weight / total for weight in weights]
