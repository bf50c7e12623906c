"""Hidden graders of decode_step: one token at a time, with the keys and values of all before."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.decode_step.probe  # noqa: F401 - registers the probe
from autograder.judging import Wrong, assert_matches, exercise
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, same_bits
from autograder.judging.registry import hand_over, keep_own
from autograder.tensors.devices import assert_stays_on_meta
from graders.fused_attention.given_modules import (
    loaded,
    reference_of,
    weights_of,
    with_loud_values,
)
from graders.fused_attention.steps import (
    assert_a_pair,
    causal_pass,
    decoded,
    last_cache,
    step,
)
from graders.modules import form

MANY = 1100  # steps; more than one would keep who keeps the last 1,024 at the most

hand_over("decode_step", "FusedMultiHeadAttention")
keep_own("decode_step", "fused_from_projections", because="it takes modules, and is not needed")


@exercise("decode_step")
@pytest.mark.points(6, "values")
@pytest.mark.devices("cpu", "cuda")
def test_steps_give_the_full_causal_pass(student: Any, device: str, draw: Draw) -> None:
    """Token by token, the outputs are those of the module's causal pass over all tokens."""
    for batch, steps, d_model, heads, loud in (
        (2, 7, 12, 3, False),
        (3, 5, 10, 2, False),
        (2, 7, 12, 3, False),  # the first again, whose new values show a kept result
        (2, 3, 6, 2, True),
    ):
        weights = weights_of(draw, d_model)
        weights = with_loud_values(weights) if loud else weights
        x = draw.normal(batch, steps, d_model, device=device)
        module = loaded(student, d_model, heads, weights, device)
        wanted = causal_pass(reference_of(d_model, heads, weights, device), x)
        assert_matches(decoded(student, module, x), wanted)


@exercise("decode_step")
@pytest.mark.points(1, "values")
def test_the_first_token_attends_to_itself(student: Any, draw: Draw) -> None:
    """Without a cache, the output is that of a sequence of one token."""
    weights, x = weights_of(draw, 6), draw.normal(4, 1, 6)
    module = loaded(student, 6, 3, weights)
    found, _ = step(student, module, x)
    assert_matches(found, causal_pass(reference_of(6, 3, weights), x))


@exercise("decode_step")
@pytest.mark.points(1.5, "form")
def test_the_cache_grows_by_one_step(student: Any, draw: Draw) -> None:
    """The cache is a pair, each part (batch, heads, steps, d_head), one step longer every time."""
    x, cache = draw.normal(2, 4, 15), None
    module = loaded(student, 15, 5, weights_of(draw, 15))
    for now in range(4):
        _, cache = step(student, module, x[:, now : now + 1], cache)
        assert_a_pair(cache, (2, 5, now + 1, 3))


@exercise("decode_step")
@pytest.mark.points(0.5, "generality")
def test_a_long_cache_is_kept_and_heeded_whole(student: Any, draw: Draw) -> None:
    """After many steps, all of them are still in the cache, and still heeded."""
    module, token = loaded(student, 8, 4, weights_of(draw, 8)), draw.normal(3, 1, 8)
    keys, values = (draw.normal(3, 4, MANY, 2) for _ in "kv")
    changed = values.clone()
    changed[:, :, :10] += 10
    (y, cache), (other, _) = (step(student, module, token, (keys, v)) for v in (values, changed))
    assert_a_pair(cache)
    if any(max(part.shape, default=0) < MANY for part in cache):
        raise Wrong("After many steps, the oldest ones are gone from the cache.", "cache-window")
    if any(part.ndim != 4 or part.shape[2] < MANY for part in cache):
        raise Wrong("The parts of the cache are not (batch, heads, steps, d_head).")
    if torch.allclose(y, other, atol=1e-4):
        raise Wrong("After many steps, the oldest ones are no longer heeded.")


@exercise("decode_step")
@pytest.mark.points(1, "values")
def test_the_cache_holds_keys_and_values_in_order(student: Any, draw: Draw) -> None:
    """The cache holds the keys first and the values second, the oldest step first in both."""
    weights, x = weights_of(draw, 8), draw.normal(3, 5, 8)
    module = loaded(student, 8, 2, weights)
    keys, values = last_cache(student, module, x)
    whole = reference_of(8, 2, weights).qkv(x).detach().unflatten(-1, (3, 2, 4))
    _, k, v = whole.transpose(1, 3).unbind(2)
    assert_a_pair((keys, values), tuple(k.shape))
    for part, wanted, symptom in (
        (keys, k, "The first part of your cache does not hold the keys, the oldest step first."),
        (values, v, "The second part of your cache does not hold the values, the oldest first."),
    ):
        assert_agree(part, wanted, symptom)


@exercise("decode_step")
@pytest.mark.points(1, "generality")
def test_two_continuations_may_start_from_one_cache(student: Any, draw: Draw) -> None:
    """A step leaves the old cache as it was, so that another may start from it."""
    x, other = draw.normal(2, 4, 8), draw.normal(2, 1, 8)
    module = loaded(student, 8, 4, weights_of(draw, 8))
    cache = last_cache(student, module, x[:, :3])
    before = tuple(part.clone() for part in cache)
    step(student, module, other, cache)
    if student.changed_inputs or not all(map(same_bits, cache, before)):
        raise Wrong("A step changes the cache that it was given.")
    again, _ = step(student, module, x[:, 3:], cache)
    alone = decoded(student, module, x)[:, 3:]
    assert_agree(again, alone, "A step depends on another that began from the same cache.")


@exercise("decode_step")
@pytest.mark.points(1, "generality")
def test_sequences_do_not_meet(student: Any, draw: Draw) -> None:
    """Two sequences that are decoded in turn give what each gives alone."""
    module = loaded(student, 10, 5, weights_of(draw, 10))
    pair = draw.normal(2, 2, 4, 10)
    caches: list[Any] = [None, None]
    outputs: list[list[Tensor]] = [[], []]
    for now in range(4):
        for which in (0, 1):
            token = pair[which, :, now : now + 1]
            y, caches[which] = step(student, module, token, caches[which])
            outputs[which].append(y)
    for which in (0, 1):
        alone, together = decoded(student, module, pair[which]), torch.cat(outputs[which], dim=1)
        assert_agree(together, alone, "Two sequences that are decoded in turn disturb each other.")
        if torch.allclose(alone[:, 3:], step(student, module, pair[which, :, 3:])[0], atol=1e-5):
            raise Wrong("A token's output does not depend on the tokens before it.")


@exercise("decode_step")
@pytest.mark.points(0.5, "numerics")
def test_steps_keep_their_dtype(student: Any, draw: Draw) -> None:
    """In float64 or bfloat16, output and cache have that dtype; large scores are right, too."""
    for dtype in (torch.float64, torch.bfloat16):
        module = loaded(student, 6, 2, weights_of(draw, 6))
        module.to(dtype)
        x, cache = draw.normal(3, 2, 6, dtype=dtype), None
        for now in (0, 1):
            y, cache = step(student, module, x[:, now : now + 1], cache)
            assert_a_pair(cache)
            if form(y) != form(x[:, :1]) or any(part.dtype != dtype for part in cache):
                raise Wrong("Output or cache has another dtype, or size, than the token.")
    far = {name: (8 * tensor).round() / 8 for name, tensor in weights_of(draw, 8).items()}
    for tensor in far.values():  # of 8 rows for queries, 8 for keys and 8 for values
        tensor[:8] *= 8
    far["qkv.bias"][8:16] += 256  # a query's scores are all thousands, and float32 holds them
    x = (4 * draw.normal(2, 4, 8, dtype=torch.float64)).round() / 4
    module, reference = loaded(student, 8, 2, far), reference_of(8, 2, far).double()
    module.to(torch.float64)
    assert_matches(decoded(student, module, x), causal_pass(reference, x))


@exercise("decode_step")
@pytest.mark.points(0.5, "generality")
def test_steps_stay_on_the_device(student: Any) -> None:
    """Output and cache are on the device of the token, with no detour through the CPU or NumPy."""

    def results(steps: int, device: str) -> object:
        module = student.FusedMultiHeadAttention(6, 3)
        module.to(device)
        token, past = (torch.ones(2, *one, device=device) for one in ((1, 6), (3, steps, 2)))
        cache = ((past, past),) if steps else ()
        return student.decode_step(module, token, *cache)

    assert_stays_on_meta(partial(results, 4), partial(results, 0), reading=True)


@exercise("decode_step")
@pytest.mark.points(0.5, "generality")
def test_the_token_is_left_as_it_was(student: Any, draw: Draw) -> None:
    """The token and the module's weights still hold the same numbers afterwards."""
    weights = weights_of(draw, 6)
    module = loaded(student, 6, 3, weights)
    step(student, module, draw.normal(2, 1, 6))
    if student.changed_inputs:
        raise Wrong("Your code changes the token that it was given.")
    state = module.state_dict()
    if not all(torch.equal(state[name], value) for name, value in weights.items()):
        raise Wrong("Your code changes the module's weights.")
