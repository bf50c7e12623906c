"""Hidden graders of 07-attention-vs-recurrence: recall_batch."""

from typing import Any

import pytest
import torch
from torch import Tensor

import graders.attention_vs_recurrence.probes  # noqa: F401 - registers the probe
from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from graders.attention_vs_recurrence.lessons import globally_drawn
from graders.attention_vs_recurrence.recall_batch.drawn_batches import (
    Batch,
    batch_of,
    first_three,
    one_by_one,
    sound,
)

MANY = 3000
ALONE = 120  # twice as many as it takes to see that a value decides which pair is asked for


@exercise("recall_batch")
@pytest.mark.points(3, "values")
def test_a_sequence_holds_distinct_keys(student: Any, draw: Draw) -> None:
    """Every token is a pair of a key and a value, and no key stands in a sequence twice."""
    for pairs, num_keys, num_values in ((5, 9, 4), (3, 7, 11)):
        batch = _drawn(student, draw, 200, pairs, num_keys, num_values)
        if not batch.in_range():
            raise Wrong("Some tokens are no pairs: they lie outside of the numbers there can be.")
        if not batch.keys_distinct():
            raise Wrong(
                "Your tokens are made by another formula than key · num_values + value."
                if batch.by_another_formula()
                else "In some sequences a key stands twice."
            )


@exercise("recall_batch")
@pytest.mark.points(3, "values")
def test_the_answer_is_paired_with_the_query(student: Any, draw: Draw) -> None:
    """The query is a key of its sequence, and the answer is the value that stands with it."""
    for pairs, num_keys, num_values in ((5, 9, 4), (3, 7, 11)):
        batch = _drawn(student, draw, 200, pairs, num_keys, num_values)
        if not batch.query_present():
            raise Wrong("Some queries are no key of their sequence.")
        if not batch.answers_right():
            raise Wrong("Some answers are not the value that is paired with the query's key.")


@exercise("recall_batch")
@pytest.mark.points(1, "values")
def test_every_pair_can_come(student: Any, draw: Draw) -> None:
    """Over many sequences, every key comes with every value, at every place and by itself."""
    batch = _drawn(student, draw, MANY, 3, 5, 4)
    if not batch.all_tokens_everywhere():
        raise Wrong("Over many sequences, some pairs come too rarely, or only at some places.")
    if not batch.keys_at_random():
        raise Wrong("The keys of one sequence have to do with each other: some orders are rare.")
    if not batch.values_at_random():
        raise Wrong("The values of one sequence have to do with each other.")
    if not _drawn(student, draw, MANY, 2, 4, 2).values_apart_from_keys():
        raise Wrong("The values of a sequence have to do with its keys.")


@exercise("recall_batch")
@pytest.mark.points(1, "values")
def test_any_pair_may_be_asked_for(student: Any, draw: Draw) -> None:
    """Over many sequences, pairs at all places, of large and small keys, are asked for alike."""
    batch = _drawn(student, draw, MANY, 4, 9, 5)
    if not batch.asked_evenly():
        raise Wrong("Over many sequences, some places are asked for more often than others.")
    if not batch.asked_by_any_size():
        raise Wrong("Over many sequences, large or small keys are asked for more often.")
    if not _drawn(student, draw, MANY, 2, 4, 2).asked_by_any_value():
        raise Wrong("Over many sequences, which pair is asked for has to do with the values.")
    seeds = [draw.integer(1, 10**6) for _ in range(ALONE)]
    if one_by_one(student, seeds).asked_by_value():
        raise Wrong("In the first sequence, which pair is asked for has to do with its value.")


@exercise("recall_batch")
@pytest.mark.points(1, "values")
def test_sequences_of_a_batch_differ(student: Any, draw: Draw) -> None:
    """Each sequence of a batch is drawn by itself: keys, values and the pair asked for."""
    batch = _drawn(student, draw, 60, 12, 40, 30)
    if not all(batch.rows_differ()) or not _drawn(student, draw, MANY, 4, 9, 5).asked_apart():
        raise Wrong("All sequences of a batch have something in common that chance would not give.")


@exercise("recall_batch")
@pytest.mark.points(1, "generality")
def test_a_seed_decides_the_batch(student: Any, draw: Draw) -> None:
    """The same seed gives the same batch again, and another seed another batch."""
    seed = draw.integer(1, 10**6)
    once, again, *others = (
        first_three(student.recall_batch(40, 4, 9, 5, seed + more))
        for more in (0, 0, 1, 10, 64, 1000, 2**16)
    )
    if not all(map(torch.equal, once, again)):
        raise Wrong("The same seed gives another batch the second time.")
    if any(any(map(torch.equal, once, other)) for other in others):
        raise Wrong("Two seeds give the same tokens, queries or answers.")


@exercise("recall_batch")
@pytest.mark.points(1, "generality")
def test_the_global_random_state_is_left_alone(student: Any, draw: Draw) -> None:
    """No global random numbers, torch's, NumPy's or Python's, decide the batch, or change."""
    drawn = globally_drawn(student, lambda: student.recall_batch(5, 3, 8, 4, 11))
    if drawn:
        raise Wrong(f"Drawing a batch changes the global random numbers of {drawn[0]}.")
    batches = []
    for number in (draw.integer(1, 1000), draw.integer(1001, 2000)):
        student.seed(number)
        batches.append(first_three(student.recall_batch(40, 4, 9, 5, 12)))
    if not all(map(torch.equal, *batches)):
        raise Wrong("The batch depends on torch's global random state, not on the seed alone.")


@exercise("recall_batch")
@pytest.mark.points(0.5, "form")
def test_three_tensors_of_whole_numbers_come_back(student: Any) -> None:
    """Tokens, query and answer come back as tensors of dtype int64, one row a sequence."""
    for batch, pairs in ((6, 2), (1, 4), (5, 1)):
        found = student.recall_batch(batch, pairs, 5, 3, 4)
        shapes = ((batch, pairs), (batch,), (batch,))
        if not isinstance(found, tuple | list) or len(found) != len(shapes):
            raise Wrong("Three values were promised: tokens, query and answer.")
        for part, shape in zip(found, shapes, strict=True):
            if not isinstance(part, Tensor) or part.dtype != torch.int64:
                raise Wrong("Not all of the three values are tensors of dtype int64.")
            if tuple(part.shape) != shape:
                raise Wrong("The three values do not have one row a sequence.")


@exercise("recall_batch")
@pytest.mark.points(0.5, "generality")
def test_a_sequence_may_hold_one_pair_or_every_key(student: Any, draw: Draw) -> None:
    """One pair is enough, and there may be as many pairs as keys."""
    for pairs in (1, 6):
        batch = _drawn(student, draw, 50, pairs, 6, 4)
        if not all(sound(batch)):
            raise Wrong("With one pair, or with as many pairs as keys, the batch is wrong.")


@exercise("recall_batch")
@pytest.mark.points(0.5, "errors")
def test_a_number_of_pairs_that_cannot_be_is_refused(student: Any) -> None:
    """More pairs than keys, or fewer than one, raise ValueError; its text names both numbers."""
    for pairs, num_keys in ((12, 7), (8, 7), (0, 5), (-2, 6)):
        try:
            student.recall_batch(2, pairs, num_keys, 3, 1)
        except MissingName:
            raise
        except StudentError as error:
            if error.builtin != "ValueError":
                text = "A number of pairs that cannot be raises another error than ValueError."
                raise Wrong(text) from None
            if not all(str(number) in error.message for number in (pairs, num_keys)):
                raise Wrong("The error's text does not name both numbers.") from None
        else:
            raise Wrong("A number of pairs that cannot be is accepted in silence.")


def _drawn(
    student: Any, draw: Draw, batch: int, pairs: int, num_keys: int, num_values: int
) -> Batch:
    """A batch of the student's."""
    return batch_of(student, batch, pairs, num_keys, num_values, draw.integer(1, 10**6))
