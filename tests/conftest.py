"""What tests of several rooms share: the course that this repository is."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def course_root() -> Path:
    """The folder of the real course."""
    return ROOT
