"""Makes the marker of visible checks known, so that their modules can be imported here."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker that running.py registers for its own runs."""
    config.addinivalue_line("markers", "exercise(name): the exercise that a check belongs to")
