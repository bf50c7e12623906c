"""Shows what the checks of one exercise found: a table in Jupyter, plain text elsewhere."""

import sys
from dataclasses import dataclass
from html import escape

from .running import Finding

_CELL = "border:1px solid currentColor;padding:4px 8px;text-align:left;vertical-align:top"
_PRE = "margin:0;white-space:pre-wrap;font-family:monospace"
_HEADINGS = ("Result", "What is checked", "You called", "Came back", "Expected")


@dataclass(frozen=True)
class Drawing:
    """A picture ready to show.

    Attributes:
        png: the image, in base64.
        alt: the same in words.
    """

    png: str
    alt: str


def show(heading: str, findings: list[Finding], drawing: Drawing | None) -> None:
    """Show a heading, one row a finding with its advice, and the picture."""
    text = _as_text(heading, findings, drawing)
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import display

        if get_ipython() is not None:
            page = _as_html(heading, findings, drawing)
            display({"text/html": page, "text/plain": text}, raw=True)
            return
    sys.stdout.write(text + "\n")


def _as_text(heading: str, findings: list[Finding], drawing: Drawing | None) -> str:
    lines = [heading]
    for finding in findings:
        lines.append(f"  [{_outcome(finding)}] {finding.claim}")
        if finding.called:
            lines.append(_indented("you called", finding.called))
            lines.append(_indented("came back", finding.came_back))
        if not finding.passed:
            lines.append(_indented("expected", finding.expected))
            lines.append(_indented("look at", finding.says))
    if drawing is not None:
        lines.append(f"  {drawing.alt}")
    return "\n".join(lines)


def _as_html(heading: str, findings: list[Finding], drawing: Drawing | None) -> str:
    parts = [f"<p><strong>{escape(heading)}</strong></p>"]
    if findings:
        head = "".join(f'<th scope="col" style="{_CELL}">{name}</th>' for name in _HEADINGS)
        rows = "".join(map(_row, findings))
        parts.append(
            f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table>"
        )
    if drawing is not None:
        alt = escape(drawing.alt, quote=True)
        parts.append(f'<img alt="{alt}" src="data:image/png;base64,{drawing.png}">')
    return "".join(parts)


def _row(finding: Finding) -> str:
    expected = "the same" if finding.passed else finding.expected
    cells = (finding.claim, finding.called, finding.came_back, expected)
    claim, *values = map(escape, cells)
    shown = "".join(f'<td style="{_CELL}"><pre style="{_PRE}">{v}</pre></td>' for v in values)
    outcome = f'<th scope="row" style="{_CELL}">{_outcome(finding)}</th>'
    row = f'<tr>{outcome}<td style="{_CELL}">{claim}</td>{shown}</tr>'
    if finding.passed:
        return row
    advice = f'<td colspan="{len(_HEADINGS)}" style="{_CELL}">➜ {escape(finding.says)}</td>'
    return f"{row}<tr>{advice}</tr>"


def _outcome(finding: Finding) -> str:
    return "✓ passed" if finding.passed else "✗ not yet"


def _indented(label: str, text: str) -> str:
    start = f"      {label + ':':<12}"
    return start + text.replace("\n", "\n" + " " * len(start))
