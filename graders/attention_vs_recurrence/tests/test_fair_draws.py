"""What the graders of recall_batch take for chance: no fair batch fails, and small bias does."""

import math

import pytest
import torch

from graders.attention_vs_recurrence.recall_batch.drawn_batches import UNLIKELY, Batch, drawn_fairly
from solutions.attention_vs_recurrence.reference import recall_batch

SIZES = 3, 5, 4  # pairs, keys, values


def batch(seed, change=None):
    tokens, query, answer = recall_batch(3000, *SIZES, seed)
    if change is not None:
        tokens = change(tokens)
    return Batch(tokens, query, answer, *SIZES[1:])


@pytest.mark.parametrize("seed", range(0, 300, 10))
def test_a_fair_batch_is_taken_for_one_whatever_the_seed(seed):
    found = batch(seed)
    one_value = found.one_value_a_sequence()
    assert not one_value
    assert drawn_fairly(found) == (True, True, True, one_value, True, True)


def test_a_hundredth_of_repeated_values_is_chance_and_a_quarter_is_not():
    def repeating(rows):
        def change(tokens):
            tokens[:rows, 2] = tokens[:rows, 2] // 4 * 4 + tokens[:rows, 0] % 4
            return tokens

        return change

    assert batch(1, repeating(30)).values_at_random()
    assert not batch(1, repeating(750)).values_at_random()


def test_neighbours_for_keys_are_no_random_keys():
    start = torch.randint(5, (3000, 1), generator=torch.Generator().manual_seed(2))
    keys = (start + torch.arange(3)) % 5
    found = batch(2, lambda tokens: keys * 4 + tokens % 4)
    assert found.all_tokens_everywhere()
    assert not found.keys_at_random()


def test_a_thousand_looks_at_fair_batches_fail_less_than_once_in_1e12():
    assert 1000 * math.exp(UNLIKELY) < 1e-12
