"""The time that a submission has in all; it runs only while its code is waited for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Budget:
    """Seconds left to a submission.

    Attributes:
        total: seconds it had at first.
        left: seconds it still has.
    """

    def __init__(self, seconds: float) -> None:
        self.total = self.left = seconds

    @contextmanager
    def running(self, at_most: float) -> Iterator[None]:
        """Count the time spent inside, but for what a busy machine adds to `at_most` seconds."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.left = max(0.0, self.left - min(at_most, time.monotonic() - start))
