"""Visible checks of 04-multi-head-attention: MultiHeadAttention."""

from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from checks.apart import drawn
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.describing import form_text, result_text
from checks.kit.examples import example
from checks.kit.expectation import (
    Hint,
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalModule, LocalStudent
from checks.weights import AttentionMap, load

# Three tokens, (batch 1, seq 3, d_model 4), for two heads: in head 0, sat is like cat; in head 1,
# like that.
_WORDS = ("cat", "that", "sat")
_SENTENCE = torch.tensor([[[2.0, 0.0, 0.0, 1.0], [0.0, 1.0, 2.0, 0.0], [2.0, 0.0, 2.0, 0.0]]])
_WEIGHTS = torch.tensor(  # worked out by hand for q = k = v = x
    [
        [0.48564768, 0.02870457, 0.48564768],
        [0.24825509, 0.50348985, 0.24825509],
        [0.48564768, 0.02870457, 0.48564768],
        [0.50348985, 0.24825509, 0.24825509],
        [0.02870457, 0.48564768, 0.48564768],
        [0.02870457, 0.48564768, 0.48564768],
    ]
).reshape(1, 2, 3, 3)
_OUTPUT = torch.tensor(  # with a w_o that lets the two heads change places
    [
        [0.99302036, 0.50348985, 1.94259071, 0.02870457],
        [1.94259071, 0.02870457, 0.99302036, 0.50348985],
        [1.94259071, 0.02870457, 1.94259071, 0.02870457],
    ]
)[None]
_OF_ONE_HEAD = torch.tensor(  # worked out by hand as well
    [
        [0.59220107, 0.04861082, 0.35918811],
        [0.04861082, 0.59220107, 0.35918811],
        [0.10650698, 0.10650698, 0.78698604],
    ]
).reshape(1, 1, 3, 3)
_MASK = torch.tensor([[True, False, True], [False, True, True], [True, True, False]])
_MASKED_WEIGHTS = torch.tensor(
    [
        [0.5, 0.0, 0.5],
        [0.0, 0.66976154, 0.33023846],
        [0.94419277, 0.05580722, 0.0],
        [0.66976154, 0.0, 0.33023846],
        [0.0, 0.5, 0.5],
        [0.05580722, 0.94419277, 0.0],
    ]
).reshape(1, 2, 3, 3)
_LAYERS = ("w_q", "w_k", "w_v", "w_o")
_FORM = "(batch, seq, d_model)"
_WEIGHTS_FORM = "(batch, heads, queries, keys)"


@example(
    "MultiHeadAttention",
    picture=AttentionMap(
        "Who attends to whom in each head",
        rows=tuple(f"head {head}, {word}" for head in (0, 1) for word in _WORDS),
        columns=_WORDS,
        row_sums=True,
    ),
)
def weights_of_two_heads(student: LocalStudent) -> Tensor:
    """The weights of two heads for three tokens, one row for each head and query."""
    _, weights = _two(_pass_through(student)(_SENTENCE.clone()))
    if isinstance(weights, Tensor) and weights.shape == _WEIGHTS.shape:
        return weights.flatten(0, 2)
    return weights


@exercise("MultiHeadAttention")
def test_the_parts(student: LocalStudent) -> None:
    """There are four projections, each from d_model to d_model features."""
    attention = student.MultiHeadAttention(6, 3)
    if not isinstance(attention, LocalModule):
        says = "MultiHeadAttention must stay a class made from nn.Module."
        raise Mismatch(form_text(attention), "a module", says)
    found = {name: tuple(value.shape) for name, value in attention.state_dict().items()}
    wanted: dict[str, tuple[int, ...]] = {f"{name}.weight": (6, 6) for name in _LAYERS}
    wanted |= {f"{name}.bias": (6,) for name in _LAYERS}
    if any(found.get(name) != shape for name, shape in wanted.items()):  # more is no fault
        missing = [name for name in wanted if name not in found]
        says = "Parameters of these names and shapes must be there: weights are loaded into them."
        if missing:
            says += f" Not found: {', '.join(missing)}."
        raise Mismatch(_lines(found), _lines(wanted), says)


@exercise("MultiHeadAttention")
def test_three_tokens_by_hand(student: LocalStudent) -> None:
    """With q = k = v = x and a w_o that swaps the heads, by two heads and by one."""
    attention = _pass_through(student)
    output, weights = _two(attention(_SENTENCE.clone()))
    _expect_part(weights, _WEIGHTS, _WEIGHTS_FORM, _weights_are_special)
    _expect_part(output, _OUTPUT, _FORM, _output_is_special)
    both = torch.cat([_SENTENCE, _SENTENCE.flip(1)])  # a batch: the tokens, and them backwards
    says = "One sequence by itself comes out right, two in a batch do not. Are they kept apart?"
    expect(_two(attention(both))[0], torch.cat([_OUTPUT, _OUTPUT.flip(1)]), _FORM, lambda _: says)
    _, weights = _two(_pass_through(student, num_heads=1)(_SENTENCE.clone()))
    says = "With a single head of width 4, the weights are off. Of which width is it the root?"
    _expect_part(weights, _OF_ONE_HEAD, _WEIGHTS_FORM, lambda _: says)


@exercise("MultiHeadAttention")
def test_each_projection_does_its_own_work(student: LocalStudent) -> None:
    """Where all keys are alike, every weight is 1/3; of all projections, gradients come back."""
    alike, none = torch.tensor([1.0, -2.0, 0.5, 3.0]), torch.zeros(4, 4)
    times = torch.tensor([100.0, 200.0, 300.0, 400.0])
    values = {"w_v.weight": times[:, None] * torch.eye(4).roll(1, 0)}
    attention = _pass_through(student, **{"w_k.weight": none, "w_k.bias": alike}, **values)
    output, weights = _two(attention(_SENTENCE.clone()))
    says = (
        "All keys are alike here, so that all weights are. Are keys made by w_k, and by it alone?"
    )
    _expect_part(weights, torch.full((1, 2, 3, 3), 1 / 3), _WEIGHTS_FORM, lambda _: says)
    wanted = (times * _SENTENCE.mean(1, keepdim=True).roll(1, -1)).roll(2, -1).expand(1, 3, 4)
    special = partial(_values_are_special, wanted.roll(2, -1))
    _expect_part(output, wanted.contiguous(), _FORM, special)
    attention = _pass_through(student, **{"w_q.weight": none, "w_q.bias": alike})
    _, weights = _two(attention(_SENTENCE.clone()))
    says = "All queries are alike here, so all rows are. Are queries made by w_q, and by it alone?"
    _expect_part(weights, weights[:, :, :1].expand(1, 2, 3, 3), _WEIGHTS_FORM, lambda _: says)
    _expect_learnable(student)


@exercise("MultiHeadAttention")
def test_what_the_mask_forbids_gets_no_weight(student: LocalStudent) -> None:
    """Where the mask is False the weight is 0, and the others in that row share the whole."""
    attention = _pass_through(student)
    _, weights = _two(attention(_SENTENCE.clone(), _MASK.clone()))
    _expect_part(weights, _MASKED_WEIGHTS, _WEIGHTS_FORM, _masked_is_special)
    expect_inputs_unchanged(student)
    per_head = torch.stack([_MASK, torch.ones_like(_MASK)])[None]  # (batch, heads, queries, keys)
    _, weights = _two(attention(_SENTENCE.clone(), per_head))
    wanted = torch.cat([_MASKED_WEIGHTS[:, :1], _WEIGHTS[:, 1:]], dim=1)
    says = "A mask that differs from head to head is not obeyed. Does it broadcast as it should?"
    _expect_part(weights, wanted, _WEIGHTS_FORM, lambda _: says)
    causal = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    _, weights = _two(attention(_SENTENCE.clone(), causal.clone()))
    says = "A causal mask hides other keys than it should. Which of its axes lists the queries?"
    _expect_part(weights > 0, causal.expand(1, 2, 3, 3), _WEIGHTS_FORM, lambda _: says)
    _, weights = _two(attention(_SENTENCE.clone()))
    says = "This call has no mask, yet that of the call before still counts."
    _expect_part(weights, _WEIGHTS, _WEIGHTS_FORM, lambda _: says)


def _expect_learnable(student: LocalStudent) -> None:
    """State that gradients reach input and weights, and that all is made where the input is."""
    attention = student.MultiHeadAttention(4, 2)
    found = student.grad(attention, _SENTENCE, upstream=drawn(1, 3, 4).float())
    expect_gradients(found, "x", parameters=tuple(f"{name}.weight" for name in _LAYERS))
    attention(_SENTENCE)
    expect_inputs_unchanged(student)
    attention.to("meta")
    given = _SENTENCE.to("meta"), _MASK.to("meta")
    for count in (1, 2):
        expect_on_meta(lambda some=given[:count]: attention(*some), "x")


@exercise("MultiHeadAttention")
def test_heads_that_do_not_share_the_width_are_refused(student: LocalStudent) -> None:
    """A width of 8 cannot be shared by 3 heads, nor by 0: a ValueError names 8 and the heads."""
    expect_value_error(lambda: student.MultiHeadAttention(8, 3), numbers=(8, 3))
    expect_value_error(lambda: student.MultiHeadAttention(8, 0), numbers=(8, 0))


def _pass_through(student: LocalStudent, num_heads: int = 2, **others: Tensor) -> LocalModule:
    """The student's module with q = k = v = x and a w_o that swaps the heads, but for others."""
    whole, zeros = torch.eye(4), torch.zeros(4)
    weights = {"w_q": whole, "w_k": whole, "w_v": whole, "w_o": whole.roll(2, 0)}
    attention: LocalModule = student.MultiHeadAttention(4, num_heads)
    load(
        attention,
        {f"{name}.weight": weight for name, weight in weights.items()}
        | {f"{name}.bias": zeros for name in weights}
        | others,
    )
    return attention


def _two(result: Any) -> tuple[Any, Any]:
    """The two values that the module promises.

    Raises:
        Mismatch: it returned something else.
    """
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        says = "`output, weights = attention(x)` must work: return both, in this order."
        raise Mismatch(form_text(result), "a tuple of 2: output and weights", says)
    return result[0], result[1]


def _expect_part(part: Any, wanted: Tensor, axes: str, hint: Hint | None = None) -> None:
    """State what one of the two values must be; a message shows that value alone."""
    try:
        expect(part, wanted, axes, hint)
    except Mismatch as mismatch:
        came_back = mismatch.came_back or result_text(part)
        raise Mismatch(came_back, mismatch.expected, mismatch.says) from None


def _weights_are_special(found: np.ndarray) -> str | None:
    x, heads = _SENTENCE.numpy()[0], _SENTENCE.numpy()[0].reshape(3, 2, 2).swapaxes(0, 1)
    if same(found, _OUTPUT):
        return "The first of the two values is the output, the second one the weights."
    if same(found, _WEIGHTS.numpy().mean(axis=1)):
        return "These are the weights averaged over the heads. Return those of each head."
    if found.shape[:2] == (1, 1) or same(found, _shares(x @ x.T / 2)[None]):
        return "This is what a single head of width 4 gives. Where are the heads split?"
    if found.shape == (1, 3, 2, 2):
        return "The weights compare heads with heads. Which two axes must list the tokens?"
    scores = heads @ heads.swapaxes(-1, -2)
    if any(same(found, _shares(scores / root)[None]) for root in (1, 2, 0.5**0.5)):
        return "The scores have another scale. Of which width is it the root, and taken once?"
    if same(found, _shares(scores / 2**0.5, axis=-2)[None]):
        return "The columns sum to 1. Along which axis do one query's scores lie?"
    torn = x.reshape(2, 3, 2)
    if same(found, _shares(torn @ torn.swapaxes(-1, -2) / 2**0.5)[None]):
        return "Your heads hold pieces of several tokens: see splitting above."
    return None


def _output_is_special(found: np.ndarray) -> str | None:
    if same(found, _OUTPUT.roll(2, -1)):
        return "The heads lie side by side, but w_o has not been applied."
    if same(found, _OUTPUT + _SENTENCE):
        return "The input has been added. That belongs outside of attention."
    side_by_side = _OUTPUT.roll(2, -1).numpy().reshape(3, 2, 2).swapaxes(0, 1)
    if same(found, np.roll(side_by_side.reshape(1, 3, 4), 2, axis=-1)):
        return "The weights are right, but one row of the output holds two tokens' features."
    return "The weights are right, the output is not. What happens to the values after that?"


def _values_are_special(side_by_side: Tensor, found: np.ndarray) -> str:
    if same(found, side_by_side):
        return "The heads lie side by side, but w_o has not been applied."
    return "The values are the tokens, turned by one place, some hundred times. Does w_v make them?"


def _masked_is_special(found: np.ndarray) -> str | None:
    if same(found, _WEIGHTS):
        return "The mask changed nothing. Is the result of masking kept?"
    mask = _MASK.numpy()
    if found.shape != _WEIGHTS.shape:
        return None
    if (found[..., mask] == 0).all():
        return "What the mask allows got no weight. True means that attention is allowed."
    if not (found[..., ~mask] < 1e-4).all():
        return "A forbidden key still gets some weight. Which score has the share 0?"
    if not np.allclose(found.sum(-1), 1, atol=1e-3):
        return (
            "Forbidden weights are 0, but the rest of the row no longer sums to 1. What came first?"
        )
    return None


def _shares(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    grown = np.exp(scores)
    shares: np.ndarray = grown / grown.sum(axis, keepdims=True)
    return shares


def _lines(shapes: dict[str, tuple[int, ...]]) -> str:
    return "\n".join(f"{name} {shape}" for name, shape in shapes.items()) or "no parameters"
