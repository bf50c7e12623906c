"""A figure as SVG whose ink is the page's own: readable on light pages and on dark ones."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
"""What text and lines are drawn in; in the SVG it becomes the colour of the text around it."""

LEAST = 340
"""So many pixels wide a figure stays; where the page has less room, its box scrolls."""

_PIXELS = 96 / 72  # of a browser, a point
_INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor")
_TICKS = ("xtick.color", "ytick.color", "xtick.labelcolor", "ytick.labelcolor")
_STYLE = {
    **dict.fromkeys((*_INKED, *_TICKS), INK),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "svg.fonttype": "none",  # letters stay letters: a tenth of the size, and sharp
}
# Names and styles are the whole page's: those of two pictures would meet there.
_OF_THE_PAGE = re.compile(
    r'<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id="[^"]*"', re.DOTALL
)
_FONTS = re.compile(r"((?<=px) |(?<=font-family: ))[^;\"]+")
_SIZE = re.compile(r'<svg [^>]*viewBox="(0 0 ([\d.]+) [\d.]+)"[^>]*>')


@contextmanager
def page_style() -> Iterator[None]:
    """Figures made meanwhile have no ground of their own, whatever style the notebook has set."""
    from matplotlib import style

    with style.context(["default", _STYLE]):
        yield


def as_svg(figure: "Figure", words: str) -> str:
    """The figure, for the middle of an HTML page, and in words for those who do not see it."""
    written = io.StringIO()
    with page_style():
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    size = _SIZE.search(text)
    assert size is not None
    drawn = _OF_THE_PAGE.sub("", text[size.end() :])
    drawn = _FONTS.sub(r"\1DejaVu Sans, Verdana, sans-serif", drawn)
    width = round(float(size[2]) * _PIXELS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{size[1]}" role="img" aria-label="{escape(words, quote=True)}" '
        f'style="width:100%;min-width:{LEAST}px;max-width:{width}px;height:auto;'
        'stroke-linejoin:round">'
        f"{drawn.replace(INK, 'currentColor')}"
    )
