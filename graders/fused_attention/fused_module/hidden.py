"""Hidden graders of 05-fused-attention: FusedMultiHeadAttention.

Biases are zero but where they are asked about: a module without any loses those marks alone.
"""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.fused_module.probe  # noqa: F401 - registers the probe
from autograder.judging import Wrong, assert_matches, exercise, expected, sure_of
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, assert_leaves_inputs
from autograder.judging.tolerance import agree
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.fused_attention.given_modules import (
    MOST_CAUSAL,
    MOST_PLAIN,
    RARE_DROPOUT,
    dropped_weights,
    forbidden_leaks,
    future_leaks,
    growth_with_length,
    loaded,
    loud_token_leaks,
    made,
    reference_of,
    texts_meet,
    weights_of,
    with_loud_values,
)
from graders.fused_attention.given_structure import table_in_module
from graders.laws import assert_mask_broadcasts, assert_masks_follow_texts, output_like
from graders.modules import (
    assert_bias_counts,
    assert_gives_something,
    assert_heads_refused,
    bias_alone,
    form,
    mask_of,
    remark_on_no_heads,
    size_of,
)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(5, "values")
@pytest.mark.devices("cpu", "cuda")
def test_every_position_attends_to_all(student: Any, device: str, draw: Draw) -> None:
    """With given weights and no mask, the output is multi-head attention's."""
    weights = weights_of(draw, 12, bias=False)
    module, reference = (
        loaded(student, 12, 3, weights, device),
        reference_of(12, 3, weights, device),
    )
    for seq in (5, 3, 1, 5):  # also as many tokens as heads, a single one, and new values again
        x = draw.normal(2, seq, 12, device=device)
        assert_matches(module(x), expected(reference, x))
    loud, x = with_loud_values(weights), draw.normal(2, 4, 12, device=device)
    module, reference = loaded(student, 12, 3, loud, device), reference_of(12, 3, loud, device)
    assert_matches(module(x), expected(reference, x))


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "generality")
def test_the_input_may_be_a_view(student: Any, draw: Draw) -> None:
    """The input may be a view of another tensor, such as one whose positions came first."""
    module, x = made(student, 12, 3), draw.normal(6, 2, 12).transpose(0, 1)
    plain = output_like(module(x.contiguous()), x)
    with sure_of("order-of-memory-assumed"):
        symptom = "A view of another tensor gives something else than its copy."
        assert_agree(output_like(module(x), x), plain, symptom)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "values")
def test_without_bias_nothing_is_added(student: Any, draw: Draw) -> None:
    """With `bias=False`, neither projection adds a bias: from zeros come zeros."""
    module = made(student, 14, 2, bias=False)
    assert_matches(module(torch.zeros(3, 4, 14)), torch.zeros(3, 4, 14))


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "values")
def test_biases_are_added(student: Any, draw: Draw) -> None:
    """Without a word about it, both projections have a bias, and from zeros come others."""
    weights = weights_of(draw, 10)
    for layer in ("qkv", "out"):
        output = loaded(student, 10, 2, bias_alone(weights, layer))(torch.zeros(2, 4, 10))
        assert_bias_counts(output, layer)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(14, "masking")
def test_a_mask_says_who_may_attend_to_whom(student: Any, draw: Draw) -> None:
    """A mask, True where attention is allowed, is obeyed: one for all or one for each head."""
    weights = weights_of(draw, 10, bias=False)
    module, reference = loaded(student, 10, 2, weights), reference_of(10, 2, weights)
    x = draw.normal(3, 6, 10)
    for shape in ((6, 6), (3, 2, 6, 6)):
        mask = mask_of(draw, *shape)
        assert_matches(module(x, mask), expected(reference, x, mask))


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(5, "masking")
def test_a_mask_broadcasts_over_batch_heads_and_queries(student: Any, draw: Draw) -> None:
    """A mask may leave out the batch, or have one row for all queries, such as for padding."""
    # As many sequences as heads, too: the first of three axes is the heads', as broadcasting has
    # it. At last one head.
    for heads, batch, shape in (
        (4, 2, (4, 5, 5)),
        (4, 2, (2, 1, 1, 5)),
        (4, 4, (4, 5, 5)),
        (4, 4, (4, 1, 5, 5)),
        (1, 3, (3, 1, 1, 5)),
    ):
        module, x = made(student, 12, heads), draw.normal(batch, 5, 12)
        mask = mask_of(draw, *shape)
        attend = partial(_attended, module, x)
        assert_mask_broadcasts(attend, mask, (batch, heads, 5, 5), x)
        if len(shape) == 4:
            assert_masks_follow_texts(partial(_attended, module), x, mask)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(2, "masking")
@pytest.mark.devices("cpu", "cuda")
def test_causal_positions_attend_to_the_past(student: Any, device: str, draw: Draw) -> None:
    """With `is_causal=True`, position i attends to positions 0 to i."""
    weights = weights_of(draw, 15, bias=False)
    module, reference = (
        loaded(student, 15, 5, weights, device),
        reference_of(15, 5, weights, device),
    )
    x = draw.normal(2, 7, 15, device=device)
    assert_matches(module(x, is_causal=True), expected(reference, x, is_causal=True))


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(2, "masking")
@pytest.mark.devices("cpu", "cuda")
def test_nothing_forbidden_leaks(student: Any, device: str, draw: Draw) -> None:
    """Under `is_causal=True` or a mask, what is forbidden moves no bit of what comes out."""
    if future_leaks(student, draw, device):
        raise Wrong("A change in the future changes what comes out for the past.")
    if forbidden_leaks(student, draw, device):
        raise Wrong("A change of a token that the mask forbids changes what comes out elsewhere.")
    if texts_meet(student, draw, device):
        raise Wrong("A change in one text of the batch changes what comes out for another.")
    if loud_token_leaks(student, draw, device):
        raise Wrong(
            "Where its score is large, a token that is forbidden is attended to.", "fill-too-soft"
        )


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "masking")
def test_the_future_gets_no_gradient(student: Any, draw: Draw) -> None:
    """With `is_causal=True`, what comes out for the past sends no gradient into the future."""
    now, upstream = 3, draw.normal(2, 6, 10)
    upstream[:, now:] = 0
    module = loaded(student, 10, 2, weights_of(draw, 10, bias=False))
    found = student.grad(module, draw.normal(2, 6, 10), upstream=upstream, is_causal=True)
    gradient = found.inputs[0]
    if (
        form(gradient) != form(upstream)
        or gradient is None
        or not bool((gradient[:, :now] != 0).any())
    ):
        raise Wrong("No gradient reaches the input.")
    if bool((gradient[:, now:] != 0).any()):
        raise Wrong("What comes out for the past still depends on the future.")


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(2, "masking")
def test_a_mask_and_is_causal_both_apply(student: Any, draw: Draw) -> None:
    """A mask together with `is_causal=True` allows only what both allow."""
    module = made(student, 9, 3, dropout=RARE_DROPOUT)
    for batch, seq, shape in ((2, 6, (6, 6)), (2, 6, (2, 1, 1, 6)), (1, 150, (150, 150))):
        x, mask = draw.normal(batch, seq, 9), mask_of(draw, *shape)
        mask[..., 2] = True  # which is_causal forbids the first two tokens
        past = torch.ones(seq, seq, dtype=torch.bool).tril()
        together = output_like(module(x, mask=mask, is_causal=True), x)
        written_out = output_like(module(x, mask=(mask & past)), x)
        symptom = "A mask with is_causal gives something else than one mask that says both."
        assert_agree(together, written_out, symptom)
        if agree(together, output_like(module(x, mask=mask), x)):
            raise Wrong("Beside a mask, is_causal forbids nothing.")


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "values")
def test_evaluation_has_no_dropout(student: Any, draw: Draw) -> None:
    """In evaluation, a module made with dropout gives the output without dropout."""
    module, without = made(student, 6, 2, dropout=0.5), made(student, 6, 2)
    without.load_state_dict(module.state_dict())
    x = draw.normal(3, 5, 6)
    for one in (module, without):
        one.eval()
    for given, masks in ((x, {}), *((x[:, :1], masks) for masks in _masks_of_one_token())):
        found, plain = (output_like(one(given, **masks), given) for one in (module, without))
        symptom = "In evaluation, dropout changes what comes out."
        assert_agree(found, plain, symptom)
    if agree(output_like(module(x), x), output_like(module(draw.normal(3, 5, 6)), x)):
        raise Wrong("In evaluation, any input gives the same output.")


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "values")
def test_training_drops_attention_weights(student: Any, draw: Draw) -> None:
    """In training, dropout drops whole attention weights and scales up the others."""
    for masks in _masks_of_one_token():
        where = f" with {' and '.join(masks)}" if masks else ""
        match dropped_weights(student, draw, heads=2, d_head=3, **masks):
            case "none":
                raise Wrong(f"In training{where}, nothing is dropped.")
            case "same":
                raise Wrong(f"In training{where}, every call drops the same weights.")
            case "other":
                raise Wrong(
                    f"In training{where}, dropout does not drop weights and scale up the others "
                    "once."
                )


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(0.5, "values")
def test_training_after_an_evaluation_drops_again(student: Any, draw: Draw) -> None:
    """After an evaluation, training drops attention weights as before, and evaluation none."""
    match dropped_weights(student, draw, heads=2, d_head=3, evaluated=True):
        case "none":
            raise Wrong("Once your module was evaluated, training drops nothing any more.")
        case "kept on":
            raise Wrong("Once your module was trained, evaluation drops weights, too.")
        case "same" | "other":
            raise Wrong("After an evaluation, dropout does not drop weights as it should.")


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_input_and_parameters(student: Any, draw: Draw) -> None:
    """The input and all parameters get the right gradients."""
    weights = weights_of(draw, 10)
    module, reference = loaded(student, 10, 5, weights), reference_of(10, 5, weights)
    x, upstream = draw.normal(3, 4, 10), draw.normal(3, 4, 10)
    found = student.grad(module, x, upstream=upstream)
    assert_gradients_match(found, reference, x, upstream=upstream)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "numerics")
def test_half_precision_comes_back_as_it_went_in(student: Any, draw: Draw) -> None:
    """In float16, bfloat16 and float64 the module is right, masks and all, and keeps the dtype."""
    weights = weights_of(draw, 12, bias=False)
    module, reference = loaded(student, 12, 2, weights), reference_of(12, 2, weights)
    mask = mask_of(draw, 5, 5)
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        x = draw.normal(3, 5, 12, dtype=dtype)
        wanted = expected(reference.to(dtype), x, mask=mask, is_causal=True)
        module.to(dtype)
        assert_matches(module(x, mask=mask, is_causal=True), wanted)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "numerics")
def test_autocast_is_obeyed(student: Any, draw: Draw) -> None:
    """Under autocast to bfloat16 the output is right, and is bfloat16."""
    weights = weights_of(draw, 8, bias=False)
    module, reference = loaded(student, 8, 2, weights), reference_of(8, 2, weights)
    x = draw.normal(3, 5, 8)
    with torch.autocast("cpu", torch.bfloat16):
        wanted = expected(reference, x, is_causal=True)
    with student.autocast("cpu", torch.bfloat16):
        actual = module(x, is_causal=True)
    assert_matches(actual, wanted)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "generality")
def test_nothing_is_tied_to_a_device(student: Any, draw: Draw) -> None:
    """Input, mask and module on one device give a result there, and no value is read back."""
    x, mask = draw.normal(2, 5, 12), mask_of(draw, 5, 5)

    def output(module: Any, masked: bool, is_causal: bool, device: str) -> object:
        module.to(device)  # after the same call on the CPU: what it has kept is to move along
        own = mask.to(device) if masked else None
        return module(x.to(device), mask=own, is_causal=is_causal)

    kinds = ((True, True), (True, False), (False, True), (False, False))
    calls = [partial(output, made(student, 12, 3), *kind) for kind in kinds]
    assert_stays_on_meta(*calls, reading=False)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(0.5, "errors")
def test_heads_that_do_not_share_d_model_are_refused(student: Any) -> None:
    """Heads that cannot share d_model evenly raise ValueError; its text names both numbers."""
    assert_heads_refused(student.FusedMultiHeadAttention, 10, 4)
    assert_gives_something(made(student, 10, 5), torch.ones(1, 2, 10))


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(0.5, "form")
def test_the_number_of_heads_is_kept(student: Any) -> None:
    """The number of heads is kept as the attribute `num_heads`."""
    module = made(student, 14, 7)
    assert_gives_something(module, torch.ones(1, 2, 14))
    if size_of(module, "num_heads") != 7:
        raise Wrong("Your module does not keep the number of heads as `num_heads`.")


@exercise("FusedMultiHeadAttention")
@pytest.mark.remark
@pytest.mark.points(1, "errors")
def test_fewer_heads_than_one_are_refused(student: Any) -> None:
    """No heads, or fewer than none, raise ValueError; its text names both numbers."""
    remark_on_no_heads(student.FusedMultiHeadAttention)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(4, "structure")
def test_memory_does_not_grow_with_the_square_of_the_length(student: Any, draw: Draw) -> None:
    """On a long sequence without a mask, causal or not, no table of queries by keys is made."""
    growth = growth_with_length(student, draw)
    grown = "memory grows by as much as a table of every query by every key."
    if growth.plain > MOST_PLAIN:
        raise Wrong(f"On a long sequence, {grown}", "seq-by-seq-table")
    # A process that has been larger before does not grow for a table, or only once is_causal asks
    # for a larger one: what ran is asked, too, and says which of the two calls makes it.
    table = table_in_module(student, draw)
    if table is not None:
        raise Wrong(
            "Without a mask, a tensor of every query by every key is made.",
            "seq-by-seq-table" if table == "plain" else "table-when-causal",
        )
    if growth.causal > MOST_CAUSAL:
        raise Wrong(f"On a long sequence with is_causal, {grown}")


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "generality")
def test_input_and_mask_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The input and the mask that are passed in still hold the same values afterwards."""
    module, mask, x = made(student, 6, 3), mask_of(draw, 5, 5), draw.normal(2, 5, 6)
    calls = [partial(module, x, mask=own, is_causal=True) for own in (mask, None)]
    assert_leaves_inputs(student, *calls)


def _masks_of_one_token() -> tuple[dict[str, Any], ...]:
    """Every kind of mask, for a token that sees itself alone: only dropout can go wrong there."""
    own = torch.ones(1, 1, dtype=torch.bool)
    return {}, {"is_causal": True}, {"mask": own}, {"mask": own, "is_causal": True}


def _attended(module: Any, x: Tensor, mask: Tensor) -> Any:
    return module(x, mask=mask)
