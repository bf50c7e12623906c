"""Hidden graders of 07-attention-vs-recurrence: AttentionRecall and LSTMRecall."""

from contextlib import suppress
from typing import Any

import pytest
import torch

import graders.attention_vs_recurrence.models.probe  # noqa: F401 - registers the probes
from autograder.checks.kit.errors import StudentError
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from autograder.judging.registry import keep_own
from autograder.tensors.devices import assert_stays_on_meta
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    are_shares,
    assert_not_nothing,
    logits_of,
    made,
    seeded_by,
    sequences,
    taught,
)
from graders.attention_vs_recurrence.models.attention_equation import (
    FAULTS,
    OF_PROJECTIONS,
    attention_fault,
)
from graders.attention_vs_recurrence.models.equations import lstm_computes
from graders.attention_vs_recurrence.models.model_traits import COUNTS, fading, silent, traits_of
from graders.modules import size_of

# After 30 steps on SHORT pairs, eight ways to write the attention answer more than GOOD_SHORT of
# them, and more than GOOD_LONG of LONG; a model that goes by the most common value answers 0.55 of
# SHORT. Six ways to write the LSTM answer more than GOOD_SHORT of two pairs after 40 steps.
SHORT, LONG, LSTM_PAIRS = 4, 13, 2
GOOD_SHORT, GOOD_LONG = 0.9, 0.85

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

keep_own("LSTMRecall", "AttentionRecall", because="it has the same contract")


@exercise("AttentionRecall")
@pytest.mark.points(5, "values")
def test_it_learns_to_recall(student: Any, draw: Draw) -> None:
    """Taught on sequences of a few pairs, it answers right on new ones."""
    exam = sequences(draw, EXAM, SHORT)
    if not taught(student, "AttentionRecall", draw, SHORT, exam, GOOD_SHORT):
        raise Wrong("Taught on short sequences, your model does not learn to answer right.")


@exercise("AttentionRecall")
@pytest.mark.points(5, "generality")
def test_it_holds_on_longer_sequences(student: Any, draw: Draw) -> None:
    """Taught on sequences of a few pairs, it answers right on sequences three times as long."""
    exam = sequences(draw, EXAM, LONG)
    if not taught(student, "AttentionRecall", draw, SHORT, exam, GOOD_LONG):
        raise Wrong("Taught on short sequences, your model does not answer right on longer ones.")


@exercise("AttentionRecall")
@pytest.mark.points(2, "values")
def test_every_pair_and_the_query_count(student: Any, draw: Draw) -> None:
    """Every pair can change the logits, and it depends on the query how much."""
    _assert_all_count(student, "AttentionRecall", draw)
    if not traits_of(student, "AttentionRecall", draw).query_chooses():
        raise Wrong("How much a pair counts does not depend on the query.")


@exercise("AttentionRecall")
@pytest.mark.points(1, "values")
def test_the_order_of_the_pairs_changes_nothing(student: Any, draw: Draw) -> None:
    """The same pairs in another order give the same logits."""
    if traits_of(student, "AttentionRecall", draw).order_counts():
        raise Wrong("The same pairs in another order give other logits.")


@exercise("AttentionRecall")
@pytest.mark.points(5, "values")
def test_the_pairs_share_one_whole(student: Any, draw: Draw) -> None:
    """With every pair there twice, the logits stay the same: they are a mean over the pairs."""
    traits = traits_of(student, "AttentionRecall", draw)
    if not traits.repeats_cancel():
        raise Wrong(
            "With every pair there twice, the logits are others; the pairs should share one whole."
        )
    # Where a pair alone is no answer by itself, or logits are none, another test says so.
    apart = traits.one_pair_has_all_weight() and not traits.order_counts()
    new = logits_of(made(student, "AttentionRecall"), sequences(draw, 4, 3))
    if apart and not are_shares(new) and attention_fault(student, draw) == "no mean":
        raise Wrong(FAULTS["no mean"])


@exercise("AttentionRecall")
@pytest.mark.points(4, "values")
def test_a_pair_alone_gets_all_the_weight(student: Any, draw: Draw) -> None:
    """With one pair, its weight is 1 and the logits are its own, whatever the query is."""
    if not traits_of(student, "AttentionRecall", draw).one_pair_has_all_weight():
        raise Wrong("With one pair alone, the query still changes the logits.")


@exercise("AttentionRecall")
@pytest.mark.points(3, "values")
def test_the_weights_follow_the_equation(student: Any, draw: Draw) -> None:
    """The weights are softmax of q kᵀ / sqrt(d_model), and the values are projections."""
    fault = attention_fault(student, draw)
    if fault is None or fault in OF_PROJECTIONS:
        return
    if fault == "no mean":
        traits = traits_of(student, "AttentionRecall", draw)
        if traits.one_pair_has_all_weight() or traits.repeats_cancel():
            return  # weights that sum to one: what is bent lies elsewhere
    if fault.startswith("other") and _what_is_ignored(student, "AttentionRecall", draw):
        return  # it has cost its marks
    raise Wrong(FAULTS[fault])


@exercise("AttentionRecall")
@pytest.mark.points(1, "values")
def test_every_layer_takes_part(student: Any, draw: Draw) -> None:
    """A gradient reaches every layer, and keys and values have a projection each."""
    _assert_all_take_part(student, "AttentionRecall", draw)
    fault = attention_fault(student, draw)
    if fault in OF_PROJECTIONS:
        raise Wrong(FAULTS[fault])


@exercise("AttentionRecall")
@pytest.mark.points(1, "form")
def test_one_row_of_logits_a_sequence(student: Any, draw: Draw) -> None:
    """For any batch and any number of pairs, one logit a value comes back for each sequence."""
    _assert_logits(student, "AttentionRecall", draw)


@exercise("AttentionRecall")
@pytest.mark.points(1, "generality")
def test_each_call_and_sequence_by_itself(student: Any, draw: Draw) -> None:
    """Neither other sequences of the batch nor earlier calls change a sequence's logits."""
    _assert_by_itself(student, "AttentionRecall", draw)


@exercise("AttentionRecall")
@pytest.mark.points(1, "form")
def test_a_new_model_keeps_its_sizes(student: Any) -> None:
    """A new model has `num_keys` and `num_values` as attributes, and does not seed torch."""
    _assert_made_well(student, "AttentionRecall")


@exercise("AttentionRecall")
@pytest.mark.points(1, "generality")
def test_nothing_is_tied_to_a_device(student: Any) -> None:
    """Model, tokens and query on one device give logits on that device."""
    _assert_on_any_device(student, "AttentionRecall")


@exercise("LSTMRecall")
@pytest.mark.points(4, "values")
def test_it_learns_to_recall_two_pairs(student: Any, draw: Draw) -> None:
    """Taught on sequences of two pairs, it answers right on new ones."""
    exam = sequences(draw, EXAM, LSTM_PAIRS)
    if not taught(student, "LSTMRecall", draw, LSTM_PAIRS, exam, GOOD_SHORT):
        raise Wrong("Taught on sequences of two pairs, your model does not learn to answer right.")


@exercise("LSTMRecall")
@pytest.mark.points(1, "values")
def test_it_reads_in_order(student: Any, draw: Draw) -> None:
    """The same pairs in another order give other logits."""
    if not traits_of(student, "LSTMRecall", draw).order_counts():
        raise Wrong("The same pairs in another order give the same logits: nothing is read.")


@exercise("LSTMRecall")
@pytest.mark.points(1, "values")
def test_it_remembers_every_pair(student: Any, draw: Draw) -> None:
    """Every pair, the first one too, can change the logits, and so can the query."""
    _assert_all_count(student, "LSTMRecall", draw)
    if not traits_of(student, "LSTMRecall", draw).first_of_many_counts():
        raise Wrong("In long sequences the first pair can get another value in vain.")


@exercise("LSTMRecall")
@pytest.mark.points(1, "values")
def test_the_last_state_is_read_after_the_query(student: Any, draw: Draw) -> None:
    """The pairs are read in order, the query last; the logits are made of the last h, by w_o."""
    found = lstm_computes(student, draw)
    if found is not None and found != "equation":
        raise Wrong(COMPUTED[found])
    if traits_of(student, "LSTMRecall", draw).grows_with_embeddings():
        raise Wrong("Something goes past the LSTM to the logits: they grow as embeddings do.")


@exercise("LSTMRecall")
@pytest.mark.points(1, "values")
def test_what_was_read_last_counts_most(student: Any, draw: Draw) -> None:
    """In a model that is not trained, sixty pairs fade the first one, and not the query."""
    first, last, query = fading(student, "LSTMRecall", draw)
    if query < COUNTS:
        raise Wrong("After sixty pairs, the query no longer changes the logits: is it read last?")
    if first > last / 3:
        raise Wrong("The first of sixty pairs changes the logits as much as the last one does.")


@exercise("LSTMRecall")
@pytest.mark.points(0.25, "values")
def test_all_layers_take_part(student: Any, draw: Draw) -> None:
    """A gradient reaches every embedding, the LSTM and the projection."""
    _assert_all_take_part(student, "LSTMRecall", draw)


@exercise("LSTMRecall")
@pytest.mark.points(1, "form")
def test_one_row_of_logits_for_each_sequence(student: Any, draw: Draw) -> None:
    """For any batch and any number of pairs, one logit a value comes back for each sequence."""
    _assert_logits(student, "LSTMRecall", draw)


@exercise("LSTMRecall")
@pytest.mark.points(1, "generality")
def test_every_sequence_begins_afresh(student: Any, draw: Draw) -> None:
    """Neither other sequences of the batch nor earlier calls change a sequence's logits."""
    _assert_by_itself(student, "LSTMRecall", draw)


@exercise("LSTMRecall")
@pytest.mark.points(0.5, "generality")
def test_the_states_are_tied_to_no_device(student: Any) -> None:
    """Model, tokens and query on one device give logits on that device."""
    _assert_on_any_device(student, "LSTMRecall")


@exercise("LSTMRecall")
@pytest.mark.points(0.25, "form")
def test_a_new_model_knows_its_sizes(student: Any) -> None:
    """A new model has `num_keys` and `num_values` as attributes, and does not seed torch."""
    _assert_made_well(student, "LSTMRecall")


def _assert_on_any_device(student: Any, name: str) -> None:
    def logits(device: str) -> object:
        model = made(student, name)
        model.to(device)
        return model(*(torch.ones(s, dtype=torch.int64, device=device) for s in ((5, 3), (5,))))

    assert_stays_on_meta(logits, reading=True)


def _assert_logits(student: Any, name: str, draw: Draw) -> None:
    model = made(student, name)
    for batch, pairs in ((5, 3), (1, 4), (3, 1), (2, NUM_KEYS), (3, 3)):
        logits_of(model, sequences(draw, batch, pairs))
    new = logits_of(model, sequences(draw, 6, 3))
    if are_shares(new):
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
    ignored = _what_is_ignored(student, name, draw)
    if ignored:
        raise Wrong(ignored)


def _what_is_ignored(student: Any, name: str, draw: Draw) -> str | None:
    """A symptom, where the query or some pair changes nothing."""
    traits = traits_of(student, name, draw)
    if not traits.query_counts():
        return "Another query gives the same logits."
    if not traits.keys_count() or not traits.values_count():
        return "Some pairs can get another key or value, and the logits stay the same."
    return None


def _assert_all_take_part(student: Any, name: str, draw: Draw) -> None:
    if any(silent(student, name, draw)):
        raise Wrong("No gradient reaches some of your layers: they are not used, or cut off.")


def _assert_by_itself(student: Any, name: str, draw: Draw) -> None:
    traits = traits_of(student, name, draw)
    if not traits.rows_apart():
        raise Wrong("A sequence's logits depend on the other sequences of the batch.")
    if not traits.forgets_calls():
        raise Wrong("The same question gets other logits when it is asked again.")


def _assert_made_well(student: Any, name: str) -> None:
    model = made(student, name)
    with suppress(StudentError):  # that it stops is not what is asked here
        found = model(torch.zeros(2, 3, dtype=torch.int64), torch.tensor([1, 0]))
        assert_not_nothing(found, "model")
    for size, given in (("num_keys", NUM_KEYS), ("num_values", NUM_VALUES)):
        kept = size_of(model, size)
        if kept is None:
            raise Wrong(f"Your model keeps no `{size}`.")
        if kept != given:
            raise Wrong(f"Your model's `{size}` is another number than it was made with.")
    if seeded_by(student, lambda: made(student, name)):
        raise Wrong("Making your model seeds torch, which changes everyone's random numbers.")
