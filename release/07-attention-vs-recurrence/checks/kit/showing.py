"""Shows what the checks of one exercise found: a table in Jupyter, plain text elsewhere."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing it takes torch and pytest along, which `hint` and `ask` do not need
    from .running import Finding

# Jupyter's own style stripes tables, gives code a background, and breaks it inside a word. Colours
# are left to the reader's theme; the grey of the lines can be seen on white and on black.
_TABLE = "border-collapse:collapse;table-layout:auto;margin:0"
_ROW = "background:none"
_CELL = "border:1px solid #888;padding:4px 8px;text-align:left;vertical-align:top"
_OUTCOME = f"{_CELL};white-space:nowrap"
_PRE = (
    "margin:0;padding:0;background:none;font-family:monospace;word-break:normal;"
    "overflow-wrap:break-word"
)
_VALUES = ("You called", "Came back", "Expected")


@dataclass(frozen=True)
class Image:
    """A picture ready to show.

    Attributes:
        png: the image, in base64.
        alt: the same in words.
    """

    png: str
    alt: str


def show(heading: str, findings: list[Finding], drawing: Image | None) -> None:
    """Show a heading, one row a finding with its advice, and the picture."""
    page = _as_html(heading, findings, drawing)
    present(as_text(heading, findings, drawing), {"text/html": page})


def without_marks(markdown: str) -> str:
    """Markdown for a terminal: the stars of **bold** and *italics* go, those in code stay."""
    stars = r"(```.*?```|`[^`]*`)|(?<!\w)\*+(?=\S)|(?<=\S)\*+(?!\w)"
    return re.sub(stars, lambda found: found[1] or "", markdown, flags=re.DOTALL)


def present(text: str, rich: dict[str, str]) -> None:
    """Show something in Jupyter or VS Code as they can, elsewhere as plain text.

    Args:
        text: what a terminal shows.
        rich: the same for a notebook, by MIME type.
    """
    if not in_notebook():
        sys.stdout.write(text + "\n")
        return
    from IPython.display import display

    display({**rich, "text/plain": text}, raw=True)


def in_notebook() -> bool:
    """Whether this runs in Jupyter, VS Code or IPython, and not in a terminal."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return get_ipython() is not None


def as_text(heading: str, findings: list[Finding], drawing: Image | None) -> str:
    """What a terminal shows of the checks of one exercise."""
    lines = [heading]
    for finding in findings:
        lines.append(f"  [{_outcome(finding)}] {finding.claim}")
        if finding.called:
            lines.append(_indented("you called", finding.called))
            lines.append(_indented("came back", finding.came_back))
        if not finding.passed or finding.expected:
            lines.append(_indented("expected", finding.expected))
        if not finding.passed:
            lines.append(_indented("look at", finding.says))
    if drawing is not None:
        lines.append(f"  {drawing.alt}")
    return "\n".join(lines)


def _as_html(heading: str, findings: list[Finding], drawing: Image | None) -> str:
    parts = [f"<p><strong>{_prose(heading)}</strong></p>"]
    if findings:
        rows = "".join(map(_rows, findings))
        parts.append(
            f'<div style="overflow-x:auto"><table style="{_TABLE}">'
            f"<thead>{_head()}</thead><tbody>{rows}</tbody></table></div>"
        )
    if drawing is not None:
        alt = escape(drawing.alt, quote=True)
        source = f"data:image/png;base64,{drawing.png}"
        parts.append(f'<img alt="{alt}" style="display:block;margin-top:12px" src="{source}">')
    return "".join(parts)


def _head() -> str:
    """Two rows, as each finding has: the claim takes a line by itself, above the values."""
    values = "".join(f'<th scope="col" style="{_CELL}">{name}</th>' for name in _VALUES)
    return (
        f'<tr style="{_ROW}"><th scope="col" rowspan="2" style="{_CELL}">Result</th>'
        f'<th scope="colgroup" colspan="{len(_VALUES)}" style="{_CELL}">What is checked</th></tr>'
        f'<tr style="{_ROW}">{values}</tr>'
    )


def _rows(finding: Finding) -> str:
    """The claim, the values, and the advice where the check failed."""
    expected = finding.expected or ("the same" if finding.passed else "")
    rows = [
        _across(_prose(finding.claim)),
        "".join(map(_value, (finding.called, finding.came_back, expected))),
    ]
    if not finding.passed:
        rows.append(_across(f"➜ {_prose(finding.says)}"))
    span = f'scope="rowgroup" rowspan="{len(rows)}"'
    rows[0] = f'<th {span} style="{_OUTCOME}">{_outcome(finding)}</th>{rows[0]}'
    return "".join(f'<tr style="{_ROW}">{cells}</tr>' for cells in rows)


def _across(text: str) -> str:
    return f'<td colspan="{len(_VALUES)}" style="{_CELL}">{text}</td>'


def _value(text: str) -> str:
    """A cell with code or numbers; the columns of a grid of numbers stay below one another."""
    wrap = "pre" if text.startswith("[") else "pre-wrap"
    pre = f'<pre style="{_PRE};white-space:{wrap}">{escape(text)}</pre>'
    return f'<td style="{_CELL}">{pre}</td>'


def _prose(text: str) -> str:
    """Text whose `code` stands between backticks, as HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _outcome(finding: Finding) -> str:
    if finding.passed:
        return "form fits" if finding.only_form else "✓ passed"  # a tick would say "right"
    return "✗ not yet"


def _indented(label: str, text: str) -> str:
    start = f"      {label + ':':<12}"
    return start + text.replace("\n", "\n" + " " * len(start))
