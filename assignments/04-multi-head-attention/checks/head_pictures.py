"""Pictures of how features are split over heads and merged again."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.kit.chart import Chart
from checks.kit.describing import numbers_of
from checks.kit.pictures import (
    MOST_NUMBERS,
    listed,
    names_for,
    refused,
    rows_of,
    shades_of,
    text_of,
    texts_of,
)


@dataclass(frozen=True)
class Blocks:
    """Where each feature of each token went; the number 10 t + f stands for token t's feature f.

    Attributes:
        title: the call that is shown.
    """

    title: str

    def chart(self, result: Any) -> Chart:
        """What every row holds, one for each head and position; the colour is the token's."""
        table = _as_rows(result)
        if table is None:
            return refused(result, self.title)
        rows = _row_names(result)
        told = [f"{name}: {_features(row)}" for name, row in zip(rows, table, strict=True)]
        return Chart(
            self.title,
            f"Table: {self.title}; t2 f4 is feature 4 of token 2. {listed(told)}",
            texts=texts_of(table, _token_and_feature),
            shades=rows_of(shades_of(np.floor(table / 10))),
            rows=rows,
            columns=names_for((), table.shape[1]),
            columns_are="feature within the row\n(t2 f1: token 2, feature 1)",
            colours="viridis",
        )


def _as_rows(result: Any) -> np.ndarray | None:
    """The result as a table whose columns are the last dimension."""
    array = numbers_of(result)
    if array is None or array.ndim < 2 or not 0 < array.size <= MOST_NUMBERS:
        return None
    return array.reshape(-1, array.shape[-1]).astype(np.float64)


def _row_names(result: Any) -> tuple[str, ...]:
    outer = tuple(result.shape[:-1])
    while len(outer) > 1 and outer[0] == 1:
        outer = outer[1:]
    words = {1: ("position {}",), 2: ("head {}", "position {}")}.get(len(outer))
    words = words or tuple("{}" for _ in outer)
    return tuple(
        ", ".join(word.format(place) for word, place in zip(words, index, strict=True))
        for index in np.ndindex(outer)
    )


def _token_and_feature(cell: float) -> str:
    if not 0 <= cell < 1000 or cell != int(cell):
        return text_of(cell)
    return f"t{int(cell) // 10} f{int(cell) % 10}"


def _features(row: np.ndarray) -> str:
    """What a row holds; neighbours of one token are told as a range: `t0 f0 to f2`."""
    neighbours = (np.diff(row) == 1).all() and (row // 10 == row[0] // 10).all()
    if len(row) > 2 and neighbours:
        return f"{_token_and_feature(row[0])} to f{int(row[-1]) % 10}"
    return ", ".join(map(_token_and_feature, row))
