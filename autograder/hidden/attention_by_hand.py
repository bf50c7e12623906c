"""Hidden graders of 01-attention-by-hand: softmax, scaled_scores and attention_weights."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import autograder.hidden.attention_probe  # noqa: F401 - registers the probes
from autograder.checks.errors import Gradients
from autograder.judging import (
    Wrong,
    assert_gradients_match,
    assert_matches,
    assert_stays_on_meta,
    exercise,
    expected,
)
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged, assert_varied
from solutions import attention_by_hand as reference


@exercise("softmax")
@pytest.mark.points(3)
def test_shares_are_exponentials_over_their_sum(student: Any, draw: Draw) -> None:
    """Along the last axis, the shares are exp(x) divided by the sum of exp(x)."""
    again = (2, 5, 6)  # a shape once more, whose new values show a result that was kept
    for x in (draw.array(7), draw.array(*again), _steps(draw), draw.array(*again)):
        assert_matches(student.softmax(x), expected(reference.softmax, x))


@exercise("softmax")
@pytest.mark.points(2)
def test_axis_says_along_which_axis_shares_sum_to_one(student: Any, draw: Draw) -> None:
    """`axis` is obeyed: the shares sum to one along that axis, whichever it is."""
    x, y = draw.array(5, 7), draw.array(2, 3, 6)
    assert_matches(student.softmax(x, axis=0), expected(reference.softmax, x, axis=0))
    assert_matches(student.softmax(y, 1), expected(reference.softmax, y, 1))


@exercise("softmax")
@pytest.mark.points(2)
def test_large_scores_give_finite_shares(student: Any, draw: Draw) -> None:
    """Scores of ten thousand, and rows far apart from each other, give the right finite shares."""
    x = np.round(64 * draw.array(6, 5)) / 64  # few digits, so that float32 could hold them too
    x[:3] *= 1e4
    x[3:] += np.array([[1000.0], [-1000.0], [0.0]])
    assert_matches(student.softmax(x), expected(reference.softmax, x))


@exercise("softmax")
@pytest.mark.points(1)
def test_adding_a_constant_to_the_scores_changes_nothing(student: Any, draw: Draw) -> None:
    """Adding one number to all scores of a row leaves the shares as they were."""
    x = draw.array(4, 9)
    shares, shifted = student.softmax(x), student.softmax(x + draw.array(4, 1, scale=3.0))
    for result in (shares, shifted):
        assert_varied(result, x)
    if not np.allclose(shares, shifted, rtol=0, atol=1e-6 * np.abs(shares).max()):
        raise Wrong("Adding one number to all scores of a row changes its shares.")


@exercise("softmax")
@pytest.mark.points(0.5)
def test_dtype_is_kept(student: Any, draw: Draw) -> None:
    """Scores in float32 give shares in float32, and scores in float16 give float16."""
    for dtype in (np.float32, np.float16):
        x = draw.array(3, 8, dtype=dtype)
        assert_matches(student.softmax(x), expected(reference.softmax, x))


@exercise("softmax")
@pytest.mark.points(0.5)
def test_scores_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The array that is passed in still holds the same values afterwards."""
    for x in (draw.array(6, 4), draw.array(2, 3, 5, scale=1e3)):
        assert_inputs_unchanged(student, student.softmax(x))


def _steps(draw: Draw) -> np.ndarray:
    """Rows of scores half a unit apart, so that some shares are a few millionths, in any order."""
    steps = -0.5 * np.arange(29) + 0.1 * draw.array(3, 29)
    return np.roll(steps, draw.integer(1, 28), axis=-1)


@exercise("scaled_scores")
@pytest.mark.points(6)
def test_dot_products_are_divided_by_the_root_of_d_k(student: Any, draw: Draw) -> None:
    """The scores are the dot products divided by sqrt(d_k), whatever the other sizes are."""
    again = ((2,), 5, 7, 6)  # once more, with new values that show a result that was kept
    for lead, queries, keys, d_k in (again, ((), 4, 9, 11), ((3, 2), 6, 4, 5), again):
        q = draw.normal(*lead, queries, d_k, dtype=torch.float64)
        k = draw.normal(*lead, keys, d_k, dtype=torch.float64)
        assert_matches(student.scaled_scores(q, k), expected(reference.scaled_scores, q, k))


@exercise("scaled_scores")
@pytest.mark.points(2)
def test_entry_ij_compares_query_i_with_key_j(student: Any, draw: Draw) -> None:
    """Entry (i, j) is proportional to the dot product of query i and key j."""
    for queries, keys in ((6, 8), (5, 5)):  # as many queries as keys is how it is used most
        q = draw.normal(3, queries, 10, dtype=torch.float64)
        k = draw.normal(3, keys, 10, dtype=torch.float64)
        _assert_proportional(student.scaled_scores(q, k), q, k)


@exercise("scaled_scores")
@pytest.mark.points(1)
def test_any_number_of_leading_dimensions(student: Any, draw: Draw) -> None:
    """Queries and keys may have no, two or more leading dimensions."""
    for lead in ((), (2, 3), (2, 1, 3)):
        q = draw.normal(*lead, 5, 6, dtype=torch.float64)
        k = draw.normal(*lead, 7, 6, dtype=torch.float64)
        _assert_proportional(student.scaled_scores(q, k), q, k)


@exercise("scaled_scores")
@pytest.mark.points(0.5)
def test_queries_and_keys_may_be_views(student: Any, draw: Draw) -> None:
    """Queries and keys may be views of larger tensors, as the heads of a split tensor are."""
    q = draw.normal(2, 5, 3, 6, dtype=torch.float64).transpose(1, 2)
    k = draw.normal(2, 7, 3, 6, dtype=torch.float64).transpose(1, 2)
    _assert_proportional(student.scaled_scores(q, k), q, k)


@exercise("scaled_scores")
@pytest.mark.points(1)
def test_gradients_reach_queries_and_keys(student: Any, draw: Draw) -> None:
    """Both the queries and the keys get the right gradient, up to the scale."""
    q, k = draw.normal(2, 4, 6, dtype=torch.float64), draw.normal(2, 5, 6, dtype=torch.float64)
    upstream = draw.normal(2, 4, 5, dtype=torch.float64)
    found = student.grad("scaled_scores", q, k, upstream=upstream)
    factor = _factor(found.value, q, k)
    rescaled = tuple(None if grad is None else grad / factor for grad in found.inputs)
    assert_gradients_match(
        Gradients(found.value, rescaled, {}), reference.scaled_scores, q, k, upstream=upstream
    )


@exercise("scaled_scores")
@pytest.mark.points(0.5)
def test_half_precision_is_kept(student: Any, draw: Draw) -> None:
    """Inputs in bfloat16 and float16 give scores in the same dtype, large ones too."""
    # Dot products that float16 can hold, by a factor of six, but no thirty times as much.
    for dtype, scale in ((torch.bfloat16, 1.0), (torch.float16, 20.0)):
        q = draw.normal(2, 5, 30, dtype=dtype, scale=scale)
        k = draw.normal(2, 3, 30, dtype=dtype, scale=scale)
        _assert_proportional(student.scaled_scores(q, k), q, k)


@exercise("scaled_scores")
@pytest.mark.points(0.5)
def test_queries_and_keys_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    for lead in ((), (2, 3)):
        result = student.scaled_scores(draw.normal(*lead, 5, 6), draw.normal(*lead, 7, 6))
        assert_inputs_unchanged(student, result)


@exercise("scaled_scores")
@pytest.mark.points(0.5)
def test_scores_stay_on_the_device_of_the_queries(student: Any) -> None:
    """The scores are made on the device of q and k, with no detour through the CPU or NumPy."""
    q, k = torch.empty(2, 5, 6, device="meta"), torch.empty(2, 7, 6, device="meta")
    wanted = torch.empty(2, 5, 7, device="meta")
    assert_stays_on_meta(lambda: student.scaled_scores(q, k), wanted, reading=True)


def _factor(scores: object, q: Tensor, k: Tensor) -> float:
    """The factor between scores and plain dot products, after a check of the scores' form."""
    exact = q.double() @ k.double().mT
    assert_varied(scores, exact)
    assert isinstance(scores, Tensor)
    factor = ((scores.double() * exact).sum() / (exact * exact).sum()).item()
    if not 0 < factor < float("inf"):
        raise Wrong("The scores do not grow with the dot product of their query and key.")
    return factor * q.shape[-1] ** 0.5


def _assert_proportional(scores: object, q: Tensor, k: Tensor) -> None:
    """The scale has a test of its own: a wrong one must not cost here again."""
    wanted = expected(reference.scaled_scores, q, k)
    factor = _factor(scores, q, k)
    assert isinstance(scores, Tensor)
    if scores.dtype != q.dtype:
        assert_matches(scores, wanted)
    rescaled = (scores.double() / factor).to(scores.dtype)
    assert_matches(rescaled, wanted)


@exercise("attention_weights")
@pytest.mark.points(3)
def test_rows_are_softmax_over_the_keys(student: Any, draw: Draw) -> None:
    """Each row is softmax of that query's scores."""
    drawn = [draw.normal(*shape, dtype=torch.float64) for shape in ((5, 7), (2, 6, 4), (2, 5, 5))]
    again = draw.normal(2, 6, 4, dtype=torch.float64)  # new values show a result that was kept
    for scores in (*drawn, torch.from_numpy(_steps(draw)), again):
        wanted = expected(reference.attention_weights, scores)
        assert_matches(student.attention_weights(scores), wanted)


@exercise("attention_weights")
@pytest.mark.points(1.5)
def test_each_query_shares_out_a_total_of_one(student: Any, draw: Draw) -> None:
    """The weights of every query are positive and sum to one over the keys."""
    scores = draw.normal(3, 4, 9, dtype=torch.float64)
    weights = student.attention_weights(scores)
    assert_varied(weights, scores)
    if bool((weights < 0).any()):
        raise Wrong("Some of the weights are negative.")
    if bool(((weights.sum(-1) - 1).abs() > 1e-4).any()) or bool(weights.isnan().any()):
        assert_matches(weights, expected(reference.attention_weights, scores))


@exercise("attention_weights")
@pytest.mark.points(1)
def test_reordering_the_keys_reorders_the_weights(student: Any, draw: Draw) -> None:
    """When the keys change places, each key's weight goes with it."""
    scores = draw.normal(5, 8, dtype=torch.float64)
    weights, turned = student.attention_weights(scores), student.attention_weights(scores.flip(-1))
    for result in (weights, turned):
        assert_varied(result, scores)
    if not torch.allclose(weights.flip(-1).double(), turned.double(), rtol=0, atol=1e-6):
        raise Wrong("A key's weight depends on where among the keys it stands.")


@exercise("attention_weights")
@pytest.mark.points(1)
def test_large_scores_give_finite_weights(student: Any, draw: Draw) -> None:
    """Scores of ten thousand, and rows far apart from each other, give the right finite weights."""
    # Few digits, so that float32 could hold them too.
    scores = (64 * draw.normal(6, 5, dtype=torch.float64)).round() / 64
    scores[:3] *= 1e4
    scores[3:] += torch.tensor([[1000.0], [-1000.0], [0.0]])
    assert_matches(student.attention_weights(scores), expected(reference.attention_weights, scores))


@exercise("attention_weights")
@pytest.mark.points(1)
def test_leading_dimensions_are_kept_apart(student: Any, draw: Draw) -> None:
    """With batch and heads in front, each query still has its own softmax."""
    heads_behind = draw.normal(2, 5, 3, 7, dtype=torch.float64).transpose(1, 2)
    for scores in (heads_behind, draw.normal(2, 2, 3, 5, 4, dtype=torch.float64)):
        wanted = expected(reference.attention_weights, scores)
        assert_matches(student.attention_weights(scores), wanted)


@exercise("attention_weights")
@pytest.mark.points(1)
def test_gradients_reach_the_scores(student: Any, draw: Draw) -> None:
    """The scores get the right gradient."""
    scores, upstream = (draw.normal(4, 6, dtype=torch.float64) for _ in range(2))
    found = student.grad("attention_weights", scores, upstream=upstream)
    assert_gradients_match(found, reference.attention_weights, scores, upstream=upstream)


@exercise("attention_weights")
@pytest.mark.points(0.5)
def test_half_precision_weights_keep_their_dtype(student: Any, draw: Draw) -> None:
    """Scores in bfloat16 and float16 give weights in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16):
        scores = draw.normal(2, 5, 7, dtype=dtype)
        wanted = expected(reference.attention_weights, scores)
        assert_matches(student.attention_weights(scores), wanted)


@exercise("attention_weights")
@pytest.mark.points(0.5)
def test_the_scores_tensor_is_left_as_it_was(student: Any, draw: Draw) -> None:
    """The tensor that is passed in still holds the same values afterwards."""
    for scores in (draw.normal(4, 9), draw.normal(2, 3, 5, 7, scale=1e3)):
        assert_inputs_unchanged(student, student.attention_weights(scores))


@exercise("attention_weights")
@pytest.mark.points(0.5)
def test_weights_stay_on_the_device_of_the_scores(student: Any) -> None:
    """The weights are made on the device of the scores, with no detour through the CPU or NumPy."""
    scores = torch.empty(2, 5, 7, device="meta")
    assert_stays_on_meta(lambda: student.attention_weights(scores), scores, reading=True)
