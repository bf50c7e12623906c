"""Pictures of a report by matplotlib, as SVG within the page: its colours, its font, no program."""

import io
import re
from datetime import datetime
from itertools import count
from typing import Any

import matplotlib as mpl
import numpy as np
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.course.moments import in_words
from autograder.feedback.palette import PALETTE
from autograder.report.distribution import STEPS, Distribution
from autograder.report.turnout import Turnout

SIZE = (4.6, 2.2)  # inches; on a phone as wide as the screen, with letters that can be read
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # letters stay letters
    "svg.hashsalt": "report",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.edgecolor": PALETTE.line,
    "axes.labelcolor": PALETTE.muted,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "text.color": PALETTE.ink,
    "text.parse_math": False,
    "xtick.color": PALETTE.muted,
    "ytick.color": PALETTE.muted,
    "ytick.major.size": 0,
    "grid.color": PALETTE.line,
    "grid.linewidth": 0.6,
}
FRAME = re.compile(r"<svg\b[^>]*?viewBox=\"([^\"]+)\"[^>]*>")
METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
NAME = re.compile(r'(\bid="|url\(#|href="#)')
FONT = re.compile(r" font-family: [^;\"]*;?")
SHEET = re.compile(r"<style\b.*?</style>", re.DOTALL)  # it would style the whole page
_numbers = count()


def distribution_picture(found: Distribution) -> Markup:
    """How many submissions lie in each tenth of the points."""
    edges = np.arange(STEPS) * 100 // STEPS
    figure, axes = _axes()
    bars = axes.bar(edges + 5, found.tenths, width=9, color=PALETTE.bar)
    axes.bar_label(bars, [str(many or "") for many in found.tenths], padding=1, color=PALETTE.muted)
    axes.set(xlim=(0, 100), xticks=range(0, 101, 20), yticks=[], ylim=(0, 1.18 * max(found.tenths)))
    axes.tick_params(axis="x", pad=8)  # room for the mark of the median
    axes.set_xlabel("% of the points")
    if found.quartiles:
        median = 100 * found.quartiles[2]
        (mark,) = axes.plot(min(median, 100), -0.04, "^", color=PALETTE.failed, markersize=6)
        mark.set(transform=axes.get_xaxis_transform(), clip_on=False)  # below the bars
    said = ", ".join(
        f"{many} from {low} to {low + 100 // STEPS}"
        for low, many in zip(edges, found.tenths, strict=True)
        if many
    )
    return _svg(figure, f"Submissions by per cent of the points: {said}.")


def came_picture(turnout: Turnout) -> Markup:
    """How many submissions had come by each moment, up to the last."""
    came = turnout.came
    figure, axes = _axes()
    times = date2num([*came[:1], *came])
    axes.step(times, range(len(times)), where="post", color=PALETTE.bar, linewidth=1.6)
    axes.set_ylim(0, 1.1 * len(came))
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.grid(axis="y")
    locator = AutoDateLocator(minticks=3, maxticks=5)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, tz=came[0].tzinfo))
    axes.xaxis.get_offset_text().set_color(PALETTE.muted)
    said = f"Submissions that had come: the first {_moment(came[0])}, the last {_moment(came[-1])}"
    if turnout.due is not None:
        due = turnout.due
        axes.axvline(date2num(due), color=PALETTE.failed, linewidth=1.2, linestyle=(0, (4, 2)))
        after = sum(moment > due for moment in came)
        said += f"; due {_moment(due)}, after which {after} came"
    half = came[(len(came) - 1) // 2]
    return _svg(figure, f"{said}. Half were there by {_moment(half)}.")


def _moment(moment: datetime) -> str:
    return in_words(moment, moment.tzinfo)


def _axes() -> tuple[Figure, Axes]:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        return figure, figure.add_subplot()


def _svg(figure: Figure, described: str) -> Markup:
    """The figure as an element of the page.

    Args:
        figure: what was drawn, in colours of the page's light palette.
        described: what it shows, for those who do not see it.
    """
    buffer = io.StringIO()
    with mpl.rc_context(STYLE):
        figure.patch.set_visible(False)
        for axes in figure.axes:
            axes.patch.set_visible(False)
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    drawn = SHEET.sub("", METADATA.sub("", buffer.getvalue()))
    frame = FRAME.search(drawn)
    if frame is None:
        raise ValueError("matplotlib wrote no <svg> with a viewBox")
    body = drawn[frame.end() :]
    number = next(_numbers)  # names within a page are given once
    body = NAME.sub(lambda found: f"{found[1]}plot{number}-", body)
    body = FONT.sub("", body)
    for name, colour in PALETTE.colours():
        body = body.replace(colour, f"var(--agf-{name})")
    opened = f'<svg class="plot" role="img" aria-label="{escape(described)}" viewBox="{frame[1]}">'
    return Markup(opened + body.strip())
