"""`play("window")`: whom a window lets each token attend to, and how far it reaches in layers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.kit.moving import Choice, Slider, moving
from checks.shares import shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOKENS = ("The", "cat", "sat", "on", "the", "mat")
BACK, BOTH = "back only", "both ways"
_WINDOWS = {
    1: "x..... .x.... ..x... ...x.. ....x. .....x",
    2: "x..... xx.... .xx... ..xx.. ...xx. ....xx",
    3: "x..... xx.... xxx... .xxx.. ..xxx. ...xxx",
    4: "x..... xx.... xxx... xxxx.. .xxxx. ..xxxx",
    5: "x..... xx.... xxx... xxxx.. xxxxx. .xxxxx",
    6: "x..... xx.... xxx... xxxx.. xxxxx. xxxxxx",
}
SCORES = np.array(
    [
        [0.9, 0.2, -0.4, 0.1, 0.6, -0.3],
        [0.7, 1.2, 0.5, -0.6, 0.1, 0.8],
        [-0.2, 2.1, 0.6, 0.3, -0.7, 0.4],
        [0.1, -0.3, 1.4, 0.5, 0.2, 1.1],
        [0.8, -0.1, 0.2, 0.9, 0.4, 1.6],
        [-0.5, 0.7, 0.3, 1.7, 1.0, 0.2],
    ]
)


@moving(
    "window",
    Slider("window", "window", tuple(_WINDOWS)),
    Slider("layers", "layers", (1, 2, 3, 4, 5)),
    Choice("looks", "looks", (BACK, BOTH)),
    stills=(
        {"window": 6, "layers": 1, "looks": BACK},
        {"window": 2, "layers": 1, "looks": BACK},
        {"window": 2, "layers": 3, "looks": BACK},
        {"window": 2, "layers": 3, "looks": BOTH},
    ),
)
@dataclass(frozen=True)
class Window:
    """Six tokens: the weights of one layer under a mask, and what reaches what in several."""

    window: int
    layers: int
    looks: str
    size = (6.0, 2.9)

    @property
    def allowed(self) -> np.ndarray:
        """The mask, True where attention is allowed: row i belongs to query i."""
        rows = _WINDOWS[self.window].split()
        drawn = np.array([[mark == "x" for mark in row] for row in rows])
        return drawn if self.looks == BACK else drawn | drawn.T

    @property
    def weights(self) -> np.ndarray:
        """The weights of one layer."""
        return shares(np.where(self.allowed, SCORES, -np.inf))

    @property
    def layers_needed(self) -> np.ndarray:
        """After how many layers a query depends on a token, 0 where not after all of these."""
        needed = np.zeros((6, 6), dtype=int)
        seen = np.eye(6, dtype=int)
        for layer in range(1, self.layers + 1):
            seen = self.allowed.astype(int) @ seen
            needed[(seen > 0) & (needed == 0)] = layer
        return needed

    @property
    def says(self) -> str:
        """How many weights a row has, and what the last token knows of."""
        most = int(self.allowed.sum(axis=1).max())
        known = int((self.layers_needed[-1] > 0).sum())
        return (
            f"A row has at most {_count(most, 'weight')}, and the row sums to 1. After "
            f"{_count(self.layers, 'layer')}, what stands at mat depends on "
            f"{_count(known, 'token')}."
        )

    @property
    def words(self) -> str:
        """Every row of both tables."""
        weights = "; ".join(
            f"{query}: {', '.join(f'{w:.2f}' for w in row)}"
            for query, row in zip(TOKENS, self.weights, strict=True)
        )
        reached = "; ".join(
            f"{query}: {', '.join(str(n) if n else 'never' for n in row)}"
            for query, row in zip(TOKENS, self.layers_needed, strict=True)
        )
        return (
            f"Two tables of six queries by six keys. Weights of one layer: {weights}. Layers until "
            f"a token is known, of {self.layers}: {reached}."
        )

    def draw(self, figure: "Figure") -> None:
        """Draw both tables."""
        left, right = figure.subplots(1, 2)
        _table(left, self.weights, self.allowed, "{:.2f}")
        left.set(title="weights of one layer", ylabel="query", xlabel="key")
        needed = self.layers_needed
        _table(right, 1 - needed / 6, needed > 0, "{:d}", needed)
        right.set(title=f"known after layer, of {self.layers}", xlabel="token")


def _table(
    ax: "Axes",
    shades: np.ndarray,
    filled: np.ndarray,
    form: str,
    numbers: np.ndarray | None = None,
) -> None:
    """Draw cells with their numbers; those that are not filled stay open."""
    numbers = shades if numbers is None else numbers
    ax.pcolormesh(np.where(filled, shades, np.nan), cmap="cividis", vmin=0, vmax=1)
    for row, column in np.ndindex(shades.shape):
        text, ink = "·", {}
        if filled[row, column]:
            text = form.format(numbers[row, column])
            ink = {"color": "black" if shades[row, column] > 0.45 else "white"}
        ax.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=8, **ink)
    middles = np.arange(len(TOKENS)) + 0.5
    ax.set(xticks=middles, yticks=middles, xticklabels=TOKENS, yticklabels=TOKENS)
    ax.tick_params(length=0, labelsize=8)
    ax.invert_yaxis()
    ax.spines[:].set_visible(True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
