"""Hidden graders of 04-multi-head-attention: MultiHeadAttention.

Biases are zero but where they are asked about: a module without any loses those marks alone.
"""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.multi_head_attention.multi_head_module.probe  # noqa: F401 - registers the probe
from autograder.judging import assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_leaves_inputs, assert_no_bias, assert_varied
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.laws import assert_mask_broadcasts, assert_masks_follow_texts
from graders.modules import (
    assert_bias_counts,
    assert_gives_something,
    assert_heads_refused,
    bias_alone,
    mask_of,
    remark_on_no_heads,
    with_loud_values,
)
from graders.multi_head_attention.given_weights import (
    LAYERS,
    assert_masks_obeyed,
    assert_nothing_dropped,
    assert_nothing_leaks,
    assert_output_right,
    assert_padding_does_not_matter,
    assert_tokens_exchangeable,
    assert_weights_right,
    loaded,
    made,
    reference_of,
    weights_of,
)
from graders.two_results import output_of


@exercise("MultiHeadAttention")
@pytest.mark.points(6, "values")
@pytest.mark.devices("cpu", "cuda")
def test_the_heads_findings_come_out_mixed(student: Any, device: str, draw: Draw) -> None:
    """With given weights and no mask, the output is multi-head attention's."""
    weights = weights_of(draw, 12, bias=False)
    module = loaded(student, 12, 3, weights, device)
    reference = reference_of(12, 3, weights, device)
    # Also as many tokens as heads, a single one, a single sequence, many, and new values again.
    for batch, seq in ((2, 5), (2, 3), (2, 1), (1, 36), (2, 5)):
        x = draw.normal(batch, seq, 12, device=device)
        assert_output_right(module(x), reference, x)
    loud, x = with_loud_values(weights), draw.normal(2, 4, 12, device=device)
    module, reference = loaded(student, 12, 3, loud, device), reference_of(12, 3, loud, device)
    assert_output_right(module(x), reference, x)
    # One head is a head, too.
    weights, x = weights_of(draw, 5, bias=False), draw.normal(2, 4, 5, device=device)
    module, reference = loaded(student, 5, 1, weights, device), reference_of(5, 1, weights, device)
    assert_output_right(module(x), reference, x)


@exercise("MultiHeadAttention")
@pytest.mark.points(2, "form")
def test_the_weights_of_every_head_come_back(student: Any, draw: Draw) -> None:
    """The second value returned holds the weights of each head by itself."""
    weights = weights_of(draw, 14, bias=False)
    module, reference = loaded(student, 14, 2, weights), reference_of(14, 2, weights)
    for batch, seq in ((3, 5), (1, 4), (1, 1)):
        x = draw.normal(batch, seq, 14)
        assert_weights_right(module(x), reference, x)
    weights, x = weights_of(draw, 5, bias=False), draw.normal(2, 4, 5)  # one head is a head, too
    module, reference = loaded(student, 5, 1, weights), reference_of(5, 1, weights)
    assert_weights_right(module(x), reference, x)


@exercise("MultiHeadAttention")
@pytest.mark.points(8, "masking")
def test_a_mask_says_who_may_attend_to_whom(student: Any, draw: Draw) -> None:
    """A mask, True where attention is allowed, is obeyed: one for all or one for each head."""
    assert_masks_obeyed(student, draw, (3, 6, 10), 2, ((6, 6), (3, 2, 6, 6)))


@exercise("MultiHeadAttention")
@pytest.mark.points(2, "masking")
def test_a_mask_broadcasts_over_batch_heads_and_queries(student: Any, draw: Draw) -> None:
    """A mask may leave out the batch, or have one row for all queries, such as for padding."""
    # As many heads as sequences: the first of three axes is the heads', as broadcasting has it.
    for batch, heads, masks in (
        (2, 4, ((4, 5, 5), (2, 1, 1, 5), (1, 5))),
        (1, 3, ((5, 5),)),
        (3, 3, ((3, 5, 5), (3, 1, 5, 5))),
    ):
        module, x = made(student, 12, heads), draw.normal(batch, 5, 12)
        for shape in masks:
            mask = mask_of(draw, *shape)
            attend = partial(_attended, module, x)
            assert_mask_broadcasts(attend, mask, (batch, heads, 5, 5), x)
            if len(shape) == 4:
                assert_masks_follow_texts(partial(_attended, module), x, mask)


@exercise("MultiHeadAttention")
@pytest.mark.points(1, "masking")
@pytest.mark.devices("cpu", "cuda")
def test_nothing_forbidden_leaks(student: Any, device: str, draw: Draw) -> None:
    """A token that the mask forbids moves no bit of what comes out elsewhere."""
    assert_nothing_leaks(student, draw, device)


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "masking")
def test_padding_and_other_texts_do_not_matter(student: Any, draw: Draw) -> None:
    """What stands in padding or in another text moves no bit of what real tokens get."""
    assert_padding_does_not_matter(student, draw)


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "values")
def test_tokens_that_change_places_keep_what_they_get(student: Any, draw: Draw) -> None:
    """When tokens change places, with their rows and columns of the mask, outputs go with them."""
    assert_tokens_exchangeable(student, draw)


@exercise("MultiHeadAttention")
@pytest.mark.points(1.5, "gradient")
def test_gradients_reach_input_and_parameters(student: Any, draw: Draw) -> None:
    """The input and all parameters get the right gradients."""
    _assert_gradients_right(student, draw)


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "gradient")
def test_gradients_pass_a_mask(student: Any, draw: Draw) -> None:
    """Under a mask, the input and all parameters get the right gradients."""
    _assert_gradients_right(student, draw, mask=mask_of(draw, 4, 4))


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "numerics")
def test_every_dtype_comes_back_as_it_went_in(student: Any, draw: Draw) -> None:
    """In float64, float16 and bfloat16 the module works, masks and all, and keeps the dtype."""
    weights = weights_of(draw, 12, bias=False)
    module, reference = loaded(student, 12, 2, weights), reference_of(12, 2, weights)
    mask = mask_of(draw, 5, 5)
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        x = draw.normal(3, 5, 12, dtype=dtype)
        module.to(dtype)
        assert_matches(module(x, mask), expected(reference.to(dtype), x, mask))


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "numerics")
def test_large_scores_and_scores_of_zero_are_scores(student: Any, draw: Draw) -> None:
    """Scores far below 0 in one head and of exactly 0 in the other give the right result."""
    weights = {key: w.sign() for key, w in weights_of(draw, 8).items()}
    weights["w_q.bias"][0], weights["w_k.bias"][0] = 300.0, -300.0
    weights["w_q.weight"][4:], weights["w_q.bias"][4:] = 0.0, 0.0
    module, reference = loaded(student, 8, 2, weights), reference_of(8, 2, weights)
    module.to(torch.float64)
    x = (2 * draw.normal(2, 5, 8)).round().double() / 8  # float32 could hold the scores, too
    for mask in (None, mask_of(draw, 5, 5)):
        assert_output_right(module(x, mask), reference.double(), x, mask)


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "values")
def test_without_bias_nothing_is_added(student: Any, draw: Draw) -> None:
    """With `bias=False`, none of the four projections has a bias: from zeros come zeros."""
    module = made(student, 15, 3, bias=False)
    assert_no_bias(module, LAYERS)
    assert_matches(output_of(module(torch.zeros(2, 4, 15))), torch.zeros(2, 4, 15))


@exercise("MultiHeadAttention")
@pytest.mark.points(1, "values")
def test_biases_are_added(student: Any, draw: Draw) -> None:
    """Without a word about it, all four projections have a bias, and from zeros come others."""
    weights = weights_of(draw, 10)
    for layer in ("w_v", "w_o"):
        alone = bias_alone(weights, layer)
        output = output_of(loaded(student, 10, 2, alone)(torch.zeros(2, 4, 10)))
        assert_bias_counts(output, layer)


@exercise("MultiHeadAttention")
@pytest.mark.points(2, "generality")
def test_training_changes_nothing(student: Any, draw: Draw) -> None:
    """In training, the module gives what it gives otherwise: nothing is dropped, or drawn."""
    assert_nothing_dropped(student, draw)


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "errors")
def test_heads_that_do_not_share_d_model_are_refused(student: Any) -> None:
    """Heads that cannot share d_model evenly raise ValueError; its text names both numbers."""
    for d_model, num_heads in ((10, 4), (6, 9)):
        assert_heads_refused(student.MultiHeadAttention, d_model, num_heads)
    assert_gives_something(made(student, 10, 5), torch.ones(1, 2, 10))


@exercise("MultiHeadAttention")
@pytest.mark.remark
@pytest.mark.points(1, "errors")
def test_fewer_heads_than_one_are_refused(student: Any) -> None:
    """No heads, or fewer than none, raise ValueError; its text names both numbers."""
    remark_on_no_heads(student.MultiHeadAttention)


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "generality")
def test_input_and_mask_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """Input and mask, which may be views of other tensors, are the same afterwards."""

    def output(shape: tuple[int, ...] | None) -> object:
        x = draw.normal(5, 2, 6).transpose(0, 1)
        mask = None if shape is None else mask_of(draw, *shape)
        return output_of(made(student, 6, 3)(x, mask=mask))

    assert_leaves_inputs(student, *(partial(output, one) for one in ((5, 5), (2, 1, 1, 5), None)))


@exercise("MultiHeadAttention")
@pytest.mark.points(0.5, "generality")
def test_nothing_is_tied_to_a_device(student: Any, draw: Draw) -> None:
    """Input, mask and module on one device give results on that device."""
    mask = mask_of(draw, 5, 5)

    def results(masked: bool, device: str) -> object:
        module = made(student, 12, 3)
        module.to(device)
        x = torch.ones(2, 5, 12, device=device)
        return module(x, mask.to(device) if masked else None)

    assert_stays_on_meta(partial(results, True), partial(results, False), reading=True)


def _attended(module: Any, x: Tensor, mask: Tensor) -> Any:
    return module(x, mask=mask)


def _assert_gradients_right(student: Any, draw: Draw, **options: Tensor) -> None:
    weights = weights_of(draw, 10)
    module, reference = loaded(student, 10, 5, weights), reference_of(10, 5, weights)
    x, upstream = draw.normal(3, 4, 10), draw.normal(3, 4, 10)
    assert_varied(output_of(module(x, **options)), x)
    found = student.grad(module, x, upstream=upstream, **options)
    assert_gradients_match(found, reference, x, upstream=upstream, **options)
