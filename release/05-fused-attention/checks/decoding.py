"""Visible checks of 05-fused-attention: decode_step."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import (
    Hint,
    Mismatch,
    exercise,
    expect_inputs_unchanged,
    expect_part,
    same,
)
from checks.kit.local_student import LocalModule, LocalStudent
from checks.kit.pictures import Heatmap

# q = k = x, v = x + 1, and `out` multiplies by 10; the outputs of two heads are worked out by hand.
_TOKENS = torch.tensor([[[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 2.0]]])
_OUTPUTS = torch.tensor(
    [
        [
            [20.0, 10.0, 30.0, 10.0],
            [13.30238451, 16.69761549, 16.60476901, 16.69761549],
            [17.51744922, 17.51744922, 10.90776726, 27.22529573],
        ]
    ]
)
_KEYS = torch.tensor(  # (batch, heads, steps, d_head)
    [[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 1.0], [0.0, 2.0]]]]
)
_HELD = _KEYS + 1  # the values
_FORM = "(batch, 1, d_model)"
_CACHE = "(batch, heads, steps, d_head)"


@example(
    "decode_step",
    picture=Heatmap(
        "values in the cache (0: not there yet)",
        rows=tuple(f"after step {step}" for step in range(5)),
        columns=tuple(f"place {place}" for place in range(5)),
        rows_are="decode_step(...)",
        columns_are="place along the cache",
    ),
)
def places_in_the_cache(student: LocalStudent) -> Tensor:
    """One feature of the cached values after every step; token t brings the value t + 1."""
    attention = _pass_through(student)
    cache, rows = None, torch.zeros(5, 5)
    for step in range(5):
        token = torch.full((1, 1, 4), float(step))
        _, cache = student.decode_step(attention, token, cache)
        held = cache[1][0, 0, :, 0]
        rows[step, : len(held)] = held
    return rows


@exercise("decode_step")
def test_the_first_token(student: LocalStudent) -> None:
    """Without a cache a token attends to itself, and the cache holds one step."""
    y, cache = _step(student, _pass_through(student), _TOKENS[:, :1])
    expect_inputs_unchanged(student)
    expect_part("output", y, _OUTPUTS[:, :1], _FORM, _first_is_special)
    _expect_cache(cache, steps=1)


@exercise("decode_step")
def test_the_cache_after_three_steps(student: LocalStudent) -> None:
    """The cache holds keys, then values, of all three tokens, the newest last."""
    attention, cache = _pass_through(student), None
    for step in range(3):
        _, cache = _step(student, attention, _TOKENS[:, step : step + 1], cache)
    _expect_cache(cache, steps=3)


@exercise("decode_step")
def test_three_steps_by_hand(student: LocalStudent) -> None:
    """Three tokens, one after the other, give what the causal pass gives them."""
    attention, cache = _pass_through(student), None
    for step in range(3):
        y, cache = _step(student, attention, _TOKENS[:, step : step + 1], cache)
        expect_part(f"output {step}", y, _OUTPUTS[:, step : step + 1], _FORM, _output_is_special)


@exercise("decode_step")
def test_the_old_cache_stays_as_it_was(student: LocalStudent) -> None:
    """Two tokens are tried after the same beginning: the second finds the cache as it was."""
    attention = _pass_through(student)
    _, cache = _step(student, attention, _TOKENS[:, :1])
    _step(student, attention, _TOKENS[:, 2:], cache)
    if student.changed_inputs:
        says = "Your code writes into the cache (or the token) that it was given. Make a new one."
        raise Mismatch("the cache has changed", "the cache as it was", says)
    y, _ = _step(student, attention, _TOKENS[:, 1:2], cache)
    expect_part("output", y, _OUTPUTS[:, 1:2], _FORM, _output_is_special)


@exercise("decode_step")
def test_keys_that_are_all_alike(student: LocalStudent) -> None:
    """Where all keys are alike, each step gives the mean of the values so far."""
    alike, none = torch.tensor([1.0, -2.0, 0.5, 3.0]), torch.zeros(4, 4)
    attention, cache = _pass_through(student), None
    weights = torch.cat([torch.eye(4), none, 100 * torch.eye(4)])
    biases = torch.cat([none[0], alike, none[0]])
    attention.load_state_dict({"qkv.weight": weights, "qkv.bias": biases}, strict=False)
    says = (
        "All keys are alike here, so that all tokens so far count alike. Which third of qkv's "
        "output is compared with the queries, and which one is averaged?"
    )
    for step in range(3):
        y, cache = _step(student, attention, _TOKENS[:, step : step + 1], cache)
        mean = 1000 * _TOKENS[:, : step + 1].mean(1, keepdim=True)
        expect_part(f"output {step}", y, mean, _FORM, lambda _: says)


def _pass_through(student: LocalStudent) -> LocalModule:
    """The student's module with q = k = x, v = x + 1 and an output that is ten times as large."""
    attention: LocalModule = student.FusedMultiHeadAttention(4, 2)
    whole = torch.eye(4)
    attention.load_state_dict(
        {
            "qkv.weight": whole.repeat(3, 1),
            "qkv.bias": torch.tensor([0.0] * 8 + [1.0] * 4),
            "out.weight": 10 * whole,
            "out.bias": torch.zeros(4),
        },
        strict=False,
    )
    attention.eval()
    return attention


def _step(
    student: LocalStudent, attention: LocalModule, token: Tensor, cache: Any = None
) -> tuple[Any, Any]:
    """One step: the output, and a cache that is a pair."""
    result = student.decode_step(attention, token, cache)
    wanted = "two values: the output, and the cache (k, v)"
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        says = "Two values are promised: the output and the cache, which is a pair itself."
        raise Mismatch(form_text(result), wanted, says)
    if not isinstance(result[1], (tuple, list)) or len(result[1]) != 2:
        says = "The second value is the cache: a pair, keys first, values second."
        raise Mismatch(form_text(result), wanted, says)
    return result[0], result[1]


def _first_is_special(found: np.ndarray) -> str | None:
    first = _TOKENS[:, :1].numpy()
    if same(found, first + 1):
        return "This is the token's value. Which layer comes after attention?"
    if same(found, 10 * first):
        return (
            "This is ten times the token; v is one more. Is it v, with its bias, that is averaged?"
        )
    return None


def _output_is_special(found: np.ndarray) -> str | None:
    if same(found, _OUTPUTS[:, :1].numpy()):
        return "The output is that of the first token. May the newest one see only key 0?"
    for step in (1, 2):
        if same(found, 10 * (_TOKENS[:, step : step + 1].numpy() + 1)):
            return "The token attends to itself alone. Where does the cache come in?"
    return None


def _expect_cache(cache: Any, steps: int) -> None:
    """State what the cache must hold after the first steps."""
    keys, values = _KEYS[:, :, :steps], _HELD[:, :, :steps]
    for name, found, wanted, other in (
        ("keys", cache[0], keys, values),
        ("values", cache[1], values, keys),
    ):
        expect_part(name, found, wanted, _CACHE, _order_hint(wanted.numpy(), other.numpy()))


def _order_hint(wanted: np.ndarray, other: np.ndarray) -> Hint:
    """Names what is special about one part of the cache; `other` is the part beside it."""

    def hint(found: np.ndarray) -> str | None:
        if same(found, other):
            return "Keys and values have changed places in the pair."
        if same(found, wanted[:, :, ::-1]):
            return "The newest step stands in front. It should come last."
        if found.ndim == 4 and found.shape[:2] == (1, 2) and found.shape[2] < wanted.shape[2]:
            return "Steps are missing. What does your function hand back: the new step, or all?"
        if found.ndim == 3:
            return (
                "Whole vectors are cached here. Cut them into heads first: each head has its own."
            )
        return None

    return hint
