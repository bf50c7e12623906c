"""A picture as plain data, which a notebook's check and a feedback page draw as a table."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Chart:
    """Texts in rows and columns with what colours them; nothing is left to compute.

    Attributes:
        title: what is shown, such as a call.
        words: the picture in words, or why there is none.
        kind: `cells` have the colour of their shade; `bars`, in one column, are as long as it; of
            `frames` those whose shade is 1 are drawn.
        texts: a text a column for every row; empty where there is no picture.
        shades: of every text, from 0 to 1; None for nan and infinity.
        rows: the rows' names.
        columns: the columns' names.
        rows_are: what the rows stand for, or nothing.
        columns_are: what the columns stand for, or nothing.
        sums: every row's sum; empty where the picture has none.
        colours: matplotlib's name of the colours from 0 to 1.
        zero: the shade where bars begin.
    """

    title: str
    words: str
    kind: Literal["cells", "bars", "frames"] = "cells"
    texts: tuple[tuple[str, ...], ...] = ()
    shades: tuple[tuple[float | None, ...], ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows_are: str = ""
    columns_are: str = ""
    sums: tuple[str, ...] = ()
    colours: Literal["cividis", "viridis"] = "cividis"
    zero: float = 0.0
