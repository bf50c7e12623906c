"""What tests at every shape share: what Hypothesis draws, and all right answers to an exercise."""

import functools

import pytest
import torch
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from autograder.bank import variants
from autograder.judging import assert_matches, expected
from autograder.judging.answers import reference_source, solution_module, source_of, student_with
from autograder.judging.draw import Draw

# Derandomized: the same shapes on every run and every machine, so that no run depends on luck.
EXAMPLES = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
DRAWS = st.integers(0, 10**6).map(lambda seed: Draw(b"shapes", str(seed)))
LEADS = st.lists(st.integers(1, 3), max_size=2).map(tuple)
SIZES = st.integers(2, 7)


@functools.cache
def answers(exercise):
    """The reference and every right variant of an exercise, by name."""
    sources = {"reference": reference_source(exercise)}
    sources |= {entry.name: source_of(entry) for entry in variants(exercise)}
    return {name: student_with(exercise, source) for name, source in sources.items()}


def of(exercise):
    """Run a test for the reference and every right variant of an exercise."""
    return pytest.mark.parametrize("name", answers(exercise))


def right(exercise, found, *args):
    assert_matches(found, expected(getattr(solution_module(exercise), exercise), *args))


def wide(draw, *shape):
    return draw.normal(*shape, dtype=torch.float64)


def few_digits(draw, *shape):
    """Numbers that float32 holds exactly, with a few hundred added to them, too."""
    return (64 * wide(draw, *shape)).round() / 64
