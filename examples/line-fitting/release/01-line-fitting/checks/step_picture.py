"""`play("rate")`: the walk down the valley, for every rate and number of steps."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.kit.moving import Slider, moving
from checks.kit.svg import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RATES = (0.002, 0.005, 0.01, 0.02, 0.04, 0.06, 0.07, 0.08, 0.081, 0.082, 0.083)
STEPS = (0, 1, 2, 3, 5, 10, 20, 40, 60, 200, 500)
_BEST, _LEAST = np.array([-1.9, 19.2]), 0.225  # slope, intercept; the error there
_BEND = np.array([[23.0, 6.0], [6.0, 2.0]])  # how fast the error's slopes change, in that order
_BLUE, _ORANGE, _GREY = "#3f7fbf", "#d0760a", "#888888"
_VIEW = (-9.0, 9.0), (-3.0, 23.0)


@moving(
    "rate",
    Slider("rate", "rate", RATES),
    Slider("steps", "steps", STEPS),
    stills=(
        {"rate": 0.01, "steps": 20},
        {"rate": 0.07, "steps": 20},
        {"rate": 0.083, "steps": 20},
        {"rate": 0.07, "steps": 200},
    ),
)
@dataclass(frozen=True)
class Walk:
    """From slope 0 and intercept 0 towards the best line of the candle."""

    rate: float
    steps: int
    size = (6.0, 2.7)

    @property
    def places(self) -> np.ndarray:
        """(steps + 1, 2): slope and intercept at the start and after each step.

        The bowl has two directions of its own, across the valley and along it. A step multiplies
        the distance that is left in each by a number that stays the same.
        """
        bends, directions = np.linalg.eigh(_BEND)
        left_after = (1 - self.rate * bends) ** np.arange(self.steps + 1)[:, None]
        return np.asarray(_BEST + (left_after * (directions.T @ -_BEST)) @ directions.T)

    @property
    def errors(self) -> np.ndarray:
        """(steps + 1,): the mean squared error at each of these places."""
        return _error_at(self.places)

    @property
    def says(self) -> str:
        """Where it has come to, and what the best line is."""
        slope, intercept = self.places[-1]
        now = self.errors[-1]
        came = "no steps" if not self.steps else f"{self.steps} step{'s' * (self.steps > 1)}"
        what = "; it has grown since the start" if now > self.errors[0] else ""
        least = "slope -1.9, intercept 19.2, error 0.225"
        return (
            f"After {came}: slope {_short(slope)}, intercept {_short(intercept)}, error "
            f"{_short(now)}{what}. At the bottom: {least}."
        )

    @property
    def words(self) -> str:
        """The two curves by their ends and a few of their points."""
        some = sorted({0, 1, 2, 3, self.steps // 2, self.steps} & set(range(self.steps + 1)))
        walked = "; ".join(
            f"step {n}: slope {_short(self.places[n, 0])}, intercept {_short(self.places[n, 1])}, "
            f"error {_short(self.errors[n])}"
            for n in some
        )
        return (
            f"On the left, a path across a long narrow valley, whose bottom is at slope -1.9 and "
            f"intercept 19.2; on the right, the error after each step. Rate {self.rate:g}. "
            f"{walked}."
        )

    def draw(self, figure: "Figure") -> None:
        """Draw the valley with the path in it, and the errors."""
        left, right = figure.subplots(1, 2)
        self._valley(left)
        right.semilogy(self.errors, self._line, color=_ORANGE, markersize=3)
        right.axhline(_LEAST, color=_GREY, linestyle=":")
        right.text(0, _LEAST * 1.1, "the best line", color=INK)
        right.minorticks_off()
        right.set(xlabel="step", title="mean squared error")
        right.set_ylim(0.15, max(400, 2 * self.errors.max()))

    @property
    def _line(self) -> str:
        return "o-" if self.steps <= 60 else "-"

    def _valley(self, ax: "Axes") -> None:
        slopes, intercepts = (np.linspace(*limits, 40) for limits in _VIEW)
        grid = np.stack(np.meshgrid(slopes, intercepts), axis=-1)
        levels = (1, 5, 20, 60, 150, 300, 600)
        ax.contour(slopes, intercepts, _error_at(grid), levels, colors=_BLUE, linewidths=0.8)
        ax.plot(*self.places.T, self._line, color=_ORANGE, markersize=3, lw=1)
        ax.plot(*_BEST, "*", color=INK, markersize=9)
        ax.set(xlim=_VIEW[0], ylim=_VIEW[1], xlabel="slope", ylabel="intercept")
        ax.set_title("the valley, and the way down")


def _error_at(places: np.ndarray) -> np.ndarray:
    """The error of lines, slope and intercept on the last axis: the least, and what is above it."""
    away = places - _BEST
    return np.asarray(_LEAST + ((away @ _BEND) * away).sum(axis=-1) / 2)


def _short(number: float) -> str:
    return f"{round(number, 3) + 0.0:.3f}" if abs(number) < 1e5 else f"{number:.0e}"
