"""Hidden graders of fuse_qkv and fused_from_projections: three weights in one, and their biases."""

from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.fused_weights.probe  # noqa: F401 - registers the probes
from autograder.checks.kit.errors import StudentError
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged, assert_varied
from autograder.judging.tolerance import agree
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.fused_attention.fused_weights.given_projections import (
    empty,
    fused,
    fused_weights,
    projections,
    projections_of,
    untouched,
)
from graders.fused_attention.given_modules import reference_of
from graders.modules import form
from solutions.fused_attention import reference

PARTS = ("w_q", "w_k", "w_v")


@exercise("fuse_qkv")
@pytest.mark.points(3, "values")
def test_first_all_rows_of_q_then_of_k_then_of_v(student: Any, draw: Draw) -> None:
    """All rows of w_q come first, then those of w_k, then those of w_v."""
    for width in (12, 5, 7, 12):  # the first again, whose new values show a result that was kept
        three = _three(draw, width)
        assert_matches(student.fuse_qkv(*three), expected(reference.fuse_qkv, *three))


@exercise("fuse_qkv")
@pytest.mark.points(1.5, "values")
def test_one_product_gives_what_three_gave(student: Any, draw: Draw) -> None:
    """Each of the three products of an input is found whole in the one with the fused weight."""
    x, three = draw.normal(4, 10), _three(draw, 10)
    weight = student.fuse_qkv(*three)
    assert_varied(weight, reference.fuse_qkv(*three))
    found = (x @ weight.to(x.dtype).mT).chunk(3, dim=-1)  # their order has a test of its own
    for one in three:
        if not any(agree(part, x @ one.mT) for part in found):
            raise Wrong("One of the three products does not come out of the fused weight.")


@exercise("fuse_qkv")
@pytest.mark.points(1, "form")
def test_the_weight_fits_nn_linear(student: Any, draw: Draw) -> None:
    """The weight has three times as many rows as columns, as `nn.Linear` wants it."""
    three = _three(draw, 9)
    assert_varied(student.fuse_qkv(*three), reference.fuse_qkv(*three))


@exercise("fuse_qkv")
@pytest.mark.points(1, "gradient")
def test_gradients_reach_all_three_weights(student: Any, draw: Draw) -> None:
    """Each of the three weights gets the gradient of its own rows."""
    three, upstream = _three(draw, 6), draw.normal(18, 6)
    found = student.grad("fuse_qkv", *three, upstream=upstream)
    assert_gradients_match(found, reference.fuse_qkv, *three, upstream=upstream)


@exercise("fuse_qkv")
@pytest.mark.points(0.5, "numerics")
def test_fusing_keeps_dtype_and_weights(student: Any, draw: Draw) -> None:
    """Weights in half or double precision give one in the same, and are not changed."""
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        three = [weight.to(dtype) for weight in _three(draw, 5)]
        weight = student.fuse_qkv(*three)
        assert_inputs_unchanged(student, weight)
        if weight.dtype != dtype:
            assert_matches(weight, reference.fuse_qkv(*three))


@exercise("fuse_qkv")
@pytest.mark.points(0.5, "generality")
def test_fusing_stays_on_the_device(student: Any) -> None:
    """The weight is on the device of the three, with no detour through the CPU or NumPy."""

    def weight(device: str) -> object:
        return student.fuse_qkv(*(torch.ones(6, 6, device=device) for _ in PARTS))

    assert_stays_on_meta(weight, reading=True)


@exercise("fused_from_projections")
@pytest.mark.points(3, "values")
def test_the_outputs_are_those_of_the_projections(student: Any, draw: Draw) -> None:
    """The module gives what attention with the four projections gives, for any number of heads."""
    for d_model, heads, bias in ((12, 3, True), (10, 5, False), (12, 2, True)):
        given = projections_of(draw, d_model, bias)
        module = fused(student, projections(student, given), heads)
        x = draw.normal(2, 5, d_model)
        right = reference_of(d_model, heads, fused_weights(given))
        assert_matches(module(x), expected(right, x))


@exercise("fused_from_projections")
@pytest.mark.points(2, "values")
def test_the_three_weights_stand_in_qkv(student: Any, draw: Draw) -> None:
    """The weights of q, k and v stand in `qkv.weight`, in this order and as they are."""
    _assert_carried_over(student, draw, "qkv.weight")


@exercise("fused_from_projections")
@pytest.mark.points(1, "values")
def test_the_last_weight_stands_in_out(student: Any, draw: Draw) -> None:
    """The weight of w_o stands in `out.weight` as it is."""
    _assert_carried_over(student, draw, "out.weight")


@exercise("fused_from_projections")
@pytest.mark.points(1.5, "values")
def test_the_biases_come_along(student: Any, draw: Draw) -> None:
    """The biases of q, k and v stand in `qkv.bias` in this order, that of w_o in `out.bias`."""
    _assert_carried_over(student, draw, "qkv.bias")
    _assert_carried_over(student, draw, "out.bias")


@exercise("fused_from_projections")
@pytest.mark.points(1, "values")
def test_without_biases_there_is_none(student: Any, draw: Draw) -> None:
    """Of projections without a bias comes a module without one."""
    given = projections_of(draw, 8, bias=False)
    state = fused(student, projections(student, given), 4).state_dict()
    if "qkv.bias" in state or "out.bias" in state:
        raise Wrong("Your module has a bias that no projection had.")


@exercise("fused_from_projections")
@pytest.mark.points(0.5, "numerics")
def test_the_module_has_the_projections_dtype_and_device(student: Any, draw: Draw) -> None:
    """Projections in another dtype, or on another device, give a module that is like them."""
    for dtype, bias in ((torch.float64, True), (torch.bfloat16, False)):
        given = projections_of(draw, 6, bias=bias, dtype=dtype)
        state = fused(student, projections(student, given), 3).state_dict()
        for name, weight in fused_weights(given).items():
            if form(state.get(name)) != form(weight):
                raise Wrong("Your module is of another dtype or size than the projections.")
    given = projections_of(draw, 6, bias=True)

    def held(device: str) -> object:
        there = {name: value.to(device) for name, value in given.items()}
        return fused(student, projections(student, there), 3).state_dict()

    try:
        assert_stays_on_meta(held, reading=True)
    except StudentError as error:  # `.data` takes a tensor on a GPU, and none without content
        if "incompatible tensor type" not in error.message:
            raise


@exercise("fused_from_projections")
@pytest.mark.points(0.5, "gradient")
def test_the_module_can_learn(student: Any, draw: Draw) -> None:
    """All parameters of the module get a gradient."""
    given = projections_of(draw, 6, bias=True)
    x = draw.normal(2, 4, 6)
    module = fused(student, projections(student, given), 3)
    found = student.grad(module, x, upstream=x).parameters
    if any(found.get(name) is None for name in fused_weights(given)):
        raise Wrong("Some parameter of your module gets no gradient.")
    try:
        module.requires_grad_(False)  # which torch refuses for what is the result of operations
    except StudentError:
        raise Wrong(
            "Some parameter of your module is the result of recorded operations, which no "
            "optimizer can train.",
            "copying-recorded",
        ) from None


@exercise("fused_from_projections")
@pytest.mark.points(0.5, "generality")
def test_the_projections_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The four projections still hold the same weights and biases afterwards."""
    given = projections_of(draw, 6, bias=True)
    layers = projections(student, given)
    fused(student, layers, 2)
    if not all(untouched(layers, given)):
        raise Wrong("Your code changes a projection that it was given.")


@exercise("fused_from_projections")
@pytest.mark.points(0.5, "generality")
def test_the_module_owns_its_numbers(student: Any, draw: Draw) -> None:
    """Other numbers in the module leave those of the four projections as they were."""
    given = projections_of(draw, 6, bias=True)
    layers = projections(student, given)
    empty(fused(student, layers, 2))
    if not all(untouched(layers, given)):
        raise Wrong("When the numbers in your module change, so do those in a projection.")


def _three(draw: Draw, width: int) -> list[Tensor]:
    return [draw.normal(width, width) for _ in PARTS]


def _assert_carried_over(student: Any, draw: Draw, name: str) -> None:
    """Check one parameter of the module, bit for bit: numbers are moved, not computed."""
    for d_model, heads in ((12, 4), (7, 1)):
        given = projections_of(draw, d_model, bias=True)
        state = fused(student, projections(student, given), heads).state_dict()
        if name not in state:
            raise Wrong(f"Your module has no parameter `{name}`.")
        assert_matches(state[name], fused_weights(given)[name], f"`{name}`")
