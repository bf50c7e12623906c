"""Hidden graders of 07-attention-vs-recurrence: AttentionRecall and LSTMRecall."""

from typing import Any

import pytest
import torch

import autograder.hidden.attention_vs_recurrence.models_probe  # noqa: F401 - registers the probes
from autograder.hidden.attention_vs_recurrence.equations import lstm_computes, wrong_scale
from autograder.hidden.attention_vs_recurrence.lessons import (
    EXAM,
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    logits_of,
    made,
    seeded_by,
    sequences,
    size_of,
    taught,
)
from autograder.hidden.attention_vs_recurrence.model_traits import COUNTS, fading, traits_of
from autograder.judging import Wrong, assert_stays_on_meta, exercise
from autograder.judging.draw import Draw

# After 30 steps on SHORT pairs, eight ways to write the attention answer more than GOOD_SHORT of
# them, and more than GOOD_LONG of LONG; a model that goes by the most common value answers 0.55 of
# SHORT. Six ways to write the LSTM answer more than GOOD_SHORT of two pairs after 40 steps.
SHORT, LONG, LSTM_PAIRS = 4, 13, 2
GOOD_SHORT, GOOD_LONG = 0.9, 0.85

SCALED = {
    "none": "they are not divided at all",
    "no root": "they are divided by d_model itself",
    "upside down": "they are multiplied",
}
COMPUTED = {
    "both directions": "Your LSTM reads in both directions; in order was asked for.",
    "GRU": "Your model holds a GRU; an LSTM was asked for.",
    "another width": "The state of your LSTM is not d_model wide.",
    "RNN": "Your model holds a plain recurrence without gates; an LSTM was asked for.",
    "cell state": "Your logits are made of the cell state c; h was asked for.",
    "mean of the states": "Your logits are made of the mean of all states, not of the last.",
    "largest of the states": "Your logits are made of the largest of all states, not of the last.",
    "query first": "The query is read first; it should be the last step.",
    "pairs backwards": "The pairs are read from the last to the first.",
    "all backwards": "The query is read first and the pairs backwards; the query comes last.",
    "query added": "The query is added to every pair; it should be a step of its own, the last.",
    "something else": "With your own parameters, the text's equation gives other logits.",
}


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
        raise Wrong(
            "With every pair there twice, the logits are others; the pairs should share one whole."
        )


@exercise("AttentionRecall")
@pytest.mark.points(1)
def test_a_pair_alone_gets_all_the_weight(student: Any, draw: Draw) -> None:
    """With one pair, its weight is 1 and the logits are its own, whatever the query is."""
    if not traits_of(student, "AttentionRecall", draw).one_pair_has_all_weight():
        raise Wrong("With one pair alone, the query still changes the logits.")


@exercise("AttentionRecall")
@pytest.mark.points(0.5)
def test_scores_are_divided_by_the_root_of_the_width(student: Any, draw: Draw) -> None:
    """Scores are divided by sqrt(d_model) before softmax."""
    scale = wrong_scale(student, draw)
    if scale is not None:
        raise Wrong(f"Your scores are not divided by sqrt(d_model): {SCALED[scale]}.")


@exercise("AttentionRecall")
@pytest.mark.points(0.5)
def test_every_layer_takes_part(student: Any, draw: Draw) -> None:
    """A gradient reaches every embedding and every projection that the model holds."""
    _assert_all_take_part(student, "AttentionRecall", draw)


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
def test_the_last_state_is_read_after_the_query(student: Any, draw: Draw) -> None:
    """The pairs are read in order, the query last; the logits are made of the last h, by w_o."""
    found = lstm_computes(student, draw)
    if found is not None and found != "equation":
        raise Wrong(COMPUTED[found])


@exercise("LSTMRecall")
@pytest.mark.points(1)
def test_what_was_read_last_counts_most(student: Any, draw: Draw) -> None:
    """In a model that is not trained, sixty pairs fade the first one, and not the query."""
    first, last, query = fading(student, "LSTMRecall", draw)
    if query < COUNTS:
        raise Wrong("After sixty pairs, the query no longer changes the logits: is it read last?")
    if first > last / 3:
        raise Wrong("The first of sixty pairs changes the logits as much as the last one does.")


@exercise("LSTMRecall")
@pytest.mark.points(0.25)
def test_all_layers_take_part(student: Any, draw: Draw) -> None:
    """A gradient reaches every embedding, the LSTM and the projection."""
    _assert_all_take_part(student, "LSTMRecall", draw)


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


def _assert_all_take_part(student: Any, name: str, draw: Draw) -> None:
    asked, model = sequences(draw, 8, 3), made(student, name)
    upstream = torch.ones(8, NUM_VALUES).cumsum(1)
    found = student.grad(model, asked.tokens, asked.query, upstream=upstream).parameters
    if any(gradient is None for gradient in found.values()):
        raise Wrong("No gradient reaches some of your layers: they are not used, or cut off.")


def _assert_by_itself(student: Any, name: str, draw: Draw) -> None:
    traits = traits_of(student, name, draw)
    if not traits.rows_apart():
        raise Wrong("A sequence's logits depend on the other sequences of the batch.")
    if not traits.forgets_calls():
        raise Wrong("The same question gets other logits when it is asked again.")


def _assert_made_well(student: Any, name: str) -> None:
    model = made(student, name)
    for size, given in (("num_keys", NUM_KEYS), ("num_values", NUM_VALUES)):
        kept = size_of(model, size)
        if kept is None:
            raise Wrong(f"Your model keeps no `{size}`.")
        if kept != given:
            raise Wrong(f"Your model's `{size}` is another number than it was made with.")
    if seeded_by(student, lambda: made(student, name)):
        raise Wrong("Making your model seeds torch, which changes everyone's random numbers.")
