"""How to observe answers to attention_cost and recall_batch for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch

from autograder.judging import probe
from autograder.judging.registry import Observations
from graders.attention_vs_recurrence.lessons import globally_drawn
from graders.attention_vs_recurrence.recall_batch.drawn_batches import (
    batch_of,
    drawn_fairly,
    first_three,
    one_by_one,
    sound,
)
from graders.modules import form, names_numbers, refusing

Look = Callable[[], object]


@probe("attention_cost", values=("bfloat16", "float64"), dtype=("long",))
def observe_attention_cost(student: Any) -> Observations:
    """Counts for a few sizes and dtypes, and whether they are whole numbers."""
    sizes = ((7, 12, 3), (10, 12, 3), (7, 30, 3), (7, 12, 4))

    def counts(seq_len: int, d_model: int, heads: int, dtype: torch.dtype) -> Look:
        return lambda: _whole(student.attention_cost(seq_len, d_model, heads, dtype))

    looks = {f"float32 {size}": counts(*size, torch.float32) for size in sizes}
    return looks | {
        "bfloat16": counts(7, 12, 3, torch.bfloat16),
        "float64": counts(7, 12, 3, torch.float64),
        "form": lambda: _kinds(student.attention_cost(7, 12, 3, torch.float32)),
        "long": counts(3_000_017, 12_289, 11, torch.float64),
    }


def _whole(found: object) -> object:
    """Counts in a dictionary, whatever their type."""
    if not isinstance(found, dict):
        return found
    return {
        name: int(one) if isinstance(one, float) and one.is_integer() else one
        for name, one in found.items()
    }


def _kinds(found: object) -> object:
    """The types of the numbers in a dictionary."""
    if not isinstance(found, dict):
        return type(found).__name__
    return {name: type(one).__name__ for name, one in found.items()}


@probe(
    "recall_batch",
    changes=("from outside",),
    refusal=(
        "too many",
        "one too many",
        "none",
        "fewer than none",
    ),
)
def observe_recall_batch(student: Any) -> Observations:
    """What is true of batches, by whatever numbers they are drawn."""

    def soundness(pairs: int, num_keys: int) -> Look:
        return lambda: sound(batch_of(student, 400, pairs, num_keys, 5, 5))

    def forms(batch: int, pairs: int) -> Look:
        def look() -> object:
            found = student.recall_batch(batch, pairs, 5, 3, 4)
            return tuple(map(form, found)) if isinstance(found, tuple | list) else form(found)

        return look

    def together() -> object:
        """Whether values keep apart from keys, and the place asked for from values."""
        batch = batch_of(student, 4000, 2, 4, 2, 6)
        alone = batch.keys_at_random() and batch.values_at_random()
        return not alone or batch.values_apart_from_keys(), batch.asked_by_any_value()

    def wide() -> object:
        """More values than keys: a token made the wrong way round is out of range."""
        batch = batch_of(student, 400, 3, 4, 50, 6)
        few_keys = int(batch.query.max()) < 4
        return batch.in_range(), batch.keys_distinct(), few_keys, batch.by_another_formula()

    def answer_is_at() -> object:
        """Which places of the sequence the answers of many sequences stand at."""
        batch = batch_of(student, 400, 4, 9, 5, 7)
        right = batch.asked & (batch.values == batch.answer[:, None])
        return tuple(right.any(0).tolist())

    def ranges() -> object:
        batch = batch_of(student, 2000, 3, 6, 4, 8)
        return int(batch.answer.min()), int(batch.answer.max()), int(batch.query.max())

    def ordered() -> object:
        keys = batch_of(student, 400, 4, 9, 5, 9).keys
        return tuple(bool((keys.sort(1, d).values == keys).all()) for d in (False, True))

    def tied() -> object:
        """Whether a key always has the same value."""
        batch = batch_of(student, 2000, 3, 6, 4, 8)
        return len(batch.tokens.unique())

    def seeds() -> object:
        once, again, other = (first_three(student.recall_batch(40, 4, 9, 5, n)) for n in (3, 3, 4))
        return tuple(map(torch.equal, once, again)), tuple(map(torch.equal, once, other))

    def from_outside() -> object:
        batches = []
        for number in (1, 2):
            student.seed(number)
            batches.append(first_three(student.recall_batch(40, 4, 9, 5, 12)))
        return tuple(map(torch.equal, *batches))

    def refused(pairs: int, num_keys: int) -> Look:
        call = lambda: student.recall_batch(2, pairs, num_keys, 3, 1)  # noqa: E731
        return lambda: names_numbers(call, pairs, num_keys)

    looks: dict[str, Look] = {
        "forms": forms(6, 2),
        "one sequence": forms(1, 4),
        "a single pair": forms(5, 1),
        "sound": soundness(4, 9),
        "one pair": soundness(1, 6),
        "as many as keys": soundness(6, 6),
        "fairly": lambda: drawn_fairly(batch_of(student, 4000, 3, 4, 4, 5)),
        "together": together,
        "asked apart": lambda: batch_of(student, 4000, 4, 9, 5, 5).asked_apart(),
        "one by one": lambda: one_by_one(student, range(120)).asked_by_value(),
        "rows differ": lambda: batch_of(student, 60, 12, 40, 30, 5).rows_differ(),
        "wide": wide,
        "answers": answer_is_at,
        "ranges": ranges,
        "ordered": ordered,
        "tied": tied,
        "seeds": seeds,
        "from outside": from_outside,
        "state kept": lambda: globally_drawn(student, lambda: student.recall_batch(5, 3, 8, 4, 11)),
        "too many": refused(12, 7),
        "one too many": refused(8, 7),
        "none": refused(0, 5),
        "fewer than none": refused(-2, 6),
    }
    return {name: refusing(look) for name, look in looks.items()}
