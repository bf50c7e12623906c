"""Whatever text a student writes, nothing of it runs in the page that shows it."""

import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_pieces import MARKDOWN
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from nbgrader.server_extensions.formgrader import handlers
from restored import ASSIGNMENT
from seen_by_browsers import PICTURE, Seen, check_inert, is_drawn, is_harmless
from traitlets.config import Config
from trying import cases

from autograder.feedback.page import FeedbackExporter
from autograder.feedback.safe_markdown import markdown2html
from autograder.gradebook.stages import FILTERS
from autograder.notebooks.sanitise import LONGEST_TEXT, MOST_TEXT, inert, sanitise

NAMES = {"notebook": "n", "student": "s", "score": 1, "max_score": 1, "late_penalty": 0}
# As formgrader's own handler fills them in.
RESOURCES = {"nbgrader": NAMES, "index": 0, "total": 1, "base_url": "", "notebook_id": "n"}


@cases(1500)
@given(MARKDOWN)
@example("[a](<java\tscript:alert(1)>)")
@example("![a](attachment:missing.png)")
@example("![a](attachment\\:missing.png)")
@example("$\\def\\x#1{\\href{java#1:alert(1)}{y}}\\x{script}$")
@example("\\$\\\\href{javascript:alert(1)}{x}\\$")
@example("$&bsol;href{javascript&colon;alert(1)}{x}$")
@example("[a](javascript&#58;alert(1))")
@example("- [ ] <b onclick=alert(1)>")
def test_any_text_is_shown_and_runs_nothing(text: str) -> None:
    check_inert(markdown2html({}, inert(text)))


@cases(700)
@given(MARKDOWN)
def test_no_address_in_any_text_is_fetched(text: str) -> None:
    for tag, attributes in Seen(markdown2html({}, text)).elements:
        plain = {name for name in attributes if not is_drawn(tag, name, attributes[name])}
        assert plain <= {"alt", "title", "class", "id", "start", "href", "src"}
        assert "src" not in attributes or PICTURE.match(attributes["src"] or ""), tag
        assert (attributes.get("href") or "#").startswith("#"), tag


@cases(300)
@given(MARKDOWN)
def test_text_made_inert_twice_is_the_same(text: str) -> None:
    once = inert(text)
    assert inert(once) == once
    assert "".join(once.replace("&lt;", "<").split()) == "".join(text.replace("&lt;", "<").split())


@pytest.fixture(scope="module")
def exporters() -> list[HTMLExporter]:
    """Formgrader's own exporter, as it sets it up, and the one of the feedback pages."""
    config = Config()
    config.HTMLExporter.filters = FILTERS
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    return [HTMLExporter(config=config), FeedbackExporter(config=Config())]


def active(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """The elements of a page that run or load something, and every attribute that runs."""
    found = []
    for tag, attributes in Seen(page.replace("<!--", "").replace("<!DOCTYPE html>", "")).elements:
        running = tuple(name for name in attributes if name.startswith("on"))
        addresses = [attributes.get(name) or "" for name in ("href", "src", "action")]
        bad = not all(map(is_harmless, addresses))
        if running or bad or tag in ("script", "svg", "iframe", "object", "embed", "form", "base"):
            found.append((tag, running))
    return found


def page_of(exporter: HTMLExporter, cells: list[Any]) -> str:
    notebook = new_notebook(cells=cells)
    sanitise(notebook, ASSIGNMENT)
    notebook.metadata.language_info = {"name": "python"}
    page, _ = exporter.from_notebook_node(notebook, resources=dict(RESOURCES))
    return page


@cases(8)
@given(texts=st.lists(MARKDOWN, min_size=25, max_size=25))
def test_pages_of_any_text_can_be_made_and_run_nothing(
    exporters: list[HTMLExporter], texts: list[str]
) -> None:
    cells = [
        new(text) for text in texts for new in (new_markdown_cell, new_code_cell, new_raw_cell)
    ]
    for exporter in exporters:
        assert active(page_of(exporter, cells)) == active(page_of(exporter, []))


UNITS = [
    "\\begin{a}",
    " ",
    "  \n",
    "\\N{",
    "[",
    "![",
    "`",
    "*a_",
    "<b",
    "<b>",
    "<b><p>",
    "[a](b)",
    "$",
    "> ",
    "- ",
    "|",
    "\n|-",
]


@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_text_as_long_as_may_be_is_rendered_in_seconds(unit: str) -> None:
    cells = [new_markdown_cell(unit * (2 * LONGEST_TEXT // len(unit))) for _ in range(9)]
    notebook = new_notebook(cells=cells)
    notes = sanitise(notebook, ASSIGNMENT)
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert max(map(len, texts)) == LONGEST_TEXT
    assert sum(map(len, texts)) == MOST_TEXT
    assert sum("was cut" in note for note in notes) == 9
    start = time.monotonic()
    markdown2html({}, texts[0])
    assert time.monotonic() - start < 30  # on any machine; without a bound it takes hours
