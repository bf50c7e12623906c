"""The picture of tiles keeps what an online softmax keeps, and ends on the whole average."""

import math

import pytest
import torch
from matplotlib.figure import Figure

from checks.tiles_picture import SCORES, VALUES, Tiles


@pytest.mark.parametrize("block_size", [1, 2, 4, 8])
@pytest.mark.parametrize("seen", range(9))
def test_what_is_kept_after_each_block(seen, block_size):
    frame = Tiles(seen, block_size)
    highest, total, output, factor = -math.inf, 0.0, 0.0, 1.0
    for start in range(0, min(seen * block_size, 8), block_size):
        block = slice(start, start + block_size)
        higher = max(highest, *SCORES[block])
        factor = math.exp(highest - higher)
        bars = [math.exp(score - higher) for score in SCORES[block]]
        total = factor * total + sum(bars)
        output = factor * output + sum(b * v for b, v in zip(bars, VALUES[block], strict=True))
        highest = higher
    assert frame.kept == pytest.approx((highest, total, output))
    assert frame.factor == pytest.approx(factor)

    figure = Figure(figsize=frame.size)
    frame.draw(figure)
    bars, numbers = ([text.get_text() for text in axes.texts] for axes in figure.axes)
    end = min(seen * block_size, 8)
    assert bars == [f"{math.exp(score - highest):.2f}" for score in SCORES[:end]]
    average = f"{output / total:.3f}" if total else "none yet"
    assert numbers[5::2] == [f"{total:.4f}", f"{output:.3f}", average]


def test_the_table_of_the_text_is_its_second_still():
    assert "m 3, l 1.5530, o 40.702" in Tiles(2, 2).words


@pytest.mark.parametrize("block_size", [1, 2, 4, 8])
def test_the_last_block_gives_the_average_over_all_keys(block_size):
    _, total, output = Tiles(8, block_size).kept
    scores, values = torch.from_numpy(SCORES), torch.from_numpy(VALUES)
    assert output / total == pytest.approx((scores.softmax(0) @ values).item())
