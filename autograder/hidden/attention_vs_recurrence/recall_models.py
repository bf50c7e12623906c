"""Hidden graders of 07-attention-vs-recurrence: AttentionRecall and LSTMRecall."""

from typing import Any

import pytest
import torch

import autograder.hidden.attention_vs_recurrence.models_probe  # noqa: F401 - registers the probes
from autograder.hidden.attention_vs_recurrence.lessons import (
    EXAM,
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    lacking,
    logits_of,
    made,
    seeded_by,
    sequences,
    taught,
)
from autograder.hidden.attention_vs_recurrence.model_traits import traits_of
from autograder.judging import Wrong, assert_stays_on_meta, exercise
from autograder.judging.draw import Draw

# After 100 steps on SHORT pairs, eight ways to write the attention answer 0.95 or more of them, and
# 0.93 or more of LONG; a model that goes by the most common value answers 0.55 of SHORT. After as
# many steps on two pairs, six ways to write the LSTM answer 0.97.
SHORT, LONG, LSTM_PAIRS = 4, 13, 2
GOOD_SHORT, GOOD_LONG = 0.9, 0.85


@exercise("AttentionRecall")
@pytest.mark.points(3)
def test_it_learns_to_recall(student: Any, draw: Draw) -> None:
    """Taught on sequences of a few pairs, it answers right on new ones."""
    exam = sequences(draw, EXAM, SHORT)
    if not taught(student, "AttentionRecall", draw, SHORT, exam, GOOD_SHORT):
        raise Wrong("Taught on short sequences, your model does not learn to answer right.")


@exercise("AttentionRecall")
@pytest.mark.points(3)
def test_it_holds_on_longer_sequences(student: Any, draw: Draw) -> None:
    """Taught on sequences of a few pairs, it answers right on sequences three times as long."""
    exam = sequences(draw, EXAM, LONG)
    if not taught(student, "AttentionRecall", draw, SHORT, exam, GOOD_LONG):
        raise Wrong("Taught on short sequences, your model does not answer right on longer ones.")


@exercise("AttentionRecall")
@pytest.mark.points(1)
def test_every_pair_and_the_query_count(student: Any, draw: Draw) -> None:
    """Every pair can change the logits, and it depends on the query how much."""
    _assert_all_count(student, "AttentionRecall", draw)
    if not traits_of(student, "AttentionRecall", draw).query_chooses():
        raise Wrong("How much a pair counts does not depend on the query.")


@exercise("AttentionRecall")
@pytest.mark.points(1)
def test_the_order_of_the_pairs_changes_nothing(student: Any, draw: Draw) -> None:
    """The same pairs in another order give the same logits."""
    if traits_of(student, "AttentionRecall", draw).order_counts():
        raise Wrong("The same pairs in another order give other logits.")


@exercise("AttentionRecall")
@pytest.mark.points(1)
def test_the_pairs_share_one_whole(student: Any, draw: Draw) -> None:
    """With every pair there twice, the logits stay the same: weights are shares of one whole."""
    if not traits_of(student, "AttentionRecall", draw).repeats_cancel():
        raise Wrong("With every pair there twice, the logits are others: the weights sum to more.")


@exercise("AttentionRecall")
@pytest.mark.points(1)
def test_one_row_of_logits_a_sequence(student: Any, draw: Draw) -> None:
    """For any batch and any number of pairs, one logit a value comes back for each sequence."""
    _assert_logits(student, "AttentionRecall", draw)


@exercise("AttentionRecall")
@pytest.mark.points(1)
def test_each_call_and_sequence_by_itself(student: Any, draw: Draw) -> None:
    """Neither other sequences of the batch nor earlier calls change a sequence's logits."""
    _assert_by_itself(student, "AttentionRecall", draw)


@exercise("AttentionRecall")
@pytest.mark.points(0.25)
def test_a_new_model_keeps_its_sizes(student: Any) -> None:
    """A new model has `num_keys` and `num_values` as attributes, and does not seed torch."""
    _assert_made_well(student, "AttentionRecall")


@exercise("AttentionRecall")
@pytest.mark.points(0.25)
def test_nothing_is_tied_to_a_device(student: Any) -> None:
    """Model, tokens and query on one device give logits on that device."""
    model = made(student, "AttentionRecall")
    model.to("meta")
    tokens, query = (torch.empty(s, dtype=torch.int64, device="meta") for s in ((5, 3), (5,)))
    wanted = torch.empty(5, NUM_VALUES, device="meta")
    assert_stays_on_meta(lambda: model(tokens, query), wanted, reading=True)


@exercise("LSTMRecall")
@pytest.mark.points(4)
def test_it_learns_to_recall_two_pairs(student: Any, draw: Draw) -> None:
    """Taught on sequences of two pairs, it answers right on new ones."""
    exam = sequences(draw, EXAM, LSTM_PAIRS)
    if not taught(student, "LSTMRecall", draw, LSTM_PAIRS, exam, GOOD_SHORT):
        raise Wrong("Taught on sequences of two pairs, your model does not learn to answer right.")


@exercise("LSTMRecall")
@pytest.mark.points(1)
def test_it_reads_in_order(student: Any, draw: Draw) -> None:
    """The same pairs in another order give other logits."""
    if not traits_of(student, "LSTMRecall", draw).order_counts():
        raise Wrong("The same pairs in another order give the same logits: nothing is read.")


@exercise("LSTMRecall")
@pytest.mark.points(1)
def test_it_remembers_every_pair(student: Any, draw: Draw) -> None:
    """Every pair, the first one too, can change the logits, and so can the query."""
    _assert_all_count(student, "LSTMRecall", draw)


@exercise("LSTMRecall")
@pytest.mark.points(1)
def test_one_row_of_logits_for_each_sequence(student: Any, draw: Draw) -> None:
    """For any batch and any number of pairs, one logit a value comes back for each sequence."""
    _assert_logits(student, "LSTMRecall", draw)


@exercise("LSTMRecall")
@pytest.mark.points(1)
def test_every_sequence_begins_afresh(student: Any, draw: Draw) -> None:
    """Neither other sequences of the batch nor earlier calls change a sequence's logits."""
    _assert_by_itself(student, "LSTMRecall", draw)


@exercise("LSTMRecall")
@pytest.mark.points(0.25)
def test_a_new_model_knows_its_sizes(student: Any) -> None:
    """A new model has `num_keys` and `num_values` as attributes, and does not seed torch."""
    _assert_made_well(student, "LSTMRecall")


def _assert_logits(student: Any, name: str, draw: Draw) -> None:
    model = made(student, name)
    for batch, pairs in ((5, 3), (1, 4), (3, 1), (2, NUM_KEYS), (3, 3)):
        logits_of(model, sequences(draw, batch, pairs))
    new = logits_of(model, sequences(draw, 6, 3))
    if bool((new >= 0).all()) and bool(((new.sum(1) - 1).abs() < 1e-3).all()):
        raise Wrong("Your logits have been through softmax already: their rows sum to one.")
    small = made(student, name, 5, 7, 12)
    tokens, query = torch.tensor([[0, 34, 20], [8, 16, 33]]), torch.tensor([4, 2])
    logits_of(small, Sequences(tokens, query, query, 7))
    double = made(student, name)
    double.double()
    logits = logits_of(double, sequences(draw, 2, 3))
    if logits.dtype != torch.float64:
        raise Wrong("A model in double precision does not give logits in double precision.")


def _assert_all_count(student: Any, name: str, draw: Draw) -> None:
    traits = traits_of(student, name, draw)
    if not traits.query_counts():
        raise Wrong("Another query gives the same logits.")
    if not traits.keys_count() or not traits.values_count():
        raise Wrong("Some pairs can get another key or value, and the logits stay the same.")


def _assert_by_itself(student: Any, name: str, draw: Draw) -> None:
    traits = traits_of(student, name, draw)
    if not traits.rows_apart():
        raise Wrong("A sequence's logits depend on the other sequences of the batch.")
    if not traits.forgets_calls():
        raise Wrong("The same question gets other logits when it is asked again.")


def _assert_made_well(student: Any, name: str) -> None:
    model = made(student, name)
    missing = [f"`{size}`" for size in ("num_keys", "num_values") if lacking(model, size)]
    if missing:
        raise Wrong(f"Your model keeps no {' and no '.join(missing)}.")
    if seeded_by(student, lambda: made(student, name)):
        raise Wrong("Making your model seeds torch, which changes everyone's random numbers.")
