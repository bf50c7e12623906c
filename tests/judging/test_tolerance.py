"""The numerical policy: right answers pass in every dtype, the smallest wrong ones do not."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from autograder.checks.kit.errors import Gradients
from autograder.judging import Wrong, assert_matches, expected
from autograder.judging.tolerance import FLOORS, bound, compared, comparisons
from autograder.tensors.gradients import assert_gradients_match
from solutions.attention_by_hand.reference import attention_weights, scaled_scores, softmax
from solutions.fused_attention.reference import FusedMultiHeadAttention

SEEDS = range(300)
HALF = (torch.float16, torch.bfloat16)


def by_hand(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def by_log_sum_exp(scores):
    return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))


def in_a_loop(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    total = torch.zeros_like(e[..., :1])
    for j in range(e.shape[-1]):
        total = total + e[..., j : j + 1]
    return e * (1 / total)


def scores_of(seed, dtype, *shape):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


@pytest.mark.parametrize("dtype", [*HALF, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("right", [by_hand, by_log_sum_exp, in_a_loop])
def test_right_softmaxes_pass_in_300_seeds(right, dtype):
    for seed in SEEDS:
        scores = scores_of(seed, dtype, 2, 3, 5, 7)
        assert_matches(right(scores), expected(attention_weights, scores))


@pytest.mark.parametrize("dtype", [*HALF, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize(("wrong", "right"), [(10, 6), (7, 6), (5, 6)])
def test_the_smallest_wrong_scale_fails_in_300_seeds(dtype, wrong, right):
    for seed in SEEDS:
        q, k = scores_of(seed, dtype, 2, 3, 5, right), scores_of(seed + 1000, dtype, 2, 3, 7, right)
        with pytest.raises(Wrong):
            assert_matches(q @ k.mT / math.sqrt(wrong), expected(scaled_scores, q, k))


def test_twice_the_plain_error_would_fail_right_answers():
    """Why the policy is not FlashAttention's: the reference rounds luckily now and then."""
    failed = 0
    for seed in SEEDS:
        scores = scores_of(seed, torch.bfloat16, 2, 3, 5, 7)
        wanted = expected(attention_weights, scores)
        plain_error = (wanted.plain.double() - wanted.exact).abs().max()
        error = (by_log_sum_exp(scores).double() - wanted.exact).abs().max()
        failed += bool(error > 2 * plain_error)
    assert failed > 0


def test_attention_by_hand_passes_where_the_fused_kernel_is_the_reference():
    torch.manual_seed(0)
    module = FusedMultiHeadAttention(12, 3)
    for seed in range(50):
        for dtype in HALF:
            own = module.to(torch.float32).to(dtype)
            x = scores_of(seed, dtype, 2, 5, 12)
            with torch.no_grad():
                q, k, v = own.qkv(x).unflatten(-1, (3, 3, 4)).transpose(1, 3).unbind(2)
                heads = by_hand(q @ k.mT / 2) @ v
                result = own.out(heads.transpose(1, 2).flatten(2))
            assert_matches(result, expected(own, x))


def test_the_bound_is_four_plain_errors_or_the_floor():
    exact = torch.tensor([1.0, -2.0], dtype=torch.float64)
    lucky, unlucky = exact.float(), (exact + 1e-3).float()
    assert bound(lucky, exact) == 2 * FLOORS["float32"]
    assert bound(unlucky, exact) == pytest.approx(4e-3, rel=1e-3)


def test_infinities_do_not_widen_the_bound():
    exact = torch.tensor([1.0, -torch.inf], dtype=torch.float64)
    assert bound(exact.float(), exact) == FLOORS["float32"]


def test_expected_runs_the_reference_in_both_precisions():
    x = np.ones(3, dtype=np.float32)
    wanted = expected(softmax, x)
    assert (wanted.plain.dtype, wanted.exact.dtype) == (np.float32, np.float64)


def test_expected_leaves_a_module_as_it_was():
    module = FusedMultiHeadAttention(6, 2).to(torch.bfloat16)
    wanted = expected(module, torch.ones(1, 3, 6, dtype=torch.bfloat16))
    assert wanted.plain.dtype == torch.bfloat16
    assert wanted.exact.dtype == torch.float64
    assert {p.dtype for p in module.parameters()} == {torch.bfloat16}


def test_the_exact_run_is_on_the_cpu_wherever_the_plain_one_is():
    """In PyTorch's simulation of a GPU, where what mixes devices stops as it does on a real one."""
    ran = []

    def product(pair, mask):
        x, weight = pair
        ran.append([(one.device.type, one.dtype) for one in (x, weight, mask)])
        return (x @ weight).masked_fill(mask, 0.0)

    with FakeTensorMode(), torch.device("cuda"):
        x, weight, mask = torch.empty(3, 6), torch.empty(6, 6), torch.empty(6, dtype=torch.bool)
        wanted = expected(product, (x, weight), mask=mask)
    assert ran == [
        [(place, dtype), (place, dtype), (place, torch.bool)]
        for place, dtype in (("cuda", torch.float32), ("cpu", torch.float64))
    ]
    assert (wanted.plain.device.type, wanted.exact.device.type) == ("cuda", "cpu")


def test_parameters_and_gradients_go_to_the_cpu_for_the_exact_run(monkeypatch):
    moved = []
    monkeypatch.setattr(torch.Tensor, "cpu", lambda self: moved.append(self.shape) or self)
    module, x, upstream = FusedMultiHeadAttention(6, 2), torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    mask = torch.ones(5, 5, dtype=torch.bool)
    everything = Counter([*(one.shape for one in module.parameters()), x.shape, mask.shape])
    wanted = expected(module, x, mask=mask)
    assert Counter(moved) == everything
    moved.clear()
    found = Gradients(wanted.plain, (None,), {})
    with pytest.raises(Wrong, match="No gradient reaches `x`"):  # the exact run is done by then
        assert_gradients_match(found, module, x, upstream=upstream, mask=mask)
    assert Counter(moved) == everything + Counter([upstream.shape])


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU is here")
def test_what_is_exact_on_a_gpu_is_so_in_every_bit():
    module, x = FusedMultiHeadAttention(6, 2), torch.randn(2, 5, 6)
    found = expected(module.cuda(), x.cuda())
    assert torch.equal(found.exact, expected(module.cpu(), x).exact)


@pytest.mark.parametrize(
    ("found", "exact", "allowed", "ratio"),
    [
        ([1.0, 2.5], [1.0, 2.0], 0.25, 2.0),
        ([1.0, 2.5], [1.0, 2.0], 0.5, 1.0),
        ([1.0, 2.0], [1.0, 2.0], 0.0, 0.0),
        ([1.0, 2.5], [1.0, 2.0], 0.0, math.inf),
        ([math.nan, 2.0], [1.0, 2.0], 0.5, math.inf),
        ([1.0, math.inf], [1.0, 2.0], 0.5, math.inf),
        ([1.0, math.inf], [1.0, -math.inf], 0.5, math.inf),
        ([1.0, 2.0], [1.0, math.nan], 0.5, math.inf),
        ([math.inf, math.nan, 1.5], [math.inf, math.nan, 1.0], 0.5, 1.0),
        ([], [], 0.0, 0.0),
    ],
)
def test_a_ratio_is_the_largest_error_over_the_error_allowed(found, exact, allowed, ratio):
    assert compared(torch.tensor(found), torch.tensor(exact).double(), allowed) == ratio


def test_an_error_just_over_the_bound_is_over_one():
    exact, allowed = torch.zeros(1, dtype=torch.float64), 1 / 3
    assert compared(exact + allowed, exact, allowed) == 1
    assert compared(exact + math.nextafter(allowed, 1), exact, allowed) > 1


def test_comparisons_are_listed_while_someone_watches():
    scores = scores_of(0, torch.float16, 5, 7)
    wanted = expected(attention_weights, scores)
    with comparisons() as outer:
        with comparisons() as inner:
            assert_matches(by_hand(scores), wanted)
        with pytest.raises(Wrong):
            assert_matches(2 * by_hand(scores), wanted)
    assert_matches(by_hand(scores), wanted)
    assert [(one.dtype, one.kind, one.ratio > 1) for one in outer] == [
        ("float16", "values", False),
        ("float16", "values", True),
    ]
    assert inner == outer[:1]
