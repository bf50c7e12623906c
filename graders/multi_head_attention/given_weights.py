"""What the graders and the probe of MultiHeadAttention share: given weights, the two results."""

from typing import Any

import torch
from torch import Tensor, nn

from autograder.judging import Expected, Wrong, assert_matches, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, assert_varied, same_bits
from graders import modules
from graders.modules import Weights, assert_apart, heed_loudness, loud_token, mask_of
from graders.two_results import output_of
from solutions.multi_head_attention.reference import MultiHeadAttention

LAYERS = ("w_q", "w_k", "w_v", "w_o")


def weights_of(draw: Draw, d_model: int, bias: bool = True) -> Weights:
    """Weights for the four projections, by the names that the exercise gives them."""
    weights = {
        f"{layer}.weight": draw.normal(d_model, d_model, scale=d_model**-0.5) for layer in LAYERS
    }
    biases = {f"{layer}.bias": draw.normal(d_model) for layer in LAYERS}
    return weights | biases if bias else weights


def reference_of(
    d_model: int, heads: int, weights: Weights, device: str = "cpu"
) -> MultiHeadAttention:
    """The reference with these weights."""
    module = MultiHeadAttention(d_model, heads, bias="w_q.bias" in weights)
    module.load_state_dict(weights)
    return module.to(device)


def pytorchs(d_model: int, heads: int, weights: Weights) -> nn.MultiheadAttention:
    """PyTorch's own module with these weights."""
    module = nn.MultiheadAttention(d_model, heads, batch_first=True)
    module.load_state_dict(
        {
            f"in_proj_{kind}": torch.cat([weights[f"{layer}.{kind}"] for layer in LAYERS[:3]])
            for kind in ("weight", "bias")
        }
        | {f"out_proj.{kind}": weights[f"w_o.{kind}"] for kind in ("weight", "bias")}
    )
    return module


def expected_part(part: int, reference: MultiHeadAttention, *args: Any) -> Expected:
    """What the reference gives as its output (part 0) or as its weights (part 1)."""
    wanted = expected(reference, *args)
    assert isinstance(wanted.plain, tuple)
    assert isinstance(wanted.exact, tuple)
    return Expected(wanted.plain[part], wanted.exact[part])


def made(student: Any, d_model: int, heads: int, **options: Any) -> Any:
    """The student's module, as it is made, in evaluation: training has a test of its own.

    Raises:
        Wrong: the class makes something that is no module.
    """
    module = modules.made(student, "MultiHeadAttention", d_model, heads, **options)
    module.eval()
    return module


def loaded(
    student: Any, d_model: int, heads: int, weights: Weights, device: str = "cpu", **options: Any
) -> Any:
    """The student's module with these weights, and biases of zero where they have none.

    Raises:
        Wrong: the weights do not fit into `w_q`, `w_k`, `w_v` and `w_o`.
    """
    module = modules.load(made(student, d_model, heads, **options), weights, device)
    modules.zero_biases(module, weights)
    return module


def assert_nothing_dropped(student: Any, draw: Draw) -> None:
    """Check that the module gives in training what it gives otherwise.

    Raises:
        Wrong: it does not.
    """
    modules.assert_nothing_dropped(made(student, 8, 2), draw.normal(3, 8, 8))


def weights_in(result: object) -> object:
    """The attention weights among what the module returned.

    Raises:
        Wrong: it does not return two values.
    """
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise Wrong("Your module does not return two values: the output, and the weights.")
    return result[1]


def assert_output_right(found: object, reference: MultiHeadAttention, *args: Any) -> None:
    """Check the output among what the module returned."""
    assert_matches(output_of(found), expected_part(0, reference, *args))


def assert_weights_right(found: object, reference: MultiHeadAttention, *args: Any) -> None:
    """Check the weights among what the module returned."""
    wanted = expected_part(1, reference, *args)
    assert_matches(weights_in(found), wanted, "the second value you return")


def assert_masks_obeyed(
    student: Any,
    draw: Draw,
    form: tuple[int, int, int],
    heads: int,
    masks: tuple[tuple[int, ...], ...],
) -> None:
    """Check the output for an input of this form, under masks of these shapes."""
    d_model, x = form[-1], draw.normal(*form)
    weights = weights_of(draw, d_model, bias=False)
    module, reference = (
        loaded(student, d_model, heads, weights),
        reference_of(d_model, heads, weights),
    )
    for shape in masks:
        mask = mask_of(draw, *shape)
        assert_output_right(module(x, mask=mask.clone()), reference, x, mask)
    assert_output_right(module(x), reference, x)  # no mask of before is kept


def assert_nothing_leaks(student: Any, draw: Draw, device: str = "cpu") -> None:
    """Refuse a module in which a token moves a bit of what comes out where a mask forbids it.

    What changes is its last feature, which becomes huge and reaches v alone: whoever masks after
    the softmax and shares out anew is right, though other scores would round other weights. In
    float32 only: float16 cannot hold such numbers, and right answers give NaN there.
    """
    hidden, weights = 3, weights_of(draw, 8, bias=False)
    _reach_values_alone(weights)
    mask = mask_of(draw, 7, 7)
    mask[:, hidden] = False
    x = draw.normal(3, 7, 8, device=device)
    changed = x.clone()
    changed[:, hidden, -1] = 1e30
    others = torch.arange(7) != hidden

    module = loaded(student, 8, 2, weights, device)
    before, after = (_output_like(module(one, mask.to(device)), x) for one in (x, changed))
    if not same_bits(before[:, others], after[:, others]):
        text = "A change of a token that the mask forbids changes what comes out elsewhere."
        raise Wrong(text)
    heed_loudness(weights["w_q.weight"], weights["w_k.weight"], 2)
    found = loaded(student, 8, 2, weights, device)(loud_token(x, hidden), mask.to(device))
    given = weights_in(found) if isinstance(found, tuple | list) else None
    if isinstance(given, Tensor) and bool((given[..., hidden] > 0).any()):
        raise Wrong("A token that the mask forbids has a weight where its score is large.")


def assert_padding_does_not_matter(student: Any, draw: Draw) -> None:
    """Refuse a module in which padding, or another text, moves a bit of what is real."""
    weights, x = weights_of(draw, 8, bias=False), draw.normal(4, 6, 8)
    _reach_values_alone(weights)
    padding = torch.arange(6) < torch.tensor([4, 6, 3, 5])[:, None]
    changed = x.clone()
    changed[..., -1][~padding] = 1e30
    mask = padding[:, None, None, :]
    module = loaded(student, 8, 2, weights)

    before, after = (_output_like(module(one, mask), x) for one in (x, changed))
    if not same_bits(before[padding], after[padding]):
        raise Wrong("What stands in the padding changes what comes out for real tokens.")
    huge = x.clone()
    huge[0, :, -1] = 1e30
    assert_apart(lambda given: _output_like(module(given), x), x, huge)


def assert_tokens_exchangeable(student: Any, draw: Draw) -> None:
    """Refuse a module in which more than its place changes for a token that changes places."""
    weights = weights_of(draw, 9, bias=False)
    x, mask = draw.normal(2, 7, 9), mask_of(draw, 7, 7)
    module = loaded(student, 9, 3, weights)
    one = _output_like(module(x, mask), x)
    other = _output_like(module(x.flip(1), mask.flip(0, 1)), x)
    symptom = "What comes out for a token depends on where it stands among the others."
    assert_agree(one.flip(1), other, symptom)


def _output_like(found: object, x: Tensor) -> Tensor:
    """The output among what the module returned, after a check of its form."""
    output = output_of(found)
    assert_varied(output, x)
    assert isinstance(output, Tensor)
    return output


def _reach_values_alone(weights: Weights) -> None:
    """Let the last feature of a token move its value, and neither its query nor its key."""
    for layer in ("w_q", "w_k"):
        weights[f"{layer}.weight"][:, -1] = 0
