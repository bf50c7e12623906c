"""The report of an exercise's checks for a notebook: what helps first, then what passed, folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from .chart_page import chart_page
from .report_style import STYLE

if TYPE_CHECKING:  # importing it takes torch and pytest along, which `hint` and `ask` do not need
    from .chart import Chart
    from .comparing import Comparison
    from .running import Finding


def report_page(
    heading: str, findings: list[Finding], drawing: Chart | None, hint: str | None = None
) -> str:
    """What failed with its values side by side, a line for what passed, and a picture.

    Args:
        heading: what was found in all.
        findings: one a check.
        drawing: the picture of the student's own result.
        hint: what to type for a hint.
    """
    failed = [finding for finding in findings if not finding.passed]
    parts = [_heading(heading, findings), *_failures(failed)]
    if failed and hint is not None:
        parts.append(f"<p>A hint: <code>{escape(hint)}</code></p>")
    parts += [_passed(finding) for finding in findings if finding.passed]
    if drawing is not None and (drawing.texts or not failed):
        parts.append(chart_page(drawing))
    return framed("".join(parts))


def framed(content: str) -> str:
    """Content in the box that has the report's style."""
    return f'{STYLE}<div class="cr">{content}</div>'


def prose(text: str) -> str:
    """Text whose `code` stands between backticks, as HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _heading(heading: str, findings: list[Finding]) -> str:
    kind, sign = "cr-plain", ""
    if not all(finding.passed for finding in findings):
        kind, sign = "cr-failed", "✗ "
    elif findings and not any(one.only_form and not one.says for one in findings):
        kind, sign = "cr-passed", "✓ "  # of a form alone, a tick would say "right"
    return f'<p class="cr-head {kind}">{sign}{prose(heading)}</p>'


def _failures(failed: list[Finding]) -> Iterator[str]:
    """Each with its sentence first; what has the sentence of an earlier one is folded."""
    told: set[str] = set()
    for finding in failed:
        claim = f'<span class="cr-failed">✗ not yet:</span> {prose(finding.claim)}'
        if finding.only_form:
            yield f"<section><p>{prose(finding.says)}</p></section>"
        elif finding.says in told:
            yield _folded(claim, finding)
        else:
            yield (
                f"<section><p>{prose(finding.says)}</p>"
                f'<p class="cr-claim">{claim}</p>{_side_by_side(finding)}</section>'
            )
        told.add(finding.says)


def _passed(finding: Finding) -> str:
    if finding.only_form:
        return f"<p>{prose(finding.says)}</p>" if finding.says else ""
    return _folded(f'<span class="cr-passed">✓</span> {prose(finding.claim)}', finding)


def _folded(line: str, finding: Finding) -> str:
    return f"<details><summary>{line}</summary>{_side_by_side(finding)}</details>"


def _side_by_side(finding: Finding) -> str:
    """The call, what came back and what was expected, in columns that keep their lines."""
    columns = [("You called", _pre(finding.called, wraps=True), "")]
    if finding.compared is not None:
        came, expected = _marked(finding.compared)
        part = f" at {finding.compared.part}" if finding.compared.part else ""
        columns += [(f"Came back{part}", came, "cr-came"), (f"Expected{part}", expected, "")]
    else:
        columns.append(("Came back", _pre(finding.came_back), ""))
        if finding.expected:
            columns.append(("Expected", _pre(finding.expected), ""))
    told = "".join(
        f'<div class="cr-column {kind}"><span>{escape(label)}</span>{text}</div>'
        for label, text, kind in columns
    )
    label = escape(f"Values: {finding.claim}".replace("`", ""))
    return (
        f'<div class="cr-scroll" role="group" aria-label="{label}" tabindex="0">'
        f'<div class="cr-side">{told}</div></div>'
    )


def _pre(text: str, wraps: bool = False) -> str:
    """Code or numbers; the lines of a grid of numbers are never broken."""
    breaks = wraps or "[" not in text
    kind = ' class="cr-wraps"' if breaks else ""
    return f"<pre{kind}>{escape(text)}</pre>"


def _marked(compared: Comparison) -> tuple[str, str]:
    """Both tables, of one width, with what differs marked."""
    texts = [
        text for table in (compared.came_back, compared.expected) for row in table for text in row
    ]
    width = max(map(len, texts))
    return _table(compared.came_back, compared, width), _table(compared.expected, compared, width)


def _table(texts: tuple[tuple[str, ...], ...], compared: Comparison, width: int) -> str:
    lines = (
        "  ".join(
            " " * (width - len(text)) + (f"<mark>{text}</mark>" if differs else text)
            for text, differs in zip(row, marks, strict=True)
        )
        for row, marks in zip(texts, compared.differs, strict=True)
    )
    return f"<pre>{chr(10).join(lines)}</pre>"
