"""What can be seen of a model without training it: what its logits depend on.

The model gets parameters of a middling size first, since a right one may begin with such small ones
that a new model's logits hardly depend on anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from autograder.judging.draw import Draw
from graders.attention_vs_recurrence.lessons import (
    D_MODEL,
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    logits_of,
    made,
    parameters_of,
    sequences,
)
from solutions.attention_vs_recurrence.reference import recall_batch

# Logits are near 1 then. What should leave them alone changes them by rounding alone; what should
# count changes them by a hundredth or so, even through an LSTM's gates.
ROUNDING, COUNTS = 1e-5, 1e-4
# How wide parameters are drawn, times 1/sqrt(inputs). A right LSTM whose gates begin open can carry
# the first of sixty pairs to the end with the wide ones, in one or two of a hundred draws; with the
# narrow ones its change is below 0.003 of the last pair's in 3,000 draws, and in models that read
# otherwise above 0.8.
WIDE, NARROW = 1.5, 0.5
PAIRS = 5
HUGE = 1e5
_V = NUM_VALUES


def traits_of(student: Any, name: str, draw: Draw) -> "Traits":
    """The traits of a student's model, with tables of parameters drawn here."""
    return Traits(_drawn(made(student, name), draw), draw)


def silent(student: Any, name: str, draw: Draw) -> tuple[int, int]:
    """How many parameters of a student's model nothing is learnt by.

    Returns:
        how many no gradient reaches; and to how many matrices it brings zeros alone, as it may to
        biases.
    """
    asked, model = sequences(draw, 8, 3), _drawn(made(student, name), draw)
    upstream = torch.ones(8, NUM_VALUES).cumsum(1)
    found = student.grad(model, asked.tokens, asked.query, upstream=upstream).parameters
    gradients = [gradient for gradient in found.values() if gradient is not None]
    zeros = sum(gradient.ndim > 1 and not bool(gradient.any()) for gradient in gradients)
    return len(found) - len(gradients), zeros


def fading(student: Any, name: str, draw: Draw) -> tuple[float, float, float]:
    """By how much the first of many pairs, the last one and the query change a new model's logits.

    Returns:
        the mean change of the largest logit for each of the three.
    """
    num_keys, pairs = 64, 60
    model = _drawn(made(student, name, num_keys, _V, D_MODEL), draw, NARROW)
    seed = draw.integer(0, 2**31)
    asked = Sequences(*recall_batch(16, pairs, num_keys, _V, seed), _V)
    before = logits_of(model, asked)
    changes = []
    for place in (0, pairs - 1, None):
        tokens, query = asked.tokens.clone(), asked.query
        if place is None:
            query = (query + 1) % num_keys
        else:
            tokens[:, place] = _other_keys(asked.tokens, num_keys)[:, place]
        after = logits_of(model, replace(asked, tokens=tokens, query=query))
        changes.append((after - before).abs().amax(1).mean().item())
    first, last, by_query = changes
    return first, last, by_query


def _drawn(model: Any, draw: Draw, scale: float = WIDE) -> Any:
    """The model with tables of parameters that are drawn here."""
    state = {
        key: draw.normal(*table.shape, scale=scale * table.shape[-1] ** -0.5)
        for key, table in parameters_of(model).items()
        if table.ndim > 1
    }
    model.load_state_dict(state, strict=False)
    return model


@dataclass(frozen=True)
class Traits:
    """What a model's logits depend on.

    Args:
        model: the student's model.
        draw: where sequences come from.
    """

    model: Any
    draw: Draw

    def changed(self, one: Sequences, other: Sequences) -> Tensor:
        """By how much the logits of each sequence differ: (batch,)."""
        difference = logits_of(self.model, one) - logits_of(self.model, other)
        return difference.abs().amax(1)

    def order_counts(self) -> bool:
        """Whether the order of the pairs changes anything."""
        asked = sequences(self.draw, 6, PAIRS)
        turned = replace(asked, tokens=asked.tokens.flip(1))
        return bool((self.changed(asked, turned) > ROUNDING).any())

    def query_counts(self) -> bool:
        """Whether another query changes the logits of most sequences."""
        asked = sequences(self.draw, 6, PAIRS)
        other = replace(asked, query=(asked.query + 1) % NUM_KEYS)
        return _most(self.changed(asked, other) > COUNTS)

    def keys_count(self, *places: int) -> bool:
        """Whether another key at these places, all of them when none is named, changes logits."""
        return self._exchange_counts(places, lambda tokens: _other_keys(tokens) + tokens % _V)

    def values_count(self, *places: int) -> bool:
        """Whether another value at these places, all of them when none is named, changes logits."""
        return self._exchange_counts(places, lambda tokens: tokens // _V * _V + (tokens + 1) % _V)

    def _exchange_counts(
        self, places: tuple[int, ...], exchange: Callable[[Tensor], Tensor]
    ) -> bool:
        asked = sequences(self.draw, 6, PAIRS)
        exchanged = exchange(asked.tokens)
        for place in places or range(PAIRS):
            tokens = asked.tokens.clone()
            tokens[:, place] = exchanged[:, place]
            if not _most(self.changed(asked, replace(asked, tokens=tokens)) > COUNTS / 10):
                return False
        return True

    def query_chooses(self) -> bool:
        """Whether it depends on the query how much a pair counts, and does not just add up."""
        asked = sequences(self.draw, 6, PAIRS)
        tokens = asked.tokens.clone()
        tokens[:, 1] = _other_keys(asked.tokens)[:, 1]
        query = (asked.query + 1) % NUM_KEYS
        logits = [
            logits_of(self.model, replace(asked, tokens=t, query=q))
            for q in (asked.query, query)
            for t in (asked.tokens, tokens)
        ]
        crossed = (logits[0] - logits[1]) - (logits[2] - logits[3])
        return _most(crossed.abs().amax(1) > COUNTS / 10)

    def repeats_cancel(self) -> bool:
        """Whether every pair twice gives what every pair once does, as shares of a whole do."""
        asked = sequences(self.draw, 6, PAIRS)
        twice = replace(asked, tokens=asked.tokens.repeat(1, 2))
        return bool((self.changed(asked, twice) < ROUNDING * 10).all())

    def repeats_add_up(self) -> bool:
        """Whether every pair forty times gives far more than every pair once: a sum of scores."""
        asked = sequences(self.draw, 6, PAIRS)
        often = replace(asked, tokens=asked.tokens.repeat(1, 40))
        sizes = [logits_of(self.model, one).abs().mean() for one in (asked, often)]
        return bool(sizes[1] > 5 * sizes[0])

    def one_pair_has_all_weight(self) -> bool:
        """Whether a pair that is alone gets the weight 1, whatever the query is."""
        alone = sequences(self.draw, 6, 1)
        other = replace(alone, query=(alone.query + 1) % NUM_KEYS)
        return bool((self.changed(alone, other) < ROUNDING * 10).all())

    def query_shows_without_pairs(self) -> bool:
        """Whether the query changes the logits of one pair whose embedding is 0, as all biases are.

        Parameters of the model are set to 0 for it.
        """
        state = {
            key: torch.zeros_like(table)
            for key, table in parameters_of(self.model).items()
            if table.ndim == 1 or NUM_KEYS * NUM_VALUES in table.shape
        }
        self.model.load_state_dict(state, strict=False)
        alone = sequences(self.draw, 6, 1)
        other = replace(alone, query=(alone.query + 1) % NUM_KEYS)
        return _most(self.changed(alone, other) > COUNTS)

    def first_of_many_counts(self) -> bool:
        """Whether the first of as many pairs as there are keys changes anything, be it little."""
        asked = sequences(self.draw, 32, NUM_KEYS)
        tokens = asked.tokens.clone()
        tokens[:, 0] = tokens[:, 0] // _V * _V + (tokens[:, 0] + 1) % _V
        return bool((self.changed(asked, replace(asked, tokens=tokens)) > 0).any())

    def grows_with_embeddings(self) -> bool:
        """Whether huge embeddings give huge logits, as they cannot through an LSTM's state.

        The model's embeddings are huge afterwards.
        """
        rows = {NUM_KEYS, NUM_KEYS * _V, NUM_KEYS * (_V + 1)}
        state = {
            key: table * HUGE
            for key, table in parameters_of(self.model).items()
            if rows & set(table.shape)
        }
        self.model.load_state_dict(state, strict=False)
        return bool(logits_of(self.model, sequences(self.draw, 6, PAIRS)).abs().amax() > HUGE / 100)

    def rows_apart(self) -> bool:
        """Whether the logits of a sequence are the same without its neighbours in the batch."""
        asked = sequences(self.draw, 6, PAIRS)
        whole = logits_of(self.model, asked)
        alone = Sequences(asked.tokens[2:3], asked.query[2:3], asked.answer[2:3], NUM_VALUES)
        return bool(((whole[2:3] - logits_of(self.model, alone)).abs() < ROUNDING * 10).all())

    def forgets_calls(self) -> bool:
        """Whether a call leaves nothing behind: the same question gets the same logits again."""
        asked, between = sequences(self.draw, 6, PAIRS), sequences(self.draw, 6, PAIRS)
        first = logits_of(self.model, asked)
        logits_of(self.model, between)
        return bool(((first - logits_of(self.model, asked)).abs() < ROUNDING).all())


def _most(counts: Tensor) -> bool:
    """Whether it holds for half of the sequences; in one of them a weight may be near 0."""
    return 2 * int(counts.sum()) >= len(counts)


def _other_keys(tokens: Tensor, num_keys: int = NUM_KEYS) -> Tensor:
    """For each place the first token of a key that its sequence does not hold: (batch, pairs)."""
    keys = tokens // _V
    free = torch.ones(len(tokens), num_keys).scatter(1, keys, 0.0)
    return (free.argmax(1, keepdim=True) * _V).expand_as(tokens)
