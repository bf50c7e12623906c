"""Hidden graders of 02-self-attention: project_qkv."""

import math
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.self_attention.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_leaves_inputs, assert_varied
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.laws import Lead, assert_alike_in_front, assert_alike_in_memory
from solutions.self_attention import reference

Given = tuple[Tensor, Tensor, Tensor, Tensor]


@exercise("project_qkv")
@pytest.mark.points(4, "values")
def test_each_token_is_multiplied_by_each_of_the_matrices(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Queries, keys and values are the tokens times W_q, W_k and W_v, in this order."""
    # The first sizes once more, with new values that show a result that was kept; axes of 1 stay.
    for sizes in ((5, 11, 6, 10), (4, 3, 7, 2), (6, 5, 5, 5), (5, 11, 6, 10), (1, 4, 6, 3)):
        given = _given(draw, lead, *sizes)
        assert_matches(student.project_qkv(*given), expected(reference.project_qkv, *given))


@exercise("project_qkv")
@pytest.mark.points(1, "values")
def test_a_tokens_projections_depend_on_that_token_alone(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Changing one token changes its own query, key and value, and no other's."""
    x, *weights = _given(draw, lead, 6, 5, 5, 5)
    token = draw.integer(1, 4)
    changed = x.clone()
    changed[..., token, :] = draw.normal(*lead, 5)
    wanted = reference.project_qkv(x, *weights)
    before, again, after = (_three(student.project_qkv(one, *weights)) for one in (x, x, changed))
    for one, once_more, other, right in zip(before, again, after, wanted, strict=True):
        for part in (one, other):
            assert_varied(part, right)
        if bool(((one - once_more).abs() > 1e-5).any()):
            raise Wrong("Your code gives another result for the same input: it is random.")
        moved = ((one - other).abs() > 1e-5).any(-1)  # (..., seq)
        if not bool(moved[..., token].all()):
            raise Wrong("A token's query, key or value stays the same for another token.")
        if int(moved.sum()) != math.prod(lead):
            raise Wrong("A token's query, key or value depends on other tokens than itself.")


@exercise("project_qkv")
@pytest.mark.points(1, "form")
def test_each_result_has_the_width_of_its_own_matrix(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries and keys are d_k wide and values d_v, whatever d_model is."""
    for d_model, d_k, d_v in ((9, 4, 12), (3, 8, 5)):
        _assert_form(student, _given(draw, lead, 7, d_model, d_k, d_v))


@exercise("project_qkv")
@pytest.mark.points(1.5, "generality")
def test_any_number_of_dimensions_may_stand_in_front(student: Any, draw: Draw) -> None:
    """The tokens may come alone, in a batch, or in a batch of batches, also as views."""
    _, *weights = _given(draw, (), 5, 7, 7, 7)

    def project(x: Tensor) -> Any:
        return student.project_qkv(x, *weights)

    def right(x: Tensor) -> Any:
        return reference.project_qkv(x, *weights)

    assert_alike_in_front(project, right, lambda lead: (draw.normal(*lead, 5, 7),))
    assert_alike_in_memory(project, right, draw.normal(5, 2, 7).transpose(0, 1))


@exercise("project_qkv")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_tokens_and_matrices(student: Any, draw: Draw, lead: Lead) -> None:
    """The tokens and each matrix get the right gradient from all three results."""
    given = _given(draw, lead, 5, 7, 4, 6)
    _assert_form(student, given)
    upstream = tuple(draw.normal(*lead, 5, wide) for wide in (4, 4, 6))
    found = student.grad("project_qkv", *given, upstream=upstream)
    assert_gradients_match(found, reference.project_qkv, *given, upstream=upstream)


@exercise("project_qkv")
@pytest.mark.points(0.5, "numerics")
def test_projections_in_half_precision_keep_their_dtype(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Tokens and matrices in bfloat16, float16 and float64 give right results in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        given = _given(draw, lead, 5, 7, 4, 6, dtype)
        assert_matches(student.project_qkv(*given), expected(reference.project_qkv, *given))


@exercise("project_qkv")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_tokens_and_matrices_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    given = (_given(draw, lead, 5, *wide) for wide in ((7, 4, 6), (7, 3, 6), (5, 5, 5)))
    assert_leaves_inputs(student, *(partial(student.project_qkv, *four) for four in given))


@exercise("project_qkv")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_projections_stay_on_the_device_of_the_tokens(student: Any, draw: Draw, lead: Lead) -> None:
    """All three are made on the device of the tokens, with no detour through the CPU or NumPy."""

    def project(wide: tuple[int, int, int], device: str) -> object:
        return student.project_qkv(*(one.to(device) for one in _given(draw, lead, 5, *wide)))

    assert_stays_on_meta(partial(project, (7, 4, 6)), partial(project, (5, 5, 5)), reading=True)


def _given(
    draw: Draw,
    lead: Lead,
    seq: int,
    d_model: int,
    d_k: int,
    d_v: int,
    dtype: torch.dtype = torch.float32,
) -> Given:
    """Tokens and the three matrices."""
    x = draw.normal(*lead, seq, d_model, dtype=dtype)
    w_q, w_k, w_v = (draw.normal(d_model, wide, dtype=dtype) for wide in (d_k, d_k, d_v))
    return x, w_q, w_k, w_v


def _assert_form(student: Any, given: Given) -> None:
    """Refuse results of another number, type or shape than was promised."""
    found = _three(student.project_qkv(*given))
    for part, right in zip(found, reference.project_qkv(*given), strict=True):
        assert_varied(part, right)


def _three(found: object) -> tuple[Any, Any, Any]:
    """The three values that were promised.

    Raises:
        Wrong: something else came back.
    """
    if not isinstance(found, tuple | list) or len(found) != 3:
        raise Wrong("Three values were promised: the queries, the keys and the values.")
    return found[0], found[1], found[2]
