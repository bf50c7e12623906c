"""What is true of the batches that a student's recall_batch draws, whatever way it draws them."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from autograder.judging import Wrong


@dataclass(frozen=True)
class Batch:
    """What a student's recall_batch gave, as whole numbers.

    Attributes:
        tokens: (batch, pairs).
        query: (batch,).
        answer: (batch,).
        num_keys: how many keys there are.
        num_values: how many values there are.
    """

    tokens: Tensor
    query: Tensor
    answer: Tensor
    num_keys: int
    num_values: int

    @property
    def keys(self) -> Tensor:
        """The key of every token."""
        return self.tokens // self.num_values

    @property
    def values(self) -> Tensor:
        """The value of every token."""
        return self.tokens % self.num_values

    @property
    def asked(self) -> Tensor:
        """Which places hold the query's key: (batch, pairs)."""
        return self.keys == self.query[:, None]

    def in_range(self) -> bool:
        """Whether every token is a pair."""
        return bool(((self.tokens >= 0) & (self.keys < self.num_keys)).all())

    def keys_distinct(self) -> bool:
        """Whether no key stands in a sequence twice."""
        keys = self.keys.sort(dim=1).values
        return not bool((keys[:, 1:] == keys[:, :-1]).any())

    def query_present(self) -> bool:
        """Whether every query is a key of its sequence."""
        return bool(self.asked.any(1).all())

    def answers_right(self) -> bool:
        """Whether the query's key stands with the answer in every sequence."""
        return bool((self.asked & (self.values == self.answer[:, None])).any(1).all())

    def all_tokens_everywhere(self) -> bool:
        """Whether every pair comes at every place, about as often as any other."""
        return all(_even(row, self.num_keys * self.num_values) for row in self.tokens.T)

    def values_apart(self) -> bool:
        """Whether the values of neighbours have nothing to do with each other."""
        neighbours = self.values[:, 1:] * self.num_values + self.values[:, :-1]
        return all(_even(row, self.num_values**2) for row in neighbours.T)

    def asked_evenly(self) -> bool:
        """Whether no place is asked for much more often than another."""
        share = self.asked.double().mean(0)
        even = 1 / self.tokens.shape[1]
        return bool(((share - even).abs() < 0.25 * even).all())  # eight standard deviations

    def asked_by_any_size(self) -> bool:
        """Whether the query is the smallest key of its sequence as often as any other."""
        smaller = (self.keys < self.query[:, None]).sum(1)
        return _even(smaller, self.tokens.shape[1])

    def rows_differ(self) -> bool:
        """Whether sequences differ in their keys, their values, and the place asked for."""
        places = self.asked.int().argmax(1)
        return all(
            len(rows.unique(dim=0)) > 1
            for rows in (self.keys.sort(1).values, self.keys, self.values, places)
        )


def _even(numbers: Tensor, kinds: int) -> bool:
    """Whether each of so many kinds of numbers comes about as often as any other."""
    if bool(((numbers < 0) | (numbers >= kinds)).any()):
        return False
    often = numbers.bincount(minlength=kinds) * (kinds / len(numbers))
    return bool(((often - 1).abs() < 0.5).all())  # over five standard deviations


def first_three(found: object) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens, query and answer, as whole numbers; their exact form is one test's alone.

    Raises:
        Wrong: they are no three tensors.
    """
    if not isinstance(found, tuple | list) or len(found) != 3:
        raise Wrong("Three values were promised: tokens, query and answer.")
    tokens, query, answer = found
    for part in (tokens, query, answer):
        if not isinstance(part, Tensor) or part.is_complex() or part.is_meta:
            raise Wrong("Tokens, query and answer are not all tensors of numbers.")
    return tokens.long(), query.long(), answer.long()


def batch_of(
    student: Any, batch: int, pairs: int, num_keys: int, num_values: int, seed: int
) -> Batch:
    """A batch of the student's, in the form that its numbers can be looked at.

    Raises:
        Wrong: the numbers do not have one row a sequence.
    """
    found = student.recall_batch(batch, pairs, num_keys, num_values, seed)
    tokens, query, answer = first_three(found)
    if tokens.shape != (batch, pairs) or not query.numel() == answer.numel() == batch:
        raise Wrong("Tokens, query and answer do not have one row a sequence.")
    return Batch(tokens, query.reshape(batch), answer.reshape(batch), num_keys, num_values)


def sound(batch: Batch) -> tuple[bool, ...]:
    """What is promised of every sequence, one truth each."""
    return (
        batch.in_range(),
        batch.keys_distinct(),
        batch.query_present(),
        batch.answers_right(),
    )


def drawn_fairly(batch: Batch) -> tuple[bool, ...]:
    """What is promised of many sequences together, one truth each."""
    return (
        batch.all_tokens_everywhere(),
        batch.values_apart(),
        batch.asked_evenly(),
        batch.asked_by_any_size(),
        batch.rows_differ(),
    )
