"""The colours of pictures: matplotlib's maps from 0 to 1, and an ink that can be read on each."""

from functools import lru_cache
from itertools import pairwise

# Every sixteenth of matplotlib's maps; what lies between is off by at most 11 of 255. The
# colour-blind can tell them apart, and they print well in grey.
SCALES = {
    # Nuñez, Anderton and Renslow 2018, "Optimizing colormaps ...", PLoS ONE 13(7).
    "cividis": (
        *("#00224e", "#002e6a", "#1a386f", "#32436d", "#434e6c", "#535a6d", "#61656f", "#6f7073"),
        *("#7d7c78", "#8c8878", "#9b9476", "#aba072", "#bcae6c", "#cdbb63", "#dec958", "#f0d846"),
        "#fee838",
    ),
    # Van der Walt and Smith 2015, "A Better Default Colormap for Matplotlib", SciPy.
    "viridis": (
        *("#440154", "#48186a", "#472d7b", "#424086", "#3b528b", "#33638d", "#2c728e", "#26828e"),
        *("#21918c", "#1fa088", "#28ae80", "#3fbc73", "#5ec962", "#84d44b", "#addc30", "#d8e219"),
        "#fde725",
    ),
}
BAD = "#d9d9d9"  # nan and infinity
INKS = ("#ffffff", "#000000")  # of these, one has a contrast of 4.58 or more with any colour


@lru_cache(maxsize=512)
def cell_style(shade: float | None, scale: str) -> str:
    """Ground and ink of a cell, as CSS; shades have two digits, so there are few."""
    ground = BAD if shade is None else colour(shade, scale)
    ink = max(INKS, key=lambda ink: contrast(ink, ground))
    return f"background:{ground};color:{ink}"


def bar_style(shade: float | None, zero: float) -> str:
    """Place and length of a bar, as CSS."""
    shade = zero if shade is None else shade
    start, length = 100 * min(shade, zero), 100 * abs(shade - zero)
    return f"margin-left:{start:.0f}%;width:{length:.0f}%" if start else f"width:{length:.0f}%"


def colour(shade: float, scale: str) -> str:
    """The colour of a shade from 0 to 1, between the two stops that are nearest to it."""
    stops = tuple(pairwise(SCALES[scale]))
    place = min(max(shade, 0.0), 1.0) * len(stops)
    low, high = stops[min(int(place), len(stops) - 1)]
    part = place - min(int(place), len(stops) - 1)
    channels = (
        round((1 - part) * int(low[at : at + 2], 16) + part * int(high[at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def contrast(one: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two colours: (lighter + 0.05) / (darker + 0.05) of luminance."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
