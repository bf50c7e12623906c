"""Every number of the pictures that move is what PyTorch makes of the same scores."""

import math

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from checks.shares import shares
from checks.softmax_scale import DIVIDED, PLAIN, WIDTHS, ScoresOfAWidth
from checks.turned_query import KEYS, LENGTHS, VALUES, TurnedQuery


def written(frame) -> list[str]:
    """The texts in the picture's axes, in order."""
    figure = Figure(figsize=frame.size)
    frame.draw(figure)
    return [text.get_text() for axes in figure.axes for text in axes.texts if text.get_text()]


@pytest.mark.filterwarnings("error")
def test_shares_are_softmax_also_of_large_scores_and_of_minus_infinity():
    numbers = np.random.default_rng(0).normal(size=(3, 5, 7))
    for scale in (1.0, 30.0, 1e4):
        scores = scale * numbers
        scores[1, :, 2:4] = -np.inf
        wanted = torch.from_numpy(scores).softmax(-1).numpy()
        np.testing.assert_allclose(shares(scores), wanted, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("scores_are", [PLAIN, DIVIDED])
@pytest.mark.parametrize("width", WIDTHS)
def test_scores_of_a_width(width, scores_are):
    frame = ScoresOfAWidth(width, scores_are)
    scores = torch.tensor(frame.scores, requires_grad=True)
    spread = math.sqrt(width) if scores_are == PLAIN else 1.0
    assert scores.std(correction=0).item() == pytest.approx(spread)
    weights = scores.softmax(0)
    np.testing.assert_allclose(frame.weights, weights.detach().numpy(), rtol=1e-9)
    slopes = torch.autograd.functional.jacobian(lambda x: x.softmax(0), scores).diagonal()
    np.testing.assert_allclose(frame.gradients, slopes.numpy(), rtol=1e-7, atol=1e-15)
    told = [f"{s:.1f}" for s in scores] + [f"{w:.2f}" for w in weights]
    assert written(frame) == told + [f"{g:.2f}" for g in slopes]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("angle", range(0, 360, 40))
def test_a_turned_query(angle, length):
    frame = TurnedQuery(angle, length)
    turned = torch.polar(
        torch.tensor([size for _, size in KEYS], dtype=torch.float64),
        torch.tensor([math.radians(place) for place, _ in KEYS], dtype=torch.float64),
    )
    keys = torch.view_as_real(turned)
    query = torch.tensor([math.cos(math.radians(angle)), math.sin(math.radians(angle))]) * length
    values = torch.from_numpy(VALUES)
    scores = keys @ query.double() / math.sqrt(2)
    np.testing.assert_allclose(frame.scores, scores.numpy(), atol=1e-6)
    attended = torch.nn.functional.scaled_dot_product_attention(query.double()[None], keys, values)
    np.testing.assert_allclose(frame.output, attended[0].numpy(), atol=1e-6)
    weights = scores.softmax(0)
    told = [f"v{number}: {weight:.2f}" for number, weight in enumerate(weights)]
    assert written(frame)[-3:] == told
