"""A chart as a table of HTML, whose ink is the page's own: it follows light and dark themes."""

from html import escape

from .chart import Chart
from .shades import bar_style, cell_style


def chart_page(chart: Chart) -> str:
    """The figure: a table in a box that scrolls, and the same in words; or why there is none."""
    if not chart.texts:
        return f"<p>{escape(chart.words)}</p>"
    head = _bars_head(chart) if chart.kind == "bars" else _head(chart)
    rows = "".join(map(_row, [chart] * len(chart.rows), range(len(chart.rows))))
    return (
        f'<figure role="group" aria-label="{escape(chart.words)}">'
        f"<figcaption>{escape(chart.title)}</figcaption>"
        f'<div class="cr-scroll" role="group" aria-label="{escape(chart.title)}" tabindex="0">'
        f'<table class="cr-chart cr-{chart.kind}"><thead>{head}</thead><tbody>{rows}</tbody>'
        "</table></div></figure>"
    )


def _bars_head(chart: Chart) -> str:
    return (
        f'<tr><th scope="col">{escape(chart.rows_are)}</th>'
        f'<th scope="col">{escape(chart.columns[0])}</th></tr>'
    )


def _head(chart: Chart) -> str:
    """What the axes are, above the columns' names."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in chart.columns)
    total = '<th scope="col">sum</th>' if chart.sums else ""
    corner = f'<th scope="col">{escape(chart.rows_are)}</th>' if chart.rows_are else "<td></td>"
    above = ""
    if chart.columns_are:
        words = escape(chart.columns_are).replace("\n", "<br>")
        after = "<td></td>" if chart.sums else ""
        above = (
            f'<tr><td></td><th scope="colgroup" colspan="{len(chart.columns)}">{words}</th>'
            f"{after}</tr>"
        )
    return f"{above}<tr>{corner}{names}{total}</tr>"


def _row(chart: Chart, number: int) -> str:
    pairs = zip(chart.texts[number], chart.shades[number], strict=True)
    cells = "".join(_cell(chart, text, shade) for text, shade in pairs)
    total = f"<td>{escape(chart.sums[number])}</td>" if chart.sums else ""
    return f'<tr><th scope="row">{escape(chart.rows[number])}</th>{cells}{total}</tr>'


def _cell(chart: Chart, text: str, shade: float | None) -> str:
    told = escape(text)
    if chart.kind == "bars":
        style = bar_style(shade, chart.zero)
        return f'<td><span class="cr-track"><i style="{style}"></i></span>{told}</td>'
    if chart.kind == "frames":
        return f"<td><b>{told}</b></td>" if shade == 1 else f"<td>{told}</td>"
    return f'<td style="{cell_style(shade, chart.colours)}">{told}</td>'
