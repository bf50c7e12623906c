"""`play("scale")`: scores that spread further make softmax a switch, and its gradient nothing."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.kit.moving import Choice, Slider, moving
from checks.shares import BLUE, ORANGE, shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLAIN, DIVIDED = "as they are", "divided by √d_k"
WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_DRAWN = np.array([0.3, -1.2, 1.6, 0.0, -0.5, 1.0, -1.6, 0.4])


@moving(
    "scale",
    Slider("width", "d_k", WIDTHS),
    Choice("scores_are", "scores", (PLAIN, DIVIDED)),
    stills=(
        {"width": 1, "scores_are": PLAIN},
        {"width": 16, "scores_are": PLAIN},
        {"width": 512, "scores_are": PLAIN},
        {"width": 512, "scores_are": DIVIDED},
    ),
)
@dataclass(frozen=True)
class ScoresOfAWidth:
    """Eight scores that spread as dot products of that width do, and what softmax makes of them."""

    width: int
    scores_are: str
    size = (5.2, 4.2)

    @property
    def scores(self) -> np.ndarray:
        """Eight scores whose standard deviation is the root of the width, or 1 where divided."""
        spread = math.sqrt(self.width) if self.scores_are == PLAIN else 1.0
        return _DRAWN / _DRAWN.std() * spread

    @property
    def weights(self) -> np.ndarray:
        """The share of each score."""
        return shares(self.scores)

    @property
    def gradients(self) -> np.ndarray:
        """How much each share moves for what its own score moves: w (1 - w)."""
        return self.weights * (1 - self.weights)

    @property
    def says(self) -> str:
        """The spread, the largest share, and its gradient."""
        return (
            f"The scores' standard deviation is {self.scores.std():.1f}. The largest share is "
            f"{_short(self.weights.max())}; of all eight gradients, the largest is "
            f"{_short(self.gradients.max())}."
        )

    @property
    def words(self) -> str:
        """All twenty-four numbers."""
        told = {"Scores": self.scores, "Shares": self.weights, "Gradients": self.gradients}
        listed = (f"{name}: {', '.join(map(_short, row))}." for name, row in told.items())
        return f"Three bar charts of eight scores, width {self.width}. {' '.join(listed)}"

    def draw(self, figure: "Figure") -> None:
        """Draw three rows of bars, on axes that stay as they are when the width moves."""
        top, middle, bottom = figure.subplots(3, 1, sharex=True)
        _bars(top, self.scores, ("scores", "{:.1f}"), (-48, 48))
        _bars(middle, self.weights, ("shares", "{:.2f}"), (0, 1.2))
        _bars(bottom, self.gradients, ("gradients", "{:.2f}"), (0, 0.3))
        bottom.set(xticks=range(8), xlabel="score number")


def _bars(
    ax: "Axes", heights: np.ndarray, written: tuple[str, str], limits: tuple[float, float]
) -> None:
    title, form = written
    colours = [ORANGE if height == heights.max() else BLUE for height in heights]
    for bar, height in zip(ax.bar(range(8), heights, color=colours), heights, strict=True):
        middle = bar.get_x() + bar.get_width() / 2
        side = "bottom" if height >= 0 else "top"
        ax.text(middle, height, form.format(height), ha="center", va=side)
    ax.set(ylabel=title, ylim=limits)
    ax.spines["bottom"].set_position("zero")


def _short(number: float) -> str:
    return f"{number:.2f}" if abs(number) >= 0.005 or number == 0 else f"{number:.0e}"
