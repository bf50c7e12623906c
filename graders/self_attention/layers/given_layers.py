"""What graders and probes of SelfAttention and RepairedAttention share: given weights."""

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from autograder.judging import Wrong, assert_matches
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_no_bias,
    assert_varied,
    same_bits,
)
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders import laws, modules
from graders.laws import Lead
from graders.modules import Weights, assert_apart, heed_loudness, loud_token, mask_of
from graders.two_results import (
    assert_weights_right,
    expected_part,
    output_of,
    weights_in,
)
from solutions.self_attention.reference import SelfAttention

REPAIRED = "RepairedAttention"
LAYERS = ("w_q", "w_k", "w_v")

Sizes = tuple[int, int, int]
"""d_model, d_k and d_v."""

WIDTHS: tuple[Sizes, ...] = ((11, 6, 4), (6, 6, 6))
"""Widths that differ, and a width of all, for which layers the wrong way round fit as well."""


def weights_of(draw: Draw, sizes: Sizes, bias: bool = False) -> Weights:
    """Weights for the three projections, by the names that the exercise gives them."""
    d_model, *wide = sizes
    widths = dict(zip(LAYERS, (wide[0], *wide), strict=True))
    weights = {
        f"{layer}.weight": draw.normal(width, d_model, scale=d_model**-0.5)
        for layer, width in widths.items()
    }
    biases = {f"{layer}.bias": draw.normal(width) for layer, width in widths.items()}
    return weights | biases if bias else weights


def reference_of(sizes: Sizes, weights: Weights) -> SelfAttention:
    """The reference with these weights."""
    module = SelfAttention(*sizes, bias="w_q.bias" in weights)
    module.load_state_dict(weights)
    return module


def made(student: Any, name: str, sizes: Sizes, **options: Any) -> Any:
    """The student's module, as it is made, in evaluation: training has a test of its own.

    Raises:
        Wrong: the name makes something that is no module.
    """
    module = modules.made(student, name, *sizes, **options)
    module.eval()
    return module


def loaded(student: Any, name: str, sizes: Sizes, weights: Weights) -> Any:
    """The student's module with these weights, and no bias where they have none.

    A bias that should not be there has a test of its own: here it is zero.

    Raises:
        Wrong: the weights do not fit into `w_q`, `w_k` and `w_v`.
    """
    module = modules.load(made(student, name, sizes, bias="w_q.bias" in weights), weights)
    modules.zero_biases(module, weights)
    return module


def assert_nothing_dropped(student: Any, name: str, draw: Draw) -> None:
    """Check that the module gives in training what it gives otherwise.

    Raises:
        Wrong: it does not; or RepairedAttention gives one value, as what was broken does.
    """
    module, x = made(student, name, (6, 4, 5)), draw.normal(3, 8, 6)
    output_in(name, module(x))
    modules.assert_nothing_dropped(module, x)


def output_in(name: str, found: object) -> Any:
    """The output among what came back.

    Raises:
        Wrong: RepairedAttention still gives one value. What the broken class meets as it is
            earns nothing; in SelfAttention, one value costs the tests of the weights alone.
    """
    if name == REPAIRED:
        weights_in(found)
    return output_of(found)


def assert_output_right(found: object, reference: nn.Module, *args: Any) -> None:
    """Check the output among what came back."""
    assert_matches(output_of(found), expected_part(0, reference, *args))


def assert_alike_in_front(student: Any, name: str, draw: Draw, masked: bool) -> None:
    """Check that a text of a batch gets what it gets alone, and a batch of batches as well.

    Args:
        masked: whether each text comes with its own mask.
    """
    sizes = (7, 7, 7)
    weights = weights_of(draw, sizes)
    module, reference = loaded(student, name, sizes, weights), reference_of(sizes, weights)

    def given(lead: Lead) -> tuple[Tensor, ...]:
        x = draw.normal(*lead, 5, 7)
        return (x, mask_of(draw, *lead, 5, 5)) if masked else (x,)

    def answer(*arguments: Tensor) -> Any:
        found = module(*arguments)
        output_in(name, found)
        return found

    laws.assert_alike_in_front(answer, reference, given)


def assert_tokens_exchangeable(student: Any, name: str, draw: Draw, lead: Lead) -> None:
    """Refuse a module in which more than its place changes for a token that changes places."""
    sizes, x, mask = (7, 7, 7), draw.normal(*lead, 6, 7), mask_of(draw, 6, 6)
    weights = weights_of(draw, sizes)

    module = loaded(student, name, sizes, weights)

    def output(*given: Any) -> Tensor:
        found: Tensor = output_in(name, module(*given))
        assert_varied(found, torch.empty(*lead, 6, 7))
        return found

    for own, turned in ((None, None), (mask, mask.flip(-2, -1))):
        one, other = output(x, own), output(x.flip(-2), turned)
        symptom = "What comes out for a token depends on where it stands among the others."
        assert_agree(one.flip(-2), other, symptom)


def assert_texts_apart(student: Any, name: str, draw: Draw) -> None:
    """Refuse a module in which one text of a batch moves a bit of what comes out for another."""
    sizes, x = (6, 6, 6), draw.normal(4, 6, 6)
    weights = weights_of(draw, sizes)
    _reach_values_alone(weights)
    huge = x.clone()
    huge[0, :, -1] = 1e30

    module = loaded(student, name, sizes, weights)

    def output(given: Tensor) -> Tensor:
        found: Tensor = output_in(name, module(given))
        assert_varied(found, x)
        return found

    assert_apart(output, x, huge)


def _reach_values_alone(weights: Weights) -> None:
    """Let the last feature of a token move its value, and neither its query nor its key."""
    for layer in ("w_q", "w_k"):
        weights[f"{layer}.weight"][:, -1] = 0


def assert_gradients_right(
    student: Any, name: str, draw: Draw, lead: Lead, sizes: Sizes, mask: Tensor | None = None
) -> None:
    """Check the gradients of the input and of the parameters, biases among them."""
    weights = weights_of(draw, sizes, bias=True)
    module, reference = loaded(student, name, sizes, weights), reference_of(sizes, weights)
    x, upstream = draw.normal(*lead, 5, sizes[0]), draw.normal(*lead, 5, sizes[2])
    assert_varied(output_of(module(x, mask)), upstream)
    found = student.grad(module, x, mask, upstream=upstream)
    assert_gradients_match(found, reference, x, mask, upstream=upstream)


def assert_right_for_odd_scores(student: Any, name: str, draw: Draw, lead: Lead) -> None:
    """Check the output where all scores lie near -45,000, and where all are 0.

    Eighths and a width of 4, so that float32 could hold the scores too. The scores of a query lie
    so near each other that masking after the softmax and sharing out anew is right, too.
    """
    sizes = (8, 4, 4)
    far = {key: w.sign() for key, w in weights_of(draw, sizes, bias=True).items()}
    far["w_q.bias"][0], far["w_k.bias"][0] = 300.0, -300.0
    none = far | {key: torch.zeros_like(far[key]) for key in ("w_q.weight", "w_q.bias")}
    x = draw.normal(*lead, 5, 8).round().double() / 8
    for weights in (far, none):
        module, reference = loaded(student, name, sizes, weights), reference_of(sizes, weights)
        module.to(torch.float64)
        for mask in (None, mask_of(draw, 5, 5)):
            assert_output_right(module(x, mask), reference.double(), x, mask)


def assert_in_half_precision(student: Any, name: str, draw: Draw, lead: Lead) -> None:
    """Check the results in float16 and bfloat16, with a mask and without, and float64's dtype."""
    sizes = (11, 4, 4)
    weights = weights_of(draw, sizes)
    module, reference = loaded(student, name, sizes, weights), reference_of(sizes, weights)
    for dtype in (torch.float16, torch.bfloat16):
        x = draw.normal(*lead, 5, 11, dtype=dtype)
        module.to(dtype)
        for mask in (None, mask_of(draw, 5, 5)):
            found = module(x, mask)
            assert_output_right(found, reference.to(dtype), x, mask)
            if isinstance(found, tuple | list):
                assert_weights_right(found, reference, x, mask)
    module.to(torch.float64)
    laws.assert_keeps_double(module(draw.normal(*lead, 5, 11, dtype=torch.float64)))


def assert_tied_to_no_device(student: Any, name: str, draw: Draw, lead: Lead) -> None:
    """Check that input, mask and module on one device give a result on that device."""
    mask = mask_of(draw, 5, 5)

    def results(sizes: Sizes, masked: bool, device: str) -> object:
        module = made(student, name, sizes)
        module.to(device)
        x = torch.ones(*lead, 5, sizes[0], device=device)
        found = module(x, mask.to(device) if masked else None)
        output_in(name, found)
        return found

    calls = [partial(results, sizes, masked) for sizes in WIDTHS for masked in (False, True)]
    assert_stays_on_meta(*calls, reading=True)


def assert_leaves_alone(student: Any, name: str, draw: Draw, lead: Lead) -> None:
    """Check that neither input nor mask is changed."""
    mask = mask_of(draw, 5, 5)

    def output(sizes: Sizes, own: Tensor | None) -> object:
        return output_in(name, made(student, name, sizes)(draw.normal(*lead, 5, sizes[0]), own))

    calls = [partial(output, sizes, own) for sizes in WIDTHS for own in (None, mask)]
    assert_leaves_inputs(student, *calls)


def assert_nothing_leaks(student: Any, name: str, draw: Draw, lead: Lead = (3,)) -> None:
    """Refuse a module in which a forbidden token moves a bit of what comes out.

    What changes is its last feature, which becomes huge and reaches v alone, so that the scores
    stay as they are. In float32 only: float16 cannot hold such numbers.
    """
    hidden, sizes = 3, (8, 8, 8)
    weights = weights_of(draw, sizes)
    _reach_values_alone(weights)
    mask = mask_of(draw, 7, 7)
    mask[:, hidden] = False
    x = draw.normal(*lead, 7, 8)
    changed = x.clone()
    changed[..., hidden, -1] = 1e30

    module = loaded(student, name, sizes, weights)
    before, after = (output_in(name, module(one, mask)) for one in (x, changed))
    for output in (before, after):
        assert_varied(output, x)
    if not same_bits(before, after):
        raise Wrong("A change of a token that the mask forbids changes what comes out.")
    heed_loudness(weights["w_q.weight"], weights["w_k.weight"], 1)
    found = loaded(student, name, sizes, weights)(loud_token(x, hidden), mask)
    given = weights_in(found) if isinstance(found, tuple | list) else None
    if isinstance(given, Tensor) and bool((given[..., hidden] > 0).any()):
        raise Wrong("A token that the mask forbids has a weight where its score is large.")


def assert_bias_added(student: Any, name: str, draw: Draw, lead: Lead) -> None:
    """Check that a module which was asked for biases has them: tokens of zeros show the values'."""
    sizes, x = (7, 4, 4), torch.zeros(*lead, 5, 7)
    weights = weights_of(draw, sizes, bias=True)
    found = output_in(name, loaded(student, name, sizes, weights)(x))
    assert_matches(found, weights["w_v.bias"].expand(*lead, 5, 4))


def later_tokens_reach(student: Any, name: str, draw: Draw) -> bool:
    """Whether the last token moves a bit of what comes out for the others, which may not see it.

    As in `assert_nothing_leaks`, but every key is one that some query may see.
    """
    sizes = (8, 5, 6)
    weights = weights_of(draw, sizes)
    _reach_values_alone(weights)
    x = draw.normal(3, 7, 8)
    changed = x.clone()
    changed[..., -1, -1] = 1e30
    module, mask = loaded(student, name, sizes, weights), torch.ones(7, 7).tril().bool()
    before, after = (output_in(name, module(one, mask))[..., :-1, :] for one in (x, changed))
    return not same_bits(before, after)


def assert_no_bias_unasked(student: Any, name: str, lead: Lead) -> None:
    """Check that a module made without a word about bias has none."""
    module = made(student, name, (7, 7, 7))
    assert_no_bias(module, LAYERS)
    reference, x = SelfAttention(7, 7, 7), torch.zeros(*lead, 3, 7)
    assert_output_right(output_in(name, module(x)), reference, x)
