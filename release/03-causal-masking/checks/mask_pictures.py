"""Pictures of masks: who may attend to whom."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from checks.kit.chart import Chart
from checks.kit.pictures import listed, numbers_in, rows_of, text_of, texts_of
from checks.weights import AttentionMap


@dataclass(frozen=True)
class AllowedGrid(AttentionMap):
    """A mask: one cell a pair of query and key, allowed or not."""

    def chart(self, result: Any) -> Chart:
        """Whom every row may attend to: "yes", "no", or the number that is neither 1 nor 0."""
        drawn = super().chart(result)
        numbers = numbers_in(result, dimensions=2)
        if numbers is None:
            return drawn
        shades = np.where(np.isfinite(numbers), numbers.clip(0, 1), np.nan)
        drawn = replace(drawn, texts=texts_of(numbers, _yes_or_no), shades=rows_of(shades))
        if not np.isin(numbers, (0, 1)).all():
            return drawn
        told = []
        for name, row in zip(drawn.rows, numbers, strict=True):
            allowed = [key for key, cell in zip(drawn.columns, row, strict=True) if cell]
            told.append(f"{name} may attend to {', '.join(allowed) or 'nothing'}")
        return replace(drawn, words=f"Grid: {self.title}. {listed(told)}")


def _yes_or_no(cell: float) -> str:
    return {1.0: "yes", 0.0: "no"}.get(float(cell)) or text_of(cell)
