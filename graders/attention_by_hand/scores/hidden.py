"""Hidden graders of 01-attention-by-hand: dot_product_scores and scaled_scores."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.attention_by_hand.probes  # noqa: F401 - registers the probes
from autograder.checks.kit.errors import Gradients
from autograder.judging import Expected, Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, assert_leaves_inputs, assert_varied
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.laws import Lead, assert_alike_in_front, assert_alike_in_memory, split_view
from solutions.attention_by_hand import reference

Scores = Callable[[Tensor, Tensor], Any]

PLAIN, SCALED = reference.dot_product_scores, reference.scaled_scores

# Queries, keys and d_k; the first once more, with new values that show a result that was kept; and
# axes of length 1, which stay.
SIZES = ((5, 7, 6), (4, 9, 11), (6, 4, 5), (5, 7, 6), (3, 4, 1), (4, 1, 6), (1, 4, 6))


@exercise("dot_product_scores")
@pytest.mark.points(8, "values")
def test_every_score_is_a_plain_dot_product(student: Any, draw: Draw, lead: Lead) -> None:
    """Entry (i, j) is the dot product of query i and key j, as it is."""
    for sizes in SIZES:
        q, k = _queries_and_keys(draw, lead, *sizes)
        wanted = expected(reference.dot_product_scores, q, k)
        assert_matches(student.dot_product_scores(q, k), wanted)


@exercise("dot_product_scores")
@pytest.mark.points(2, "values")
def test_row_i_belongs_to_query_i(student: Any, draw: Draw, lead: Lead) -> None:
    """Row i tells of query i and column j of key j, also with as many queries as keys."""
    _assert_proportional_entries(student, PLAIN, draw, lead)


@exercise("dot_product_scores")
@pytest.mark.points(1, "values")
def test_longer_vectors_have_larger_scores(student: Any, draw: Draw, lead: Lead) -> None:
    """A key twice as long scores twice as much, however long it is; turned round, the opposite."""
    _assert_grown_in_step(student, PLAIN, draw, lead)


@exercise("dot_product_scores")
@pytest.mark.points(2, "generality")
def test_a_batch_and_heads_may_stand_in_front(student: Any, draw: Draw) -> None:
    """Queries and keys may have any number of leading dimensions: none, one, two or more."""
    _assert_any_in_front(student, PLAIN, draw)


@exercise("dot_product_scores")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_heads_of_a_split_tensor_will_do(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries and keys may be views of larger tensors, as the heads of a split tensor are."""
    assert_alike_in_memory(student.dot_product_scores, PLAIN, *_views(draw, lead))


@exercise("dot_product_scores")
@pytest.mark.points(2, "gradient")
def test_both_sides_can_learn(student: Any, draw: Draw, lead: Lead) -> None:
    """Both the queries and the keys get the right gradient, up to the scale."""
    _assert_gradients_up_to_scale(student, PLAIN, draw, lead)


@exercise("dot_product_scores")
@pytest.mark.points(0.5, "numerics")
def test_scores_have_the_dtype_of_the_queries(student: Any, draw: Draw, lead: Lead) -> None:
    """In bfloat16, float16 and float64, scores are right up to the scale, and keep the dtype."""
    _assert_half_precision(student, PLAIN, draw, lead)


@exercise("dot_product_scores")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_neither_side_is_changed(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    _assert_left_alone(student, PLAIN, draw, lead)


@exercise("dot_product_scores")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_products_stay_on_the_device_of_the_queries(student: Any, lead: Lead) -> None:
    """The scores are made on the device of q and k, with no detour through the CPU or NumPy."""
    _assert_scores_on_meta(student, PLAIN, lead)


@exercise("scaled_scores")
@pytest.mark.points(10, "values")
def test_dot_products_are_divided_by_the_root_of_d_k(student: Any, draw: Draw, lead: Lead) -> None:
    """The scores are the dot products divided by sqrt(d_k), whatever the other sizes are."""
    for sizes in SIZES:
        q, k = _queries_and_keys(draw, lead, *sizes)
        assert_matches(student.scaled_scores(q, k), expected(reference.scaled_scores, q, k))


@exercise("scaled_scores")
@pytest.mark.points(2, "values")
def test_entry_ij_compares_query_i_with_key_j(student: Any, draw: Draw, lead: Lead) -> None:
    """Entry (i, j) is proportional to the dot product of query i and key j, long or short."""
    _assert_proportional_entries(student, SCALED, draw, lead)
    _assert_grown_in_step(student, SCALED, draw, lead)


@exercise("scaled_scores")
@pytest.mark.points(2, "generality")
def test_any_number_of_leading_dimensions(student: Any, draw: Draw) -> None:
    """Queries and keys may have any number of leading dimensions: none, one, two or more."""
    _assert_any_in_front(student, SCALED, draw)


@exercise("scaled_scores")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_queries_and_keys_may_be_views(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries and keys may be views of larger tensors, as the heads of a split tensor are."""
    assert_alike_in_memory(student.scaled_scores, SCALED, *_views(draw, lead))


@exercise("scaled_scores")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_queries_and_keys(student: Any, draw: Draw, lead: Lead) -> None:
    """Both the queries and the keys get the right gradient, up to the scale."""
    _assert_gradients_up_to_scale(student, SCALED, draw, lead)


@exercise("scaled_scores")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_is_kept(student: Any, draw: Draw, lead: Lead) -> None:
    """In bfloat16, float16 and float64, scores are right up to the scale, and keep the dtype."""
    _assert_half_precision(student, SCALED, draw, lead)


@exercise("scaled_scores")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_queries_and_keys_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    _assert_left_alone(student, SCALED, draw, lead)


@exercise("scaled_scores")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_scores_stay_on_the_device_of_the_queries(student: Any, lead: Lead) -> None:
    """The scores are made on the device of q and k, with no detour through the CPU or NumPy."""
    _assert_scores_on_meta(student, SCALED, lead)


def _queries_and_keys(
    draw: Draw, lead: Lead, queries: int, keys: int, d_k: int
) -> tuple[Tensor, Tensor]:
    return draw.normal(*lead, queries, d_k), draw.normal(*lead, keys, d_k)


def _views(draw: Draw, lead: Lead) -> Iterator[Tensor]:
    """Queries and keys as heads of split tensors."""
    return (split_view(draw, lead, 6, 6) for _ in "qk")


def _assert_proportional(student: Any, trusted: Scores, q: Tensor, k: Tensor) -> None:
    """The scale has a test of its own: a wrong one must not cost here again."""
    scores = getattr(student, trusted.__name__)(q, k)
    wanted = expected(trusted, q, k)
    factor = _factor(scores, wanted)
    if scores.dtype != q.dtype:
        assert_matches(scores, wanted)
    assert_matches((scores.double() / factor).to(scores.dtype), wanted)


def _assert_proportional_entries(student: Any, trusted: Scores, draw: Draw, lead: Lead) -> None:
    for queries, keys in ((6, 8), (5, 5)):  # as many queries as keys is how it is used most
        q, k = _queries_and_keys(draw, lead, queries, keys, 10)
        _assert_proportional(student, trusted, q, k)


def _assert_any_in_front(student: Any, trusted: Scores, draw: Draw) -> None:
    answer = getattr(student, trusted.__name__)
    assert_alike_in_front(answer, trusted, lambda lead: _queries_and_keys(draw, lead, 6, 6, 6))


def _assert_left_alone(student: Any, trusted: Scores, draw: Draw, lead: Lead) -> None:
    scores_of = getattr(student, trusted.__name__)
    given = (_queries_and_keys(draw, lead, *sizes) for sizes in ((5, 7, 6), (3, 7, 6), (4, 4, 4)))
    assert_leaves_inputs(student, *(partial(scores_of, q, k) for q, k in given))


def _assert_grown_in_step(student: Any, trusted: Scores, draw: Draw, lead: Lead) -> None:
    """Scores grow with the length of a key, however long it is, and change sign with it."""
    q, k = _queries_and_keys(draw, lead, 5, 4, 7)
    wanted, scores_of = trusted(q, k), getattr(student, trusted.__name__)
    scores = scores_of(q, k)
    assert_varied(scores, wanted)
    for factor in (2.0, -1.0, 2.0**14, 2.0**-14):
        grown = scores_of(q, factor * k)
        assert_varied(grown, wanted)
        symptom = "A score does not grow in step with the length of its key."
        assert_agree(grown, factor * scores, symptom)


def _assert_gradients_up_to_scale(student: Any, trusted: Scores, draw: Draw, lead: Lead) -> None:
    q, k = _queries_and_keys(draw, lead, 4, 5, 6)
    _assert_proportional(student, trusted, q, k)
    upstream = draw.normal(*lead, 4, 5)
    found = student.grad(trusted.__name__, q, k, upstream=upstream)
    factor = _factor(found.value, expected(trusted, q, k))
    inputs = tuple(None if grad is None else grad / factor for grad in found.inputs)
    rescaled = Gradients(found.value, inputs, {})
    assert_gradients_match(rescaled, trusted, q, k, upstream=upstream)


def _assert_half_precision(student: Any, trusted: Scores, draw: Draw, lead: Lead) -> None:
    # Dot products that float16 can hold, by a factor of six, but no thirty times as much.
    for dtype, scale in ((torch.bfloat16, 1.0), (torch.float16, 20.0), (torch.float64, 1.0)):
        q = draw.normal(*lead, 9, 30, dtype=dtype, scale=scale)
        k = draw.normal(*lead, 7, 30, dtype=dtype, scale=scale)
        _assert_proportional(student, trusted, q, k)


def _assert_scores_on_meta(student: Any, trusted: Scores, lead: Lead) -> None:
    scores_of = getattr(student, trusted.__name__)

    def scores(queries: int, keys: int, device: str) -> object:
        return scores_of(*(torch.ones(*lead, n, 6, device=device) for n in (queries, keys)))

    assert_stays_on_meta(partial(scores, 5, 7), partial(scores, 6, 6), reading=True)


def _factor(scores: object, wanted: Expected) -> float:
    """The factor between scores and the right ones, after a check of the scores' form."""
    exact = wanted.exact
    assert isinstance(exact, Tensor)
    assert_varied(scores, exact)
    assert isinstance(scores, Tensor)
    factor = ((scores.double() * exact).sum() / (exact * exact).sum()).item()
    if not 0 < factor < float("inf"):
        raise Wrong("The scores do not grow with the dot product of their query and key.")
    return factor
