"""Whatever strings a verdict holds, its feedback is the template's own elements and no others."""

import re
from dataclasses import replace
from typing import Any

import pytest
from bs4 import BeautifulSoup
from hypothesis import example, given
from hypothesis import strategies as st
from json_pieces import TEXT
from markdown_pieces import MARKDOWN
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.converters import GenerateFeedback
from seen_by_browsers import Seen
from traitlets.config import Config
from trying import cases

from autograder.checks.kit.chart import Chart
from autograder.checks.kit.plain_text import is_seen, plain
from autograder.course.reveal import Reveal
from autograder.feedback import marks_of, render_exercise
from autograder.feedback.cell_marks import output_metadata
from autograder.feedback.page import FeedbackExporter, sanitised
from autograder.feedback.reasons import REASONS
from autograder.feedback.shared import SharedExporter
from autograder.verdicts.verdict import ExerciseVerdict, TestResult

pytestmark = pytest.mark.slow

STRINGS = MARKDOWN | TEXT | st.text(max_size=30) | MARKDOWN.map(lambda text: text * 40)
MAYBE = st.none() | STRINGS
POINTS = st.sampled_from([0.5, 1.0, 1 / 3, 2.0, 6.0])  # these are ours
RESULTS = st.builds(
    TestResult,
    name=st.text(max_size=5),
    claim=STRINGS,
    outcome=st.sampled_from(["passed", "failed", "error", "pending"]),
    points=POINTS,
    device=st.sampled_from(["cpu", "cuda"]) | STRINGS,
    symptom=MAYBE,
)


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    """A chart of any texts, with as many of each as its rows and columns ask for."""

    def some(what: st.SearchStrategy, count: int) -> Any:
        return draw(st.lists(what, min_size=count, max_size=count).map(tuple))

    kind = draw(st.sampled_from(["cells", "bars", "frames"]))
    rows, columns = draw(st.integers(0, 3)), 1 if kind == "bars" else draw(st.integers(1, 3))
    return Chart(
        draw(STRINGS),
        draw(STRINGS),
        kind=kind,
        texts=tuple(some(STRINGS, columns) for _ in range(rows)),
        shades=tuple(some(st.none() | st.floats(0, 1), columns) for _ in range(rows)),
        rows=some(STRINGS, rows),
        columns=some(STRINGS, columns),
        rows_are=draw(STRINGS),
        columns_are=draw(STRINGS),
        sums=some(STRINGS, rows) if draw(st.booleans()) else (),
        colours=draw(st.sampled_from(["cividis", "viridis"])),
        zero=draw(st.floats(0, 1)),
    )


VERDICTS = st.builds(
    ExerciseVerdict,
    exercise=st.sampled_from(["q1", "causal_mask"]) | STRINGS,
    max_points=POINTS,
    tests=st.lists(RESULTS, max_size=3).map(tuple),
    reason=st.none() | st.sampled_from(sorted(REASONS)) | STRINGS,
    detail=MAYBE,
    misconceptions=st.lists(STRINGS, max_size=2).map(tuple),
    message=MAYBE,
    hint=MAYBE,
    picture=st.none() | charts(),
    printed=STRINGS,
    error=MAYBE,
    bonus=st.booleans(),
)
REVEALS = st.builds(Reveal, *[st.booleans()] * 5)

ELEMENTS = {
    "section": {"class", "aria-label"},
    "style": set(),
    "div": {"class", "aria-hidden", "role", "aria-label", "tabindex"},
    "span": {"class", "aria-hidden", "dir"},
    "h3": {"class"},
    "h4": {"class"},
    "p": {"class", "dir"},
    "b": set(),
    "i": {"class", "style"},
    "pre": {"dir"},
    "code": set(),
    "ul": {"class"},
    "li": {"class"},
    "figure": {"class"},
    "figcaption": {"class"},
    "table": {"class"},
    "caption": set(),
    "colgroup": {"span"},
    "col": set(),
    "thead": set(),
    "tbody": set(),
    "tr": set(),
    "th": {"class", "scope", "rowspan", "colspan"},
    "td": {"class", "style", "rowspan"},
}
STYLE = re.compile(
    r"(margin-left:\d+%;)?width:[\d.]+%|background:#[0-9a-f]{6};color:#(000000|ffffff)"
)
CLASSES = re.compile(r"(agf|agf-[a-z]+|tex2jax_ignore)( (agf-[a-z]+|tex2jax_ignore))*")
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def check_own(html: str) -> None:
    """Demand the template's own elements, with its own attributes and classes."""
    for tag, attributes in Seen(html).elements:
        assert tag in ELEMENTS, tag
        assert set(attributes) <= ELEMENTS[tag], (tag, attributes)
        assert STYLE.fullmatch(attributes.get("style") or "width:1%"), attributes
        assert CLASSES.fullmatch(attributes.get("class") or "agf"), attributes
    assert html.count("<section") == html.count("</section>") == 1
    assert not STEERING.search(html)


@cases(700)
@given(VERDICTS, REVEALS)
def test_no_string_of_a_verdict_becomes_markup(verdict: ExerciseVerdict, reveal: Reveal) -> None:
    html = render_exercise(verdict, reveal=reveal)
    check_own(html)
    assert len(html) < 120_000
    html.encode()


@cases(700)
@given(MARKDOWN | MARKDOWN.map(lambda text: f'<div class="agf {text}" style="{text}">{text}</div>'))
@example('<section class="agf" data-earned="9"><p id="test_f" style="position:fixed">')
def test_html_that_a_student_made_keeps_only_what_formats_text(html: str) -> None:
    page = Seen(sanitised(html))
    for tag, attributes in page.elements:
        assert tag not in ("script", "style", "iframe", "form", "input", "base", "svg", "section")
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        assert not re.match(r"\s*(java|vb)script:", attributes.get("href") or "", re.IGNORECASE)
        assert "agf" not in (attributes.get("class") or "")


@cases(15)
@given(st.lists(VERDICTS, min_size=4, max_size=4), STRINGS)
def test_a_page_of_any_verdicts_has_nothing_of_theirs_but_text(
    verdicts: list[ExerciseVerdict], comment: str
) -> None:
    harmless = [replace(one, exercise=f"e{n}") for n, one in enumerate(verdicts)]
    assert running(page_of(harmless, comment)) == running(page_of([], ""))


NBGRADERS = GenerateFeedback(coursedir=None, config=Config())
STOCK, SHARED = (
    exporter(parent=NBGRADERS, config=NBGRADERS.config)
    for exporter in (FeedbackExporter, SharedExporter)
)
NAMES = {"notebook": "n", "score": 1, "max_score": 1, "late_penalty": 0}


def page_of(verdicts: list[ExerciseVerdict], comment: str) -> str:
    cells = []
    for verdict in verdicts:
        html = render_exercise(verdict, reveal=Reveal())
        mark: dict[str, Any] = {"grade": True, "solution": False, "grade_id": verdict.exercise}
        mark |= {
            "points": 0.0 if verdict.bonus else 1.0,
            "score": 0.5,
            "comment": comment.encode(errors="replace").decode(),
        }
        cell = new_code_cell("check()", metadata={"nbgrader": mark})
        data = {"text/plain": "0.5", "text/html": html}
        metadata = output_metadata(marks_of(verdict, Reveal()))
        cell.outputs = [new_output("execute_result", data, execution_count=1, metadata=metadata)]
        cells.append(cell)
    notebook = new_notebook(cells=cells)
    names = NAMES | {"student": comment.encode(errors="replace").decode()}
    stock, page = (
        exporter.from_notebook_node(notebook, resources={"nbgrader": names})[0]
        for exporter in (STOCK, SHARED)
    )
    assert str(BeautifulSoup(page, "html.parser")) == stock
    page.encode()
    return page


def running(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """Everything in a page that runs code or loads something."""
    loud = ("script", "iframe", "object", "embed", "link", "form", "base", "svg", "meta")
    text = page.replace("<!--", "").replace("<!DOCTYPE html>", "")
    found = []
    for tag, attributes in Seen(text).elements:
        handlers = tuple(name for name in attributes if name.startswith("on"))
        if tag in loud or handlers:
            found.append((tag, handlers))
    return found


@cases(500)
@given(STRINGS)
def test_nothing_that_is_printed_steers_the_terminal(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert all(is_seen(character) for character in shown)
    assert not STEERING.search(shown)
    shown.encode()
