"""What is true of the batches that a student's recall_batch draws, whatever way it draws them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import torch
from torch import Tensor

from autograder.judging import Wrong

UNLIKELY = -35.0  # the logarithm of a probability: two thirds of 1e-15


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

    def by_another_formula(self) -> bool:
        """Whether query and answer stand together in every sequence, in a token made otherwise."""
        products = (
            self.answer * self.num_keys + self.query,
            self.answer * self.num_values + self.query,
            self.query * self.num_keys + self.answer,
        )
        return any(bool((self.tokens == token[:, None]).any(1).all()) for token in products)

    def query_present(self) -> bool:
        """Whether every query is a key of its sequence."""
        return bool(self.asked.any(1).all())

    def answers_right(self) -> bool:
        """Whether the query's key stands with the answer in every sequence."""
        return bool((self.asked & (self.values == self.answer[:, None])).any(1).all())

    def all_tokens_everywhere(self) -> bool:
        """Whether every pair comes at every place, as often as any other."""
        return all(_even(row, self.num_keys * self.num_values) for row in self.tokens.T)

    def keys_at_random(self) -> bool:
        """Whether all orders of all keys come as often as each other."""
        rows, kinds = self._orders()
        return _even(rows[rows >= 0], kinds)

    def values_at_random(self) -> bool:
        """Whether all rows of values come as often as each other."""
        return _even(*self._rows_of_values())

    def values_apart_from_keys(self) -> bool:
        """Whether all rows of values come as often as each other with all orders of the keys."""
        orders, kinds = self._orders()
        values, more = self._rows_of_values()
        return _even((orders * more + values)[orders >= 0], kinds * more)

    def one_value_a_sequence(self) -> bool:
        """Whether every sequence has a single value, at all its places."""
        return bool((self.values == self.values[:, :1]).all())

    def asked_evenly(self) -> bool:
        """Whether every place is asked for as often as any other."""
        return _even(self.asked.nonzero()[:, 1], self.tokens.shape[1])

    def asked_by_any_size(self) -> bool:
        """Whether the query is the smallest key of its sequence as often as any other."""
        smaller = (self.keys < self.query[:, None]).sum(1)
        return _even(smaller, self.tokens.shape[1])

    def asked_by_any_value(self) -> bool:
        """Whether every place is asked for as often as any other, whatever the values are."""
        values, kinds = self._rows_of_values()
        row, place = self.asked.nonzero().T
        return _even(values[row] + kinds * place, kinds * self.tokens.shape[1])

    def asked_by_value(self) -> bool:
        """Whether it goes by the values which place is asked for, though both come evenly."""
        is_even = self.asked_evenly() and self.values_at_random()
        return is_even and not self.asked_by_any_value()

    def asked_apart(self) -> bool:
        """Whether the place asked for has nothing to do with that of the sequence before.

        Where places are asked for unevenly, this says nothing.
        """
        places = self.tokens.shape[1]
        alone = self.asked.sum(1) == 1  # a key that stands twice is another fault
        asked = self.asked[alone].int().argmax(1)
        one, other = asked[: len(asked) // 2 * 2].view(-1, 2).T
        return not self.asked_evenly() or _even(one * places + other, places**2)

    def rows_differ(self) -> tuple[bool, bool, bool, bool]:
        """Whether each sequence has its own keys, values, choice of keys and place asked for.

        Asked of sequences so long that chance gives no two of them the same keys or values.
        """
        kinds = [
            len(rows.unique(dim=0))
            for rows in (
                self.keys,
                self.values,
                self.keys.sort(1).values,
                self.asked.int().argmax(1),
            )
        ]
        return kinds[0] == len(self.keys), kinds[1] == len(self.keys), kinds[2] > 1, kinds[3] > 1

    def _rows_of_values(self) -> tuple[Tensor, int]:
        """A number for each row of values, and how many numbers there are."""
        kinds = self.num_values
        return _as_digits(self.values, kinds), kinds ** self.values.shape[1]

    def _orders(self) -> tuple[Tensor, int]:
        """A number for each row of keys, -1 for one that cannot be, and how many there are."""
        pairs = self.keys.shape[1]
        every = torch.tensor(list(permutations(range(self.num_keys), pairs)))
        numbers = torch.full((self.num_keys**pairs,), -1)
        numbers[_as_digits(every, self.num_keys)] = torch.arange(len(every))
        within = ((self.keys >= 0) & (self.keys < self.num_keys)).all(1)
        return numbers[_as_digits(self.keys * within[:, None], self.num_keys)], len(every)


def _as_digits(rows: Tensor, base: int) -> Tensor:
    """The number that each row of digits is."""
    return (rows * base ** torch.arange(rows.shape[1])).sum(1)


def _even(numbers: Tensor, kinds: int) -> bool:
    """Whether each of so many kinds of numbers comes as often as any other, but for chance.

    The measure is the relative entropy of what came to what should come. That of a fair draw is as
    large with a probability of at most e^-t (e t / k)^k, where t is the entropy times the count and
    k is one less than the kinds (Agrawal 2020, "Finite-sample concentration of the multinomial in
    relative entropy"), and not even UNLIKELY is taken for chance.
    """
    if not len(numbers) or bool(((numbers < 0) | (numbers >= kinds)).any()):
        return False
    often = numbers.bincount(minlength=kinds).double()
    entropy = torch.special.xlogy(often, often * kinds / len(numbers)).sum().item()
    share = entropy / (kinds - 1)
    return share <= 1 or (kinds - 1) * (1 + math.log(share) - share) > UNLIKELY


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


def one_by_one(student: Any, seeds: Sequence[int]) -> Batch:
    """Sequences of two pairs, a batch and a seed each, as one batch."""
    alone = [batch_of(student, 1, 2, 3, 2, seed) for seed in seeds]
    tokens, query, answer = (
        torch.cat([getattr(one, name) for one in alone]) for name in ("tokens", "query", "answer")
    )
    return Batch(tokens, query, answer, alone[0].num_keys, alone[0].num_values)


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
        batch.keys_at_random(),
        batch.values_at_random(),
        batch.one_value_a_sequence(),
        batch.asked_evenly(),
        batch.asked_by_any_size(),
    )
