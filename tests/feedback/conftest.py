"""A stand-in for an assignment's checks, so that these tests need no curriculum."""

import sys

import pytest
from samples import EXAMPLE, MODULE, VERDICTS, sample_module

from autograder.checks import discovery
from autograder.feedback import picture


@pytest.fixture(autouse=True)
def sample_assignment(monkeypatch):
    monkeypatch.setitem(sys.modules, f"autograder.checks.{MODULE}", sample_module())
    registered = {"attention_weights": EXAMPLE, VERDICTS["hostile"].exercise: EXAMPLE}
    monkeypatch.setattr(discovery, "examples", registered)
    picture._draw.cache_clear()
    yield
    picture._draw.cache_clear()
