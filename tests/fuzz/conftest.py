"""Says from which seed the fuzz tests draw, and how many cases each ran."""

from collections.abc import Callable, Iterator

import pytest
import trying


def pytest_report_header() -> list[str]:
    """Name the seed of a long run."""
    return [] if trying.FACTOR == 1 else [f"fuzz: FUZZ={trying.FACTOR} FUZZ_SEED={trying.SEED}"]


@pytest.fixture(autouse=True)
def fuzz_cases(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Tell how many cases a test ran; the summary adds them up."""
    before = trying.ran
    yield
    record_property("fuzz cases", trying.ran - before)
