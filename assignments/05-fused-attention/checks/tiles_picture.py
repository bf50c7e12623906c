"""`play("tiles")`: one query goes through its keys a block at a time, and keeps three numbers."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checks.kit.moving import Slider, moving
from checks.kit.svg import INK
from checks.shares import BLUE, GREY, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCORES = np.array([1.0, 2.0, 3.0, 0.0, 2.0, 5.0, 4.0, 1.0])
VALUES = np.array([10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0])


@moving(
    "tiles",
    Slider("seen", "blocks seen", tuple(range(9))),
    Slider("block_size", "keys in a block", (1, 2, 4, 8)),
    stills=tuple({"seen": seen, "block_size": 2} for seen in (1, 2, 3, 4)),
)
@dataclass(frozen=True)
class Tiles:
    """What a query has kept after some of its blocks; where there are fewer blocks, after all."""

    seen: int
    block_size: int
    size = (6.0, 2.6)

    @property
    def done(self) -> int:
        """How many blocks are behind it."""
        return min(self.seen, self.blocks)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(SCORES) // self.block_size

    @property
    def kept(self) -> tuple[float, float, float]:
        """m, l and o, each worked out anew from all the keys so far."""
        return self._kept_after(self.done)

    @property
    def factor(self) -> float:
        """What the last block has multiplied by, of all that was there before."""
        before, _, _ = self._kept_after(max(self.done - 1, 0))
        return math.exp(before - self.kept[0]) if self.done else 1.0

    def _kept_after(self, blocks: int) -> tuple[float, float, float]:
        end = blocks * self.block_size
        if not end:
            return -math.inf, 0.0, 0.0
        highest = float(SCORES[:end].max())
        bars = np.exp(SCORES[:end] - highest)
        return highest, float(bars.sum()), float(bars.dot(VALUES[:end]))

    @property
    def says(self) -> str:
        """What the last block did."""
        if not self.done:
            return "Nothing is seen yet: m is minus infinity, l and o are 0."
        highest, total, output = self.kept
        average = f"o / l = {output:.3f} / {total:.4f} = {output / total:.3f}"
        if self.done == self.blocks:
            average += ", the average over all keys"
        if self.done == 1:
            return f"The first block: its highest score is {highest:g}. {average}."
        if self.factor == 1:
            what = f"No score above {highest:g}: what was there stays as it was"
        else:
            what = f"A higher score, {highest:g}: what was there shrinks to {self.factor:.4f} of it"
        return f"Block {self.done} of {self.blocks}. {what}. {average}."

    @property
    def words(self) -> str:
        """The bars, and what is kept."""
        highest, total, output = self.kept
        end = self.done * self.block_size
        bars = ", ".join(f"{math.exp(score - highest):.4f}" for score in SCORES[:end])
        return (
            f"Bar chart of eight keys with the scores {', '.join(f'{s:g}' for s in SCORES)}, in "
            f"blocks of {self.block_size}; {end} are seen. Their bars, e to the power of score "
            f"minus m: {bars or 'none'}. Kept: m {highest:g}, l {total:.4f}, o {output:.3f}."
        )

    def draw(self, figure: "Figure") -> None:
        """Draw a bar for every key that was seen, and what is kept beside them."""
        left, right = figure.subplots(1, 2, width_ratios=(2.4, 1))
        self._bars(left)
        self._numbers(right)

    def _bars(self, ax: "Axes") -> None:
        highest, _, _ = self.kept
        end, last = self.done * self.block_size, (self.done - 1) * self.block_size
        for place in range(end):
            height = math.exp(SCORES[place] - highest)
            ax.bar(place, height, color=ORANGE if place >= last else BLUE)
            ax.text(place, height + 0.02, f"{height:.2f}", ha="center", va="bottom", fontsize=8)
            if place < last and self.factor < 1:
                outline = {"color": "none", "edgecolor": GREY, "linestyle": ":"}
                ax.bar(place, height / self.factor, **outline)
        for edge in range(0, len(SCORES) + 1, self.block_size):
            ax.axvline(edge - 0.5, color=GREY, lw=0.8, linestyle="--")
        names = [f"{s:g}\n{v:g}" for s, v in zip(SCORES, VALUES, strict=True)]
        ax.set_xticks(range(len(SCORES)), names)
        ax.set(xlim=(-0.6, 7.6), ylim=(0, 1.15), xlabel="score and value of each key")
        ax.set(ylabel="e^(score − m)", title="orange: the last block; dotted: before it")

    def _numbers(self, ax: "Axes") -> None:
        highest, total, output = self.kept
        lines = (
            ("m", "−∞" if math.isinf(highest) else f"{highest:g}"),
            ("factor", f"{self.factor:.4f}" if self.done > 1 else "none"),
            ("l", f"{total:.4f}"),
            ("o", f"{output:.3f}"),
            ("o / l", f"{output / total:.3f}" if total else "none yet"),
        )
        for row, (name, number) in enumerate(lines):
            ax.text(0.34, 0.85 - 0.17 * row, name, ha="right", color=INK)
            ax.text(0.44, 0.85 - 0.17 * row, number, color=INK)
        ax.set_title(f"kept after block {self.done} of {self.blocks}")
        ax.axis("off")
