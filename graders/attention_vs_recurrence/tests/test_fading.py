"""How far a long sequence fades in a model that is not trained, over many draws of it."""

import pytest
import torch

import graders.attention_vs_recurrence.models.probe  # noqa: F401 - registers the probes
from autograder.bank import mistakes, variants
from autograder.judging.answers import source_of, student_with
from autograder.judging.draw import Draw
from graders.attention_vs_recurrence.models.model_traits import COUNTS, fading

DRAWS = 150  # one draw in seventy or so was too wide for gates that begin open
FADE_OTHERWISE = ("mean-of-all-states", "largest-of-all-states", "pairs-read-backwards")


def drawn(entry, draws):
    """By how much the first pair, the last one and the query change the logits; draw by draw."""
    student = student_with(entry.exercise, source_of(entry))
    torch.manual_seed(0)  # biases are as the model begins with them
    for place in range(draws):
        yield fading(student, entry.exercise, Draw(b"a secret", str(place)))


@pytest.mark.parametrize("variant", variants("LSTMRecall"), ids=lambda one: one.name)
def test_a_right_lstm_forgets_the_first_of_sixty_pairs_whatever_is_drawn(variant):
    for first, last, query in drawn(variant, DRAWS):
        assert query > COUNTS
        assert first < last / 20


@pytest.mark.parametrize("slug", FADE_OTHERWISE)
def test_what_reads_otherwise_does_not(slug):
    mistake = next(one for one in mistakes("LSTMRecall") if one.slug == slug)
    assert all(first > last / 2 for first, last, _ in drawn(mistake, 20))
