"""The reference solutions of 06 against independent ones, and against published figures."""

import math

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt

from solutions.seeing_attention.reference import (
    attention_entropy,
    classify_pattern,
    compare_attention,
    plot_attention,
    strongest_links,
)

mpl.use("Agg")
SIX = ["The", "cat", "sat", "on", "the", "mat"]
PUBLISHED = torch.tensor(
    [
        [0.40, 0.15, 0.10, 0.10, 0.15, 0.10],
        [0.10, 0.50, 0.25, 0.05, 0.05, 0.05],
        [0.08, 0.35, 0.40, 0.12, 0.03, 0.02],
        [0.05, 0.05, 0.10, 0.35, 0.15, 0.30],
        [0.40, 0.08, 0.07, 0.10, 0.25, 0.10],
        [0.05, 0.10, 0.05, 0.25, 0.15, 0.40],
    ]
)
EXAMPLES = {
    "diagonal": [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]],
    "uniform": [[0.33, 0.33, 0.33]] * 3,
    "focused": [[0.05, 0.90, 0.05], [0.10, 0.10, 0.80], [0.85, 0.10, 0.05]],
    "local": [[0.7, 0.2, 0.1, 0], [0.2, 0.5, 0.2, 0.1], [0.1, 0.2, 0.5, 0.2], [0, 0.1, 0.2, 0.7]],
}
PRECISIONS = [
    (torch.float64, 1e-12),
    (torch.float32, 1e-6),
    (torch.bfloat16, 2e-2),
    (torch.float16, 2e-3),
]
precisions = pytest.mark.parametrize(
    ("dtype", "tolerance"), PRECISIONS, ids=lambda one: str(one).removeprefix("torch.")
)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def weights():
    numbers = torch.Generator().manual_seed(0)
    return torch.randn(2, 3, 5, 7, generator=numbers, dtype=torch.float64).softmax(dim=-1)


@precisions
def test_entropies_are_those_of_torchs_distributions_forward_and_backward(
    weights, dtype, tolerance
):
    leaf = weights.to(dtype).requires_grad_()
    found = attention_entropy(leaf)
    exact = leaf.detach().double().requires_grad_()
    # Categorical divides by the sum first, so its gradient is taken from its own formula.
    wanted = -(exact * exact.log()).sum(dim=-1)
    upstream = torch.linspace(-1, 1, 30, dtype=torch.float64).view(2, 3, 5)
    found.backward(upstream.to(dtype))
    wanted.backward(upstream)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), wanted.detach(), atol=tolerance, rtol=tolerance)
    torch.testing.assert_close(leaf.grad.double(), exact.grad, atol=tolerance, rtol=2 * tolerance)
    theirs = torch.distributions.Categorical(probs=weights).entropy()
    torch.testing.assert_close(attention_entropy(weights), theirs)


def test_entropies_are_those_of_scipy(weights):
    stats = pytest.importorskip("scipy.stats")
    wanted = stats.entropy(weights.numpy(), axis=-1)
    np.testing.assert_allclose(attention_entropy(weights).numpy(), wanted, rtol=1e-12)


def test_weights_of_zero_add_nothing_and_have_a_finite_gradient():
    rows = torch.tensor([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25]])
    leaf = rows.clone().requires_grad_()
    attention_entropy(leaf).sum().backward()
    wanted = torch.tensor([0, math.log(2), math.log(4)])
    torch.testing.assert_close(attention_entropy(rows), wanted)
    positive = rows > 0
    torch.testing.assert_close(leaf.grad[positive], -rows[positive].log() - 1)
    assert torch.equal(leaf.grad[~positive], torch.zeros(5))


def test_behind_a_causal_mask_the_scores_get_a_finite_gradient():
    scores = torch.zeros(4, 4, requires_grad=True)
    future = torch.ones(4, 4).triu(1).bool()
    entropy = attention_entropy(scores.masked_fill(future, -math.inf).softmax(dim=-1))
    entropy.sum().backward()
    torch.testing.assert_close(entropy.detach(), torch.tensor([1.0, 2, 3, 4]).log())
    assert bool(scores.grad.isfinite().all())


def test_the_rows_worked_by_hand_have_the_entropies_of_the_text():
    row = torch.tensor([[0.7, 0.1, 0.1, 0.1]])
    assert attention_entropy(row).item() == pytest.approx(0.9404, abs=5e-5)
    in_effect = attention_entropy(PUBLISHED).exp()
    assert (in_effect.argmax().item(), round(in_effect.max().item())) == (0, 5)
    assert [round(keys) for keys in in_effect[1:3].tolist()] == [4, 4]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_published_examples_are_sorted_rightly(name):
    assert classify_pattern(torch.tensor(EXAMPLES[name])) == name


def test_the_published_six_tokens_are_mixed_and_link_as_they_are_described():
    assert classify_pattern(PUBLISHED) == "mixed"
    links = [[token for token, _ in row] for row in strongest_links(PUBLISHED, SIX)]
    assert links[0] == ["The", "cat", "the"]
    assert links[2] == ["sat", "cat", "on"]
    assert links[3][:2] == ["on", "mat"]
    assert links[4][:2] == ["The", "the"]
    assert links[5] == ["mat", "on", "the"]


@pytest.mark.parametrize("keys", [3, 7, 50])
def test_links_are_those_of_a_stable_sort_in_numpy(keys):
    levels = np.random.default_rng(keys).integers(1, 5, size=(6, keys)) / 64
    tokens = [f"w{place}" for place in range(keys)]
    order = np.argsort(-levels, axis=-1, kind="stable")[:, :4]
    wanted = [
        [(tokens[j], levels[i, j]) for j in places] for i, places in enumerate(order.tolist())
    ]
    assert strongest_links(torch.from_numpy(levels), tokens, k=4) == wanted


def test_a_map_shows_rows_of_queries_from_the_top(weights):
    square = weights[0, 0, :, :5].bfloat16().requires_grad_()
    axes = plot_attention(square, SIX[:5])
    (image,) = axes.images
    assert np.array_equal(image.get_array(), square.detach().float().numpy())
    assert (image.origin, image.get_clim()) == ("upper", (0, 1))
    assert [tick.get_text() for tick in axes.get_yticklabels()] == SIX[:5]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == SIX[:5]
    assert image.colorbar is not None


def test_a_map_is_drawn_in_the_axes_given():
    figure, (left, right) = plt.subplots(1, 2)
    assert plot_attention(PUBLISHED, SIX, right) is right
    assert not left.images
    assert plot_attention(PUBLISHED, SIX).figure is not figure


@pytest.mark.parametrize("call", [plot_attention, strongest_links])
def test_tokens_that_do_not_fit_are_refused_with_both_numbers(call):
    with pytest.raises(ValueError, match=r"6.*5"):
        call(PUBLISHED, SIX[:5])


@precisions
def test_both_maps_are_pytorchs_attention_weights(dtype, tolerance):
    numbers = torch.Generator().manual_seed(1)
    scores = torch.randn(6, 6, generator=numbers, dtype=torch.float64).to(dtype)
    # With one key wide as the scores and the identity for values, the output is the weights.
    for axes, causal in zip(compare_attention(scores, SIX).axes[:2], (False, True), strict=True):
        wanted = torch.nn.functional.scaled_dot_product_attention(
            scores.double()[None], torch.eye(6).double()[None], torch.eye(6).double()[None],
            is_causal=causal, scale=1.0,
        )[0]  # fmt: skip
        shown = torch.from_numpy(np.asarray(axes.images[0].get_array(), dtype=np.float64))
        torch.testing.assert_close(shown, wanted, atol=max(tolerance, 1e-6), rtol=0)
