"""`play("query")`: a query is turned and stretched, and the output moves among the values."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.kit.moving import Slider, moving
from checks.kit.svg import INK
from checks.shares import BLUE, GREY, ORANGE, shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KEYS = ((20, 2.0), (140, 2.0), (260, 3.0))
"""The angle in degrees and the length of each key."""

VALUES = np.array([[4.0, 0.0], [0.0, 8.0], [2.0, 2.0]])
_ABOVE = ("top", "bottom")
LENGTHS = (0, 0.5, 1, 2, 3)


@moving(
    "query",
    Slider("angle", "angle", tuple(range(0, 360, 20))),
    Slider("length", "length", LENGTHS),
    stills=(
        {"angle": 20, "length": 1},
        {"angle": 140, "length": 1},
        {"angle": 140, "length": 3},
        {"angle": 80, "length": 3},
    ),
)
@dataclass(frozen=True)
class TurnedQuery:
    """One query of width 2, three keys, and the average of three values that comes out."""

    angle: int
    length: float
    size = (5.8, 2.7)

    @property
    def scores(self) -> np.ndarray:
        """Length times length times the cosine between, for each key; divided by the root of 2."""
        angles, lengths = np.array(KEYS).T
        cosines = np.cos(np.radians(angles - self.angle))
        scaled: np.ndarray = self.length * lengths * cosines / math.sqrt(2)
        return scaled

    @property
    def weights(self) -> np.ndarray:
        """The weight of each value."""
        return shares(self.scores)

    @property
    def output(self) -> np.ndarray:
        """The average of the values: each times its weight, added up."""
        average: np.ndarray = (self.weights[:, None] * VALUES).sum(axis=0)
        return average

    @property
    def says(self) -> str:
        """Which key gets most, and where the output is."""
        x, y = self.output
        return f"{self._first()}. The output is ({x:.2f}, {y:.2f})."

    def _first(self) -> str:
        if not self.length:
            return "A query of length 0 asks for nothing: every key gets a third"
        most = self.weights.max()
        first = np.flatnonzero(np.isclose(self.weights, most))
        if len(first) > 1:
            return f"Keys {' and '.join(map(str, first))} score alike and get {most:.2f} each"
        return f"Key {first[0]} scores highest and gets {most:.2f} of the whole"

    @property
    def words(self) -> str:
        """The query, every key's score and weight, and the output."""
        x, y = self.output
        rows = enumerate(zip(self.scores, self.weights, strict=True))
        told = "; ".join(f"key {j}: score {s:.2f}, weight {w:.2f}" for j, (s, w) in rows)
        return (
            f"On the left, arrows: the query at {self.angle} degrees, {self.length:g} long, and "
            f"three keys. {told}. On the right, the triangle of the three values, and the output "
            f"in it at ({x:.2f}, {y:.2f})."
        )

    def draw(self, figure: "Figure") -> None:
        """Draw the arrows and the triangle."""
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
        self._arrows(left)
        self._triangle(right)

    def _arrows(self, ax: "Axes") -> None:
        for number, (angle, length) in enumerate(KEYS):
            _arrow(ax, angle, length, BLUE)
            x, y = _place(angle, length + 0.2)
            side = "left" if x > 1 else "right" if x < -1 else "center"
            ax.text(x, y, f"k{number}: {self.scores[number]:.2f}", ha=side, va=_ABOVE[y > 0])
        _arrow(ax, self.angle, self.length, ORANGE)
        ax.set(xlim=(-3.9, 4.6), ylim=(-3.9, 3.2), aspect="equal", xticks=(), yticks=())
        ax.spines[:].set_visible(False)
        ax.set_title("query in orange, scores of the keys")

    def _triangle(self, ax: "Axes") -> None:
        ax.fill(*VALUES.T, facecolor="none", edgecolor=GREY, linestyle="--")
        for number, ((x, y), weight) in enumerate(zip(VALUES, self.weights, strict=True)):
            ax.plot([x, self.output[0]], [y, self.output[1]], color=BLUE, lw=0.5 + 5 * weight)
            away, side = ((-6, -10), "right") if number == 2 else ((6, 4), "left")
            where = {"xytext": away, "textcoords": "offset points", "ha": side}
            ax.annotate(f"v{number}: {weight:.2f}", (x, y), **where)
        ax.plot(*VALUES.T, "s", color=BLUE)
        ax.plot(*self.output, "o", color=ORANGE, markeredgecolor=INK, markersize=8)
        ax.set(xlim=(-0.4, 5.2), ylim=(-0.6, 9), xlabel="feature 0", ylabel="feature 1")
        ax.set_title("weights of the values, and output")


def _arrow(ax: "Axes", angle: float, length: float, colour: str) -> None:
    arrow = {"arrowstyle": "-|>", "color": colour, "lw": 2, "shrinkA": 0, "shrinkB": 0}
    if length:
        ax.annotate("", _place(angle, length), (0, 0), arrowprops=arrow)
    ax.plot(0, 0, "o", color=INK, markersize=3)


def _place(angle: float, length: float) -> tuple[float, float]:
    turned = math.radians(angle)
    return length * math.cos(turned), length * math.sin(turned)
