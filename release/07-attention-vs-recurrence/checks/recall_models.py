"""Visible checks of 07-attention-vs-recurrence: AttentionRecall and LSTMRecall."""

from typing import Any

import torch
from torch import Tensor

from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import Mismatch, exercise, expect, same
from checks.kit.local_student import LocalModule, LocalStudent
from checks.kit.pictures import Bars

_KEYS, _VALUES, _WIDTH = 9, 4, 16
# Three sequences of four pairs: the keys 0 1 2 3, 4 5 6 7 and 8 0 5 3, with values 0 to 3.
_TOKENS = torch.tensor([[0, 5, 10, 15], [17, 20, 27, 30], [35, 2, 21, 12]])
_QUERY = torch.tensor([2, 4, 3])
_FORM = "(batch, num_values)"
_PLACES = 8


@example(
    "AttentionRecall",
    picture=Bars(
        "AttentionRecall, new: how much each pair moves the logits",
        tuple(f"pair {place}" for place in range(_PLACES)),
        "pair exchanged",
        "change of the logits",
    ),
)
def influence_of_pairs_on_attention(student: LocalStudent) -> Tensor:
    """By how much a new model's logits change, on average, when one of eight pairs is exchanged."""
    return _influence(student, "AttentionRecall")


@example(
    "LSTMRecall",
    picture=Bars(
        "LSTMRecall, new: how much each pair moves the logits",
        tuple(f"pair {place}" for place in range(_PLACES)),
        "pair exchanged",
        "change of the logits",
    ),
)
def influence_of_pairs_on_an_lstm(student: LocalStudent) -> Tensor:
    """By how much a new model's logits change, on average, when one of eight pairs is exchanged."""
    return _influence(student, "LSTMRecall")


@exercise("AttentionRecall")
def test_logits_for_three_sequences(student: LocalStudent) -> None:
    """Three sequences, four values: logits of the shape (3, 4); one pair or nine are fine, too."""
    _expect_logits(student, "AttentionRecall")


@exercise("AttentionRecall")
def test_the_order_changes_nothing(student: LocalStudent) -> None:
    """The same pairs, last to first, give the same logits."""
    model = _new(student, "AttentionRecall")
    before, after = model(_TOKENS.clone(), _QUERY.clone()), model(_TOKENS.flip(1), _QUERY.clone())
    _expect_tensor(before)
    says = "With the pairs in another order the logits differ. Is there something about positions?"
    expect(after, before, _FORM, lambda _: says)


@exercise("AttentionRecall")
def test_every_pair_twice(student: LocalStudent) -> None:
    """With every pair there twice, the logits stay the same: each half gets half the weight."""
    model = _new(student, "AttentionRecall")
    before = model(_TOKENS.clone(), _QUERY.clone())
    _expect_tensor(before)
    says = "With every pair there twice the logits differ. What do a query's weights sum to?"
    expect(model(_TOKENS.repeat(1, 2), _QUERY.clone()), before, _FORM, lambda _: says)


@exercise("AttentionRecall")
def test_one_pair_has_all_the_weight(student: LocalStudent) -> None:
    """With one pair, another query gives the same logits: whatever is asked, its weight is 1."""
    model = _new(student, "AttentionRecall")
    before, after = (model(_TOKENS[:, :1].clone(), query) for query in (_QUERY, _QUERY + 1))
    _expect_tensor(before)
    says = "A lone pair has the weight 1 for any query. Does the query reach the logits otherwise?"
    expect(after, before, _FORM, lambda _: says)


@exercise("AttentionRecall")
def test_query_and_pairs_count(student: LocalStudent) -> None:
    """Another query, another key or another value changes the logits of that sequence alone."""
    _expect_counting(student, "AttentionRecall")


@exercise("AttentionRecall")
def test_gradients_reach_the_parameters(student: LocalStudent) -> None:
    """Every parameter gets a gradient, so that it can learn."""
    _expect_gradients(student, "AttentionRecall")


@exercise("LSTMRecall")
def test_logits_of_three_sequences(student: LocalStudent) -> None:
    """Three sequences, four values: logits of the shape (3, 4); one pair or nine are fine, too."""
    _expect_logits(student, "LSTMRecall")


@exercise("LSTMRecall")
def test_the_order_is_read(student: LocalStudent) -> None:
    """The same pairs, last to first, give other logits: an LSTM reads one after the other."""
    model = _new(student, "LSTMRecall")
    before, after = model(_TOKENS.clone(), _QUERY.clone()), model(_TOKENS.flip(1), _QUERY.clone())
    _expect_tensor(before)
    if isinstance(after, Tensor) and same(after.numpy(), before.numpy()):
        says = "In another order the logits are the same. Does a state go from step to step?"
        raise Mismatch("the same logits", "other logits", says)


@exercise("LSTMRecall")
def test_all_that_is_read_goes_through_the_state(student: LocalStudent) -> None:
    """With embeddings 10,000 times larger, logits stay small: no number in h is above 1."""
    model = _new(student, "LSTMRecall")
    rows = {_KEYS, _KEYS * _VALUES, _KEYS * (_VALUES + 1)}
    tables = model.state_dict()
    large = {name: 1e4 * table for name, table in tables.items() if rows & set(table.shape)}
    model.load_state_dict(large, strict=False)
    logits = model(_TOKENS.clone(), _QUERY.clone())
    _expect_tensor(logits)
    if bool((logits.abs() > 100).any()):
        says = "Something goes past the LSTM to the logits. Is the query the last step it reads?"
        raise Mismatch("logits as large as the embeddings", "logits made of h alone", says)


@exercise("LSTMRecall")
def test_pairs_and_query_count(student: LocalStudent) -> None:
    """Another query, another key or another value changes the logits of that sequence alone."""
    _expect_counting(student, "LSTMRecall")


@exercise("LSTMRecall")
def test_gradients_reach_all_parameters(student: LocalStudent) -> None:
    """Every parameter gets a gradient, so that it can learn."""
    _expect_gradients(student, "LSTMRecall")


def _new(student: LocalStudent, name: str) -> LocalModule:
    """A new model of the student's, the same every time."""
    student.seed(0)
    model = getattr(student, name)(_KEYS, _VALUES, _WIDTH)
    if not isinstance(model, LocalModule):
        says = f"{name} must stay a class made from nn.Module."
        raise Mismatch(form_text(model), "a module", says)
    return model


def _expect_logits(student: LocalStudent, name: str) -> None:
    model = _new(student, name)
    for size in ("num_keys", "num_values"):
        if not hasattr(model.module, size):
            says = f"Training needs `model.{size}`: keep it in __init__."
            raise Mismatch(f"no attribute {size}", f"an attribute {size}", says)
    for batch, pairs in ((3, 4), (3, 1), (1, 9)):
        logits = model(torch.arange(pairs).repeat(batch, 1) * _VALUES, _QUERY[:batch].clone())
        _expect_tensor(logits)
        expect(logits, torch.zeros_like(logits) + logits, _FORM)
        if tuple(logits.shape) != (batch, _VALUES):
            says = f"One logit a value is wanted for each sequence: {_FORM}."
            raise Mismatch(form_text(logits), f"shape {(batch, _VALUES)}", says)
    if bool((logits >= 0).all()) and abs(float(logits.sum()) - 1) < 1e-3:
        says = "The logits sum to 1 already. Softmax belongs to the loss, not to the model."
        raise Mismatch(None, "logits before softmax", says)


def _expect_counting(student: LocalStudent, name: str) -> None:
    model = _new(student, name)
    before = model(_TOKENS.clone(), _QUERY.clone())
    _expect_tensor(before)
    query, keys, values = _QUERY.clone(), _TOKENS.clone(), _TOKENS.clone()
    query[1] = 7
    keys[1, 0] += 3 * _VALUES  # key 4 becomes key 7
    values[1, 0] += 1
    for what, logits in (
        ("another query", model(_TOKENS.clone(), query)),
        ("another key in pair 0", model(keys, _QUERY.clone())),
        ("another value in pair 0", model(values, _QUERY.clone())),
    ):
        _expect_tensor(logits)
        changed = [bool((logits[row] - before[row]).abs().max() > 1e-6) for row in range(3)]
        if not changed[1]:
            says = f"Sequence 1 got {what}, and its logits stayed the same. Is that used at all?"
            raise Mismatch("the same logits", "other logits for sequence 1", says)
        if changed[0] or changed[2]:
            says = f"Sequence 1 got {what}, and another sequence's logits changed. Kept apart?"
            raise Mismatch("other logits elsewhere", "other logits for sequence 1 alone", says)


def _expect_gradients(student: LocalStudent, name: str) -> None:
    model = _new(student, name)
    upstream = torch.ones(3, _VALUES).cumsum(1)
    found = student.grad(model, _TOKENS.clone(), _QUERY.clone(), upstream=upstream).parameters
    missing = [key for key, gradient in found.items() if gradient is None]
    if not found:
        says = "The model has no parameters. Layers are found when they are attributes of self."
        raise Mismatch("no parameters", "parameters with gradients", says)
    if missing:
        says = f"No gradient reaches {', '.join(missing)}. Are they used, and is nothing cut off?"
        raise Mismatch("parameters without gradient", "a gradient for every parameter", says)


def _expect_tensor(logits: Any) -> None:
    if not isinstance(logits, Tensor) or logits.ndim != 2:
        says = "The model returns one tensor: a row of logits for each sequence."
        raise Mismatch(form_text(logits), f"one tensor: {_FORM}", says)


def _influence(student: LocalStudent, name: str) -> Tensor:
    """The mean size of what exchanging each pair does to the logits, over 64 sequences."""
    student.seed(0)
    model = getattr(student, name)(20, 4, 32)
    numbers = torch.Generator().manual_seed(1)
    keys = torch.rand(64, 20, generator=numbers).argsort(1)[:, : _PLACES + 1]
    tokens, spare = (keys * 4).split([_PLACES, 1], dim=1)
    query = keys[:, _PLACES - 1].clone()
    before = model(tokens.clone(), query.clone())
    changes = []
    for place in range(_PLACES):
        exchanged = tokens.clone()
        exchanged[:, place : place + 1] = spare
        changes.append((model(exchanged, query.clone()) - before).norm(dim=1).mean())
    return torch.stack(changes)
