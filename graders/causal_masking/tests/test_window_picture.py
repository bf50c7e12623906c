"""The window picture shows the weights and the reach that the reference's masks give."""

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from checks.window_picture import BACK, BOTH, SCORES, Window
from solutions.causal_masking.reference import masked_softmax, sliding_window_mask


@pytest.mark.parametrize("looks", [BACK, BOTH])
@pytest.mark.parametrize("layers", range(1, 6))
@pytest.mark.parametrize("window", range(1, 7))
def test_weights_and_layers(window, layers, looks):
    frame = Window(window, layers, looks)
    mask = sliding_window_mask(6, window)
    mask = mask if looks == BACK else mask | mask.mT
    weights = masked_softmax(torch.from_numpy(SCORES), mask)
    np.testing.assert_allclose(frame.weights, weights.numpy(), rtol=1e-9)
    assert (frame.weights > 0).tolist() == mask.tolist()

    back = torch.arange(6)[:, None] - torch.arange(6)
    steps = back.abs() if looks == BOTH else back
    needed = torch.where(steps == 0, 1.0, torch.ceil(steps / max(window - 1, 1e-9)))
    reached = (needed >= 1) & (needed <= layers)
    assert frame.layers_needed.tolist() == torch.where(reached, needed, 0).int().tolist()

    figure = Figure(figsize=frame.size)
    frame.draw(figure)
    left, right = ([text.get_text() for text in axes.texts] for axes in figure.axes)
    shown = zip(weights.flatten(), mask.flatten(), strict=True)
    assert left == [f"{weight:.2f}" if allowed else "·" for weight, allowed in shown]
    assert right == [str(n) if n else "·" for n in frame.layers_needed.flatten()]
