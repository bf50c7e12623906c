"""Visible checks of 02-self-attention: SelfAttention and RepairedAttention, by the same checks."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from checks.apart import drawn, each_alone
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect_inputs_unchanged,
    same,
    sums_to_one,
)
from checks.kit.local_student import LocalModule, LocalStudent
from checks.kit.pictures import Heatmap
from checks.weights import (
    AttentionMap,
    expect_output_and_weights,
    load,
    second_of_two,
    shared_by_columns,
)

_NAMES = ("cat", "sat", "mat")
_TOKENS = torch.eye(4)[:3]
_WEIGHTS = torch.tensor(  # printed in public notebooks, to four digits
    [[0.3698, 0.2483, 0.3819], [0.4255, 0.3111, 0.2634], [0.2928, 0.2659, 0.4413]]
)
_FIGURES = _WEIGHTS.numpy()
_OUTPUT = torch.tensor(
    [
        [0.1756, 0.2598, 0.1669, 0.2820],
        [0.2552, 0.3000, 0.1220, 0.2269],
        [0.1100, 0.2673, 0.1666, 0.2666],
    ]
)
_ITSELF, _OTHERS = 0.57611688, 0.21194156  # e / (e + 2) and 1 / (e + 2)
_TWICE, _ONCE = 0.78698604, 0.10650698  # e² / (e² + 2) and 1 / (e² + 2)
_NARROW_VALUES = torch.tensor([[100.0, 200.0, 300.0, 0.0], [0.0, 0.0, 100.0, 0.0]])
_AXES = "(seq, d_v)", "(seq, seq)"


def _picture(name: str) -> Heatmap:
    return AttentionMap(f"weights of {name}, seed 42", _NAMES, _NAMES, row_sums=True)


@example("SelfAttention", picture=_picture("SelfAttention"))
def weights_of_self_attention(student: LocalStudent) -> object:
    """The published weights of three words, by SelfAttention."""
    return second_of_two(_published(student, "SelfAttention")(_TOKENS))


@example("RepairedAttention", picture=_picture("RepairedAttention"))
def weights_of_repaired_attention(student: LocalStudent) -> object:
    """The published weights of three words, by RepairedAttention."""
    return second_of_two(_published(student, "RepairedAttention")(_TOKENS))


@exercise("SelfAttention")
def test_the_three_layers(student: LocalStudent) -> None:
    """There are layers w_q, w_k and w_v, with a bias only where it is asked for."""
    _expect_parameters(student.SelfAttention(5, 3, 2), bias=False)
    _expect_parameters(student.SelfAttention(5, 3, 2, bias=True), bias=True)


@exercise("SelfAttention")
def test_the_published_figures(student: LocalStudent) -> None:
    """Seed 42 gives the printed weights 0.3698, 0.2483, 0.3819 and output 0.1756, ..."""
    _expect_published(student, "SelfAttention")


@exercise("SelfAttention")
def test_keys_narrower_than_tokens(student: LocalStudent) -> None:
    """Of keys 1 and 2 wide, scores are divided by 1 and 1.4142; tokens alone get their values."""
    _expect_narrow(student, "SelfAttention")


@exercise("SelfAttention")
def test_a_mask_that_hides_what_is_later(student: LocalStudent) -> None:
    """Under a mask, cat sees itself alone, sat sees cat and itself; gradients come back."""
    _expect_masked(student, "SelfAttention")
    _expect_learnable(student, "SelfAttention")


@exercise("SelfAttention")
def test_each_text_of_a_batch_is_as_if_alone(student: LocalStudent) -> None:
    """In a batch of 2 with a mask for each, and in a batch of 1, a text gets what it gets alone."""
    _expect_as_if_alone(student, "SelfAttention")


@exercise("RepairedAttention")
def test_the_repaired_module_gives_two_values(student: LocalStudent) -> None:
    """Two values come back, the output and the weights, whose rows sum to 1."""
    found = _published(student, "RepairedAttention")(_TOKENS)
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        says = "`forward` promises two values. Compare its last line with its docstring."
        raise Mismatch(form_text(found), "two tensors: the output, then the weights", says)
    weights = _numbers(found[1])
    if weights is not None and not sums_to_one(weights, -1):
        says = "The rows of the weights do not sum to 1. Over which axis does the softmax run?"
        raise Mismatch(
            f"rows that sum to {np.round(weights.sum(-1), 4)}", "rows that sum to 1", says
        )


@exercise("RepairedAttention")
def test_the_repaired_module_gives_the_published_figures(student: LocalStudent) -> None:
    """Seed 42 gives the printed weights 0.3698, 0.2483, 0.3819 and output 0.1756, ..."""
    _expect_published(student, "RepairedAttention")


@exercise("RepairedAttention")
def test_the_repaired_module_scales_by_its_keys(student: LocalStudent) -> None:
    """Of keys 1 and 2 wide, scores are divided by 1 and 1.4142; tokens alone get their values."""
    _expect_narrow(student, "RepairedAttention")


@exercise("RepairedAttention")
def test_the_repaired_module_obeys_a_mask(student: LocalStudent) -> None:
    """Under a mask, cat sees itself alone, sat sees cat and itself; gradients come back."""
    _expect_masked(student, "RepairedAttention")
    _expect_learnable(student, "RepairedAttention")


@exercise("RepairedAttention")
def test_each_text_of_a_batch_is_as_if_alone_after_the_repair(student: LocalStudent) -> None:
    """In a batch of 2 with a mask for each, and in a batch of 1, a text gets what it gets alone."""
    _expect_as_if_alone(student, "RepairedAttention")


def _expect_learnable(student: LocalStudent, name: str) -> None:
    attention, x = _module(student, name, 5, 3, 4), drawn(4, 5).float()
    mask = torch.ones(4, 4).tril().bool()
    found = student.grad(attention, x, mask, upstream=drawn(4, 4).float())
    expect_gradients(found, "x", parameters=("w_q.weight", "w_k.weight", "w_v.weight"))
    for masks in ((mask,), ()):
        attention(x, *masks)
        expect_inputs_unchanged(student)
    attention.to("meta")
    for masks in ((mask.to("meta"),), ()):
        expect_on_meta(lambda given=masks: attention(x.to("meta"), *given), "x")


def _expect_as_if_alone(student: LocalStudent, name: str) -> None:
    attention = _module(student, name, 5, 3, 1)
    parts = {"w_q": (3, 5), "w_k": (3, 5), "w_v": (1, 5)}
    load(attention, {f"{part}.weight": drawn(*shape).float() for part, shape in parts.items()})
    x = drawn(2, 4, 5).float()
    mask = torch.stack([torch.ones(4, 4).tril(), torch.ones(4, 4).triu()]).bool()
    alone = each_alone(attention, x, mask)
    if len(alone) != 2:
        says = "`forward` promises two values. Compare its last line with its docstring."
        raise Mismatch("one tensor", "two tensors: the output, then the weights", says)
    wanted = alone[0].reshape(2, 4, 1), alone[1].reshape(2, 4, 4)
    axes = "(batch, seq, d_v)", "(batch, seq, seq)"
    for texts in (2, 1):
        found = attention(x[:texts].clone(), mask[:texts].clone())
        expect_output_and_weights(found, *(part[:texts] for part in wanted), axes)


def _expect_published(student: LocalStudent, name: str) -> None:
    found = _published(student, name)(_TOKENS)
    expect_output_and_weights(found, _OUTPUT, _WEIGHTS, _AXES, _weights_are_special, _not_averaged)


def _expect_narrow(student: LocalStudent, name: str) -> None:
    state = {
        "w_q.weight": torch.tensor([[1.0, 2.0, 0.0, 0.0]]),
        "w_k.weight": torch.tensor([[1.0, 0.0, 0.0, 0.0]]),
        "w_v.weight": _NARROW_VALUES,
    }
    weights = torch.tensor(
        [[_ITSELF, _OTHERS, _OTHERS], [_TWICE, _ONCE, _ONCE], [1 / 3, 1 / 3, 1 / 3]]
    )
    values = (_NARROW_VALUES @ _TOKENS.mT).mT
    attention = _module(student, name, 4, 1, 2)
    load(attention, state)
    found, output = attention(_TOKENS), weights @ values
    expect_output_and_weights(found, output, weights, _AXES, _narrow_is_special, _not_averaged)
    wider = {
        "w_q.weight": torch.tensor([[0.0, 1.0, 0.0, 0.0], [0.0] * 4]),
        "w_k.weight": torch.tensor([[1.0, 2.0, 0.0, 0.0], [0.0] * 4]),
    }
    attention = _module(student, name, 4, 2, 2)
    load(attention, state | wider)
    weights = torch.tensor([[1 / 3] * 3, [0.28399541, 0.57597535, 0.14002925], [1 / 3] * 3])
    found, output = attention(_TOKENS), weights @ values
    expect_output_and_weights(found, output, weights, _AXES, None, _not_averaged)
    attention, bias = _module(student, name, 4, 1, 2, True), torch.tensor([5.0, -7.0])
    none = {f"w_{part}.bias": torch.zeros(1) for part in "qk"}
    load(attention, state | none | {"w_v.bias": bias})
    found, alone = attention(_TOKENS, torch.eye(3, dtype=torch.bool)), torch.eye(3)
    expect_output_and_weights(found, values + bias, alone, _AXES, _narrow_is_special, _not_alone)


def _expect_masked(student: LocalStudent, name: str) -> None:
    mask = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    weights, output = _WEIGHTS.clone(), _OUTPUT.clone()
    weights[:2] = torch.tensor([[1.0, 0.0, 0.0], [0.5777, 0.4223, 0.0]])
    output[:2] = torch.tensor([[0.6686, 0.1350, 0.2327, 0.5006], [0.4471, 0.3735, 0.0352, 0.1293]])
    attention = _published(student, name)
    found = attention(_TOKENS, mask)
    expect_output_and_weights(found, output, weights, _AXES, _mask_is_special, _not_averaged)
    found = attention(_TOKENS)  # a mask is of its own call alone
    expect_output_and_weights(found, _OUTPUT, _WEIGHTS, _AXES, _kept_is_special, _not_averaged)


def _module(student: LocalStudent, name: str, *sizes: int) -> LocalModule:
    attention: Any = getattr(student, name)(*sizes)
    if not isinstance(attention, LocalModule):
        says = f"{name} must stay a class made from nn.Module."
        raise Mismatch(form_text(attention), "a module", says)
    return attention


def _published(student: LocalStudent, name: str) -> LocalModule:
    """The student's module with three 4 x 4 matrices drawn from seed 42, query, key, value."""
    attention, numbers = _module(student, name, 4, 4, 4), torch.Generator().manual_seed(42)
    weights = {f"w_{part}.weight": torch.empty(4, 4) for part in "qkv"}
    for matrix in weights.values():
        nn.init.xavier_uniform_(matrix, generator=numbers)
    load(attention, weights)
    return attention


def _expect_parameters(attention: Any, bias: bool) -> None:
    if not isinstance(attention, LocalModule):
        says = "SelfAttention must stay a class made from nn.Module."
        raise Mismatch(form_text(attention), "a module", says)
    found = {name: tuple(value.shape) for name, value in attention.state_dict().items()}
    wanted: dict[str, tuple[int, ...]] = {}
    for name, width in (("w_q", 3), ("w_k", 3), ("w_v", 2)):
        wanted[f"{name}.weight"] = (width, 5)
        if bias:
            wanted[f"{name}.bias"] = (width,)
    missing = [name for name in wanted if name not in found]
    unasked = [name for name in found if name in ("w_q.bias", "w_k.bias", "w_v.bias")]
    if missing:
        says = f"Parameters of these names must be there: not found: {', '.join(missing)}."
    elif any(found[name] != shape for name, shape in wanted.items()):
        says = (
            "The widths differ. nn.Linear takes first the width that goes in, then what comes out."
        )
    elif unasked and not bias:
        says = "There is a bias that nobody asked for. What does nn.Linear do when not told?"
    else:
        return
    raise Mismatch(_lines(found), _lines(wanted), says)


def _lines(shapes: dict[str, tuple[int, ...]]) -> str:
    return "\n".join(f"{name} {shape}" for name, shape in shapes.items()) or "no parameters"


def _numbers(value: Any) -> np.ndarray | None:
    return value.detach().double().numpy() if isinstance(value, Tensor) else None


def _not_averaged(_: np.ndarray) -> str:
    return "The weights are right; the output is not the average of the values that they say."


def _not_alone(_: np.ndarray) -> str:
    return "Each token sees itself alone here. Does its value come out, bias included, and no more?"


def _kept_is_special(weights: np.ndarray) -> str | None:
    if weights.shape == (3, 3) and abs(weights[0, 0] - 1) < 1e-4:
        return "This call has no mask, yet that of the call before still counts."
    return _weights_are_special(weights)


def _weights_are_special(weights: np.ndarray) -> str | None:
    by_columns = shared_by_columns(weights)
    if by_columns:
        return by_columns
    if weights.ndim == 2 and not sums_to_one(weights, -1):
        return "The second value must be weights: each token shares out 1 among all tokens."
    if _as_if_scaled_otherwise(weights):
        return "The pattern is right, but the weights are too even or too sharp. What is the scale?"
    return None


def _as_if_scaled_otherwise(weights: np.ndarray) -> bool:
    """Whether the scores behind the weights are the published ones times another number than 1."""
    if weights.shape != (3, 3) or (weights <= 0).any():
        return False
    found, right = (np.log(w) - np.log(w).mean(-1, keepdims=True) for w in (weights, _FIGURES))
    factor = (found * right).sum() / (right * right).sum()
    return bool(
        factor > 0 and abs(factor - 1) > 0.01 and np.allclose(found, factor * right, atol=5e-3)
    )


def _narrow_is_special(weights: np.ndarray) -> str | None:
    scores = np.array([[1.0, 0, 0], [2, 0, 0], [0, 0, 0]])
    for root in (2.0, np.sqrt(2), np.sqrt(3)):  # of d_model, d_v and the number of tokens
        scaled = np.exp(scores / root)
        if same(weights, scaled / scaled.sum(-1, keepdims=True)):
            return "The scores were divided by another root. How wide are queries and keys here?"
    return _weights_are_special(weights)


def _mask_is_special(weights: np.ndarray) -> str | None:
    if weights.shape != (3, 3):
        return None
    if same(np.round(weights, 4), _WEIGHTS.numpy()):
        return "The mask changes nothing. Where does it go in?"
    if abs(weights[1, 2] - 1) < 1e-4:
        return "Only what should be hidden is left. In this course True in a mask means allowed."
    by_columns = shared_by_columns(weights)
    if by_columns:  # the mask may be right, and softmax alone wrong
        return by_columns
    if np.abs(np.triu(weights, 1)).max() < 1e-6 and not sums_to_one(weights, -1):
        return "What is hidden is 0, but the rows do not sum to 1. Mask earlier: the scores."
    if np.abs(np.triu(weights, 1)).max() > 1e-6:
        return "What is hidden still gets a share. Which score has a share of exactly 0?"
    return None
