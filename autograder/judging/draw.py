"""Hidden inputs: random values seeded from the course secret, which no release tells."""

import functools
import hashlib
import hmac
from typing import Any

import numpy as np

from autograder.checks.kit.values import Array
from autograder.judging.library import library


class Draw:
    """A source of values for one test; the same for every student of a course.

    Args:
        secret: the course secret.
        test: the test's id; two tests draw different values.
    """

    def __init__(self, secret: bytes, test: str) -> None:
        self._generator = np.random.default_rng(_seed(secret, test))

    def normal(
        self,
        *shape: int,
        dtype: Any = None,
        device: str = "cpu",
        scale: float = 1.0,
    ) -> Array:
        """A tensor of independent normal values with mean 0 and standard deviation `scale`.

        It is of float32 when nothing else is said.
        """
        return library().drawn(self._generator.standard_normal(shape) * scale, dtype, device)

    def array(
        self, *shape: int, dtype: np.dtype | type = np.float64, scale: float = 1.0
    ) -> np.ndarray:
        """The same as a NumPy array."""
        return (self._generator.standard_normal(shape) * scale).astype(dtype)

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return int(self._generator.integers(low, high + 1))


@functools.lru_cache(4096)
def _seed(secret: bytes, test: str) -> np.random.SeedSequence:
    """The same for every student, and never changed by those who draw."""
    number = int.from_bytes(hmac.digest(secret, test.encode(), hashlib.sha256)[:8], "big")
    return np.random.SeedSequence(number)
