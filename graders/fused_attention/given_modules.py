"""What the graders and the probe of FusedMultiHeadAttention share: given weights and masks."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_varied, same_bits
from autograder.judging.tolerance import agree
from graders import modules
from graders.modules import Weights, form, heed_loudness, loud_token, mask_of
from solutions.fused_attention.reference import FusedMultiHeadAttention

LONG = 2048
PERIOD = 4  # tokens that a long sequence repeats
ALIKE = 1e-3  # far above what the order of 2,048 sums changes in float32
# Bytes of one table of every query by every key.
LONG_TABLE = LONG * LONG * 4
# Attention written out holds two or three tables at a time, scores and weights; the fused kernel
# none, and blocks by hand leave up to one in fragments. A second call finds most of those again: in
# fresh processes, blocks by hand grew by up to 0.74 tables, a mask made of is_causal by 1.31.
MOST_PLAIN, MOST_CAUSAL = 1.5 * LONG_TABLE, 1.0 * LONG_TABLE

DROPOUT = 0.2  # not 1/2, where dropping and keeping are alike

# PyTorch's function refuses a mask together with is_causal, but for its fused kernel on a CPU,
# which takes both. Any dropout keeps it from that kernel; this one drops nothing in practice.
RARE_DROPOUT = 1e-9


def weights_of(draw: Draw, d_model: int, bias: bool = True) -> Weights:
    """Weights for both projections, by the names that the exercise gives them."""
    weights = {
        "qkv.weight": draw.normal(3 * d_model, d_model, scale=d_model**-0.5),
        "out.weight": draw.normal(d_model, d_model, scale=d_model**-0.5),
    }
    biases = {"qkv.bias": draw.normal(3 * d_model), "out.bias": draw.normal(d_model)}
    return weights | biases if bias else weights


def with_loud_values(weights: Weights) -> Weights:
    """The same weights, but for values thousands of times as large: outputs must follow them."""
    scales = torch.tensor([1.0, 1.0, modules.LOUD_VALUES])
    thirds = scales.repeat_interleave(len(weights["qkv.weight"]) // 3)
    parts = {name: tensor for name, tensor in weights.items() if name.startswith("qkv.")}
    return weights | {name: (thirds * tensor.T).T for name, tensor in parts.items()}


def reference_of(
    d_model: int, heads: int, weights: Weights, device: str = "cpu"
) -> FusedMultiHeadAttention:
    """The reference with these weights, and without biases where they have none."""
    lacking = modules.lacking_biases(weights)
    module = FusedMultiHeadAttention(d_model, heads, bias=len(lacking) < 2)
    module.load_state_dict(weights if len(lacking) == 2 else lacking | weights)
    return module.to(device)


def made(student: Any, d_model: int, heads: int, **options: Any) -> Any:
    """The student's module, as it is made.

    Raises:
        Wrong: the class makes something that is no module.
    """
    return modules.made(student, "FusedMultiHeadAttention", d_model, heads, **options)


def loaded(
    student: Any, d_model: int, heads: int, weights: Weights, device: str = "cpu", **options: Any
) -> Any:
    """The student's module with these weights, and biases of zero where they have none.

    Raises:
        Wrong: the weights do not fit into `qkv` and `out`.
    """
    module = modules.load(made(student, d_model, heads, **options), weights, device)
    modules.zero_biases(module, weights)
    return module


def dropped_weights(
    student: Any, draw: Draw, heads: int, d_head: int, evaluated: bool = False, **masks: Any
) -> str:
    """What dropout acts on in training: "weights", "none" or "other"; "same" if always the same.

    With one key there is one weight a head: dropped, it takes all of that head's features along;
    kept, it scales them up. Identity in place of `out` lets them be seen.

    Args:
        student: whose module it is.
        draw: gives weights and input.
        heads: how many heads there are.
        d_head: how wide each is.
        evaluated: whether the module is trained and evaluated before; "kept on" where it still
            drops in an evaluation after training.
        masks: of every call.
    """
    d_model, batch = heads * d_head, 40
    weights = weights_of(draw, d_model, bias=False) | {"out.weight": torch.eye(d_model)}
    module = loaded(student, d_model, heads, weights, dropout=DROPOUT)
    x = draw.normal(batch, 1, d_model)
    student.seed(draw.integer(1, 10**6))
    values = reference_of(d_model, heads, weights)(x).detach()
    if evaluated:
        module.train()
        module(x, **masks)
        module.eval()
        calm = module(x, **masks)
        if form(calm) == form(values) and not torch.allclose(calm, values, atol=1e-4):
            return "kept on"
    module.train()
    result, again = module(x, **masks), module(x, **masks)
    if form(result) != form(values):
        return "other"
    if torch.allclose(result, values, atol=1e-4):
        return "none"
    kept_values = values / (1 - DROPOUT)
    blocks, full = (tensor.reshape(batch, heads, d_head) for tensor in (result, kept_values))
    dropped = (blocks == 0).all(-1)
    kept = ((blocks - full).abs() < 1e-4).all(-1)
    if not bool((dropped | kept).all()) or not bool(dropped.any()) or not bool(kept.any()):
        return "other"
    return "same" if form(again) == form(result) and torch.equal(again, result) else "weights"


@dataclass(frozen=True)
class Growth:
    """Bytes by which a student's process grows over calls with LONG tokens and one head.

    Attributes:
        plain: over a first call, without a mask.
        causal: over a second one, with is_causal.
    """

    plain: int
    causal: int


def growth_with_length(student: Any, draw: Draw) -> Growth:
    """How much memory the student's module takes on a long sequence.

    The long sequence is a short one over and over. Among copies of the same tokens attention gives
    what it gives among one of each, and the last token sees all of them, causal or not: so code
    that does less on a long sequence is seen by its own values.

    Raises:
        Wrong: it gives something else than one vector a token, or than on a short sequence.
    """
    module = made(student, 8, 1)
    module.requires_grad_(False)  # what a backward pass would need is not counted
    short = draw.normal(1, PERIOD, 8)
    peaks, results = [], []
    for x, is_causal in (
        (short, True),
        (short, False),
        (short.repeat(1, LONG // PERIOD, 1), False),
        (short.repeat(1, LONG // PERIOD, 1), True),
    ):
        result = module(x, is_causal=is_causal)
        if form(result) != form(x):
            raise Wrong("On a long sequence, your module does not give one vector a token.")
        peaks.append(student.peak_bytes())
        results.append(result)
    past, every, plain, causal = results
    for one, other in (
        (plain[:, :PERIOD], every),
        (causal[:, :PERIOD], past),
        (causal[:, -1], plain[:, -1]),
    ):
        if not torch.allclose(one, other, rtol=ALIKE, atol=ALIKE):
            raise Wrong(
                "On a long sequence, your module gives what it does not on a short one.",
                "wrong-when-long",
            )
    _, before, after, last = peaks
    return Growth(after - before, last - after)


def future_leaks(student: Any, draw: Draw, device: str = "cpu") -> bool:
    """Whether, with is_causal, a change of the future moves a bit of what the past gives."""
    now = 4
    before, after = _around_a_change(student, draw, device, slice(now, None), is_causal=True)
    return not same_bits(before[:, :now], after[:, :now])


def forbidden_leaks(student: Any, draw: Draw, device: str = "cpu") -> bool:
    """Whether a change of a token moves a bit of what comes out where a mask forbids that token."""
    hidden = 3
    mask = mask_of(draw, 7, 7)
    mask[:, hidden] = False
    others = torch.arange(7) != hidden
    change = slice(hidden, hidden + 1)
    before, after = _around_a_change(student, draw, device, change, mask=mask.to(device))
    return not same_bits(before[:, others], after[:, others])


def texts_meet(student: Any, draw: Draw, device: str = "cpu") -> bool:
    """Whether a change of one text of the batch moves a bit of what comes out for another."""
    place = slice(None)
    before, after = _around_a_change(student, draw, device, place, texts=slice(1))
    return not same_bits(before[1:], after[1:])


def loud_token_leaks(student: Any, draw: Draw, device: str = "cpu") -> bool:
    """Whether a forbidden token is attended to where its score is far above all others."""
    weights, last = weights_of(draw, 8, bias=False), 6
    heed_loudness(weights["qkv.weight"][:8], weights["qkv.weight"][8:16], 2)
    module = loaded(student, 8, 2, weights, device)
    mask = mask_of(draw, 7, 7)
    mask[:, last] = False
    x = draw.normal(3, 7, 8, device=device)
    for options in ({"is_causal": True}, {"mask": mask.to(device)}):
        quiet, loud = (module(loud_token(x, place), **options) for place in (None, last))
        for result in (quiet, loud):
            assert_varied(result, x)
        if not agree(quiet[:, :last], loud[:, :last]) and not bool(loud.isnan().any()):
            return True
    return False


def _around_a_change(
    student: Any,
    draw: Draw,
    device: str,
    place: slice,
    *,
    texts: slice = slice(None),
    **options: Any,
) -> tuple[Tensor, Tensor]:
    """What comes out before and after tokens become others, of huge values.

    Args:
        place: which tokens, by their position.
        texts: in which texts of the batch.

    The last feature reaches v alone, so that the scores stay finite while it is huge. In float32
    only: float16 cannot hold such numbers, and right answers give NaN there.
    """
    weights = weights_of(draw, 8, bias=False)
    weights["qkv.weight"][:16, -1] = 0
    module = loaded(student, 8, 2, weights, device)
    x = draw.normal(3, 7, 8, device=device)
    changed = x.clone()
    changed[texts, place] = draw.normal(3, 7, 8, device=device)[texts, place]
    changed[texts, place, -1] = 1e30
    before, after = module(x, **options), module(changed, **options)
    for result in (before, after):
        assert_varied(result, x)
    return before, after
