"""Visible checks of 07-attention-vs-recurrence; models and runs have files of their own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from checks import recall_models, recall_runs
from checks.kit.chart import Chart
from checks.kit.describing import form_text, numbers_of
from checks.kit.examples import example
from checks.kit.expectation import Mismatch, exercise, expect_value_error
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Bars, refused

_KEYS, _VALUES = 9, 4
_LENGTHS = (4096, 8192, 16384, 32768)


@dataclass(frozen=True)
class PairTable:
    """Sequences of pairs, one a row, with the pair that is asked for and its answer.

    A result is a table: the tokens, then the query, then the answer.

    Attributes:
        title: the call that is shown.
        num_values: how many values there are; a token is key · num_values + value.
    """

    title: str
    num_values: int

    def chart(self, result: Any) -> Chart:
        """Every sequence; the pair whose key is asked for is framed."""
        table = self._table(result)
        if table is None:
            return refused(result, self.title)
        texts: list[tuple[str, ...]] = []
        frames: list[tuple[float, ...]] = []
        told: list[str] = []
        for row, (*tokens, query, answer) in enumerate(table.tolist()):
            pairs = [self._pair(token) for token in tokens]
            texts.append((*pairs, f"k{query}, v{answer}"))
            frames.append((*(float(token // self.num_values == query) for token in tokens), 0.0))
            told.append(f"row {row}: {', '.join(pairs)}; k{query} asked, answer v{answer}")
        return Chart(
            self.title,
            f"Table: {self.title}; k3 v1 is key 3 with value 1. {'; '.join(told)}.",
            kind="frames",
            texts=tuple(texts),
            shades=tuple(frames),
            rows=tuple(f"row {row}" for row in range(len(texts))),
            columns=(*(f"pair {place}" for place in range(len(texts[0]) - 1)), "asked, and answer"),
        )

    def _table(self, result: Any) -> np.ndarray | None:
        numbers = numbers_of(result)
        if numbers is None or numbers.ndim != 2 or not 3 <= numbers.shape[1] <= 12:
            return None
        whole = np.isfinite(numbers).all() and (np.abs(numbers) < 1e6).all()
        return numbers.astype(np.int64) if whole and 0 < len(numbers) <= 12 else None

    def _pair(self, token: int) -> str:
        return f"k{token // self.num_values} v{token % self.num_values}"


@example(
    "attention_cost",
    picture=Bars(
        "Scores of 32 heads in bfloat16",
        tuple(f"{length:,}" for length in _LENGTHS),
        "tokens",
        "GiB",
    ),
)
def scores_of_long_sequences(student: LocalStudent) -> np.ndarray:
    """The memory that the scores of 32 heads take, for four lengths, in GiB."""
    costs = [student.attention_cost(length, 4096, 32, torch.bfloat16) for length in _LENGTHS]
    return np.array([cost["score_bytes"] / 2**30 for cost in costs])


@example("recall_batch", picture=PairTable("recall_batch(5, 4, 9, 4, seed=1)", _VALUES))
def five_sequences(student: LocalStudent) -> Tensor:
    """Five sequences of four pairs, with queries and answers, as one table."""
    tokens, query, answer = student.recall_batch(5, 4, _KEYS, _VALUES, 1)
    return torch.cat([tokens, query[:, None], answer[:, None]], dim=1)


@exercise("attention_cost")
def test_four_tokens_by_hand(student: LocalStudent) -> None:
    """Four tokens, width 6, two heads: 4·4·6 = 96 multiply-adds a product; two 4x4 tables."""
    found = student.attention_cost(4, 6, 2, torch.float32)
    _expect_costs(found, {"flops": 384, "score_bytes": 128})


@exercise("attention_cost")
def test_the_dtype_changes_the_bytes_alone(student: LocalStudent) -> None:
    """In bfloat16, a score takes two bytes; the arithmetic stays the same."""
    found = student.attention_cost(4, 6, 2, torch.bfloat16)
    _expect_costs(found, {"flops": 384, "score_bytes": 64})


@exercise("attention_cost")
def test_twice_as_long_costs_four_times(student: LocalStudent) -> None:
    """Twice the tokens take four times the arithmetic and four times the memory."""
    found = student.attention_cost(8, 6, 2, torch.float32)
    _expect_costs(found, {"flops": 1536, "score_bytes": 512})


@exercise("recall_batch")
def test_sequences_hold_distinct_keys(student: LocalStudent) -> None:
    """Of 50 sequences with four pairs each, none holds a key twice."""
    tokens, _, _ = _batch(student.recall_batch(50, 4, _KEYS, _VALUES, 1), 50, 4)
    if not ((tokens >= 0) & (tokens < _KEYS * _VALUES)).all():
        says = "A token is key * num_values + value. Which numbers can that be?"
        raise Mismatch(None, f"tokens from 0 to {_KEYS * _VALUES - 1}", says)
    for row in (tokens // _VALUES).tolist():
        if len(set(row)) < len(row):
            says = "If a key stands twice, a query has two answers. Draw without putting back."
            raise Mismatch(f"a sequence with the keys {row}", "four distinct keys", says)


@exercise("recall_batch")
def test_values_are_drawn_one_by_one(student: LocalStudent) -> None:
    """In 50 sequences of four pairs, values differ within a sequence, and from one to the next."""
    tokens, _, _ = _batch(student.recall_batch(50, 4, _KEYS, _VALUES, 5), 50, 4)
    values = tokens % _VALUES
    if bool((values == values[:, :1]).all()):
        says = "All pairs of a sequence have one value, so that nobody has to look for the key."
        raise Mismatch(f"the values {values[0].tolist()}", "a draw for every pair", says)
    if bool((values == values[:1]).all()):
        says = "All sequences have the same values, place by place. How many draws are there?"
        raise Mismatch(f"the values {values[0].tolist()} in each", "a draw for every pair", says)


@exercise("recall_batch")
def test_every_sequence_has_draws_of_its_own(student: LocalStudent) -> None:
    """In 50 sequences of four pairs, keys and the place that is asked for are drawn anew."""
    tokens, query, _ = _batch(student.recall_batch(50, 4, _KEYS, _VALUES, 6), 50, 4)
    keys = tokens // _VALUES
    if bool((keys == keys[:1]).all()):
        says = "All sequences have the same keys, place by place. How many draws are there?"
        raise Mismatch(f"the keys {keys[0].tolist()} in each", "a draw for every sequence", says)
    asked = keys == query[:, None]
    if bool((asked == asked[:1]).all()):
        says = "In all sequences the same place is asked for. Is that drawn for each one?"
        raise Mismatch("one place in all", "any place, drawn for every sequence", says)


@exercise("recall_batch")
def test_the_answer_stands_with_the_query(student: LocalStudent) -> None:
    """In 50 sequences, the query is a key that is there, and the answer its value."""
    tokens, query, answer = _batch(student.recall_batch(50, 4, _KEYS, _VALUES, 2), 50, 4)
    for row, key, value in zip(tokens.tolist(), query.tolist(), answer.tolist(), strict=True):
        pairs = [divmod(token, _VALUES) for token in row]
        came_back = f"pairs {pairs}, query {key}, answer {value}"
        if key not in dict(pairs):
            says = "The query is no key of this sequence. Is it a key, and not a place or a token?"
            raise Mismatch(came_back, "a query among the keys", says)
        if (key, value) not in pairs:
            says = "The answer is not the value that stands with the query. Do both use one place?"
            raise Mismatch(came_back, f"the answer {dict(pairs)[key]}", says)


@exercise("recall_batch")
def test_the_seed_decides(student: LocalStudent) -> None:
    """The same seed gives the same batch, another seed another, whatever torch drew before."""
    student.seed(1)
    once = _batch(student.recall_batch(20, 4, _KEYS, _VALUES, 3), 20, 4)
    student.seed(2)
    again = _batch(student.recall_batch(20, 4, _KEYS, _VALUES, 3), 20, 4)
    if student.changed_random:
        whose = student.changed_random[0]
        says = "Drawing the batch moved random numbers that all share. Use a generator of your own."
        raise Mismatch(f"{whose}'s global state changed", "all global state as before", says)
    if not all(map(torch.equal, once, again)):
        says = "Two calls with seed 3 differ. Does every draw take its numbers from the generator?"
        raise Mismatch("two different batches", "twice the same", says)
    other = _batch(student.recall_batch(20, 4, _KEYS, _VALUES, 4), 20, 4)
    if all(map(torch.equal, once, other)):
        says = "Seeds 3 and 4 give the same batch. Where does `seed` come in?"
        raise Mismatch("twice the same", "two different batches", says)


@exercise("recall_batch")
def test_too_many_pairs_are_refused(student: LocalStudent) -> None:
    """Twelve pairs cannot have distinct keys among 9, and 0 pairs ask nothing: ValueError."""
    expect_value_error(lambda: student.recall_batch(2, 12, _KEYS, _VALUES, 1), numbers=(12, _KEYS))
    expect_value_error(lambda: student.recall_batch(2, 0, _KEYS, _VALUES, 1), numbers=(0, _KEYS))


def _expect_costs(found: Any, wanted: dict[str, int]) -> None:
    if not isinstance(found, dict) or set(found) != set(wanted):
        says = "A dictionary is wanted, with the two names `flops` and `score_bytes`."
        raise Mismatch(form_text(found), str(wanted), says)
    for name, number in wanted.items():
        if type(found[name]) is not int:
            says = f"`{name}` should be a whole number (int): floats lose digits when they grow."
            raise Mismatch(str(found), str(wanted), says)
        if found[name] != number:
            says = f"`{name}` is another number. Count it on paper for these sizes first."
            raise Mismatch(str(found), str(wanted), says)


def _batch(found: Any, batch: int, pairs: int) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens, query and answer.

    Raises:
        Mismatch: they are no three tensors of the promised form.
    """
    wanted = ((batch, pairs), (batch,), (batch,))
    expected = "three int64 tensors of the shapes " + ", ".join(map(str, wanted))
    parts = found if isinstance(found, (tuple, list)) else (found,)
    if len(parts) != 3 or not all(isinstance(part, Tensor) for part in parts):
        raise Mismatch(
            form_text(found), expected, "Return tokens, query and answer, in this order."
        )
    for part, shape in zip(parts, wanted, strict=True):
        if tuple(part.shape) != shape:
            raise Mismatch(form_text(found), expected, "One of the three has another shape.")
        if part.dtype != torch.int64:
            raise Mismatch(form_text(found), expected, "All three hold whole numbers, int64.")
    tokens, query, answer = parts
    return tokens, query, answer
