"""Shows what the checks of one exercise found: a page in Jupyter, plain text elsewhere."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from .report import report_page

if TYPE_CHECKING:  # importing it takes torch and pytest along, which `hint` and `ask` do not need
    from .chart import Chart
    from .running import Finding


def show(
    heading: str, findings: list[Finding], drawing: Chart | None, hint: str | None = None
) -> None:
    """Show a heading, what was found with its advice, and the picture; say how to get a hint."""
    page = report_page(heading, findings, drawing, hint)
    present(as_text(heading, findings, drawing), {"text/html": page})


def without_marks(markdown: str) -> str:
    """Markdown for a terminal: stars of **bold** and *italics* go; those in code and 2**20 stay."""
    stars = r"(```.*?```|`[^`]*`)|(?<![\w*])\*+(?=[^\s*])|(?<=[^\s*])\*+(?![\w*])"
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


def as_text(heading: str, findings: list[Finding], drawing: Chart | None) -> str:
    """What a terminal shows of the checks of one exercise."""
    lines = [heading]
    for finding in findings:
        if finding.only_form:  # the heading says the rest
            lines += [f"  {finding.says}"] if finding.says else []
            continue
        lines.append(f"  [{_outcome(finding)}] {finding.claim}")
        if finding.called:
            lines.append(_indented("you called", finding.called))
            lines.append(_indented("came back", finding.came_back))
        if not finding.passed or finding.expected:
            lines.append(_indented("expected", finding.expected))
        if not finding.passed:
            lines.append(_indented("look at", finding.says))
    if drawing is not None:
        lines.append(f"  {drawing.words}")
    return "\n".join(lines)


def _outcome(finding: Finding) -> str:
    return "✓ passed" if finding.passed else "✗ not yet"


def _indented(label: str, text: str) -> str:
    start = f"      {label + ':':<12}"
    return start + text.replace("\n", "\n" + " " * len(start))
