"""What a browser shows of a feedback page before anybody scrolls."""

from dataclasses import replace

import nbformat.v4 as v4
import pytest
from nbgrader.converters import GenerateFeedback
from samples import EVERYTHING, HOSTILE, VERDICTS, graded, notebook
from traitlets.config import Config

from autograder.feedback.shared import SharedExporter

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

NBGRADERS = GenerateFeedback(coursedir=None, config=Config())
EXPORTER = SharedExporter(parent=NBGRADERS, config=NBGRADERS.config)
WRONG = ("misconception", "timeout", "crashed", "partial", "syntax error", "out of memory")
SEVERAL = ("perfect", "pending", "untouched", "quiz right", *WRONG[:4])


def cells_of(names, count):
    """So many exercises, each ending as one of these does."""
    cells = []
    for place in range(count):
        verdict = VERDICTS[names[place % len(names)]]
        cells += graded(replace(verdict, exercise=f"an_exercise_{place}"), EVERYTHING)
    return cells


@pytest.fixture
def opened(chromium, tmp_path):
    """A page in a browser, and what it said meanwhile: dialogs, requests."""
    pages = []

    def opened(cells, **context):
        names = {"notebook": "01-sample", "student": "ada", "score": 5, "max_score": 20}
        html, _ = EXPORTER.from_notebook_node(
            notebook(cells), {"nbgrader": names | {"late_penalty": 0}}
        )
        file = tmp_path / "page.html"
        file.write_text(html, encoding="utf-8")
        page = chromium.new_page(**{"viewport": {"width": 1280, "height": 900}, **context})
        pages.append(page)
        said = []
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: said.append(request.url))
        page.goto(file.as_uri(), wait_until="load")
        return page, [one for one in said if one != file.as_uri()]

    yield opened
    for page in pages:
        page.close()


def bottom(page, selector):
    return page.eval_on_selector_all(
        selector, "all => Math.max(...all.map(one => one.getBoundingClientRect().bottom))"
    )


@pytest.mark.parametrize(("names", "count"), [(SEVERAL, 8), (SEVERAL, 21), (WRONG, 12)])
def test_all_that_matters_is_on_one_screen(opened, names, count):
    page, _ = opened(cells_of(names, count))
    parts = ("h1", ".total", ".mend", ".rest section", ".rest nav ol")
    assert {part: bottom(page, part) for part in parts if bottom(page, part) > 900} == {}


@pytest.mark.parametrize("width", [375, 800, 1280])
def test_nothing_sticks_out_at_the_side_and_nothing_runs_or_is_fetched(opened, width):
    formula = v4.new_markdown_cell("$$" + " + ".join(["x_{1}"] * 60) + "$$ and $\\text{<b>}$")
    cells = [
        *cells_of((*SEVERAL, "hostile"), 9),
        formula,
        v4.new_markdown_cell(HOSTILE.replace("\ud800", "")),
    ]
    page, said = opened(cells, viewport={"width": width, "height": 900})
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert said == []
    assert page.locator("math").count() == 3


def test_a_link_opens_what_is_folded(opened):
    page, _ = opened(cells_of(("perfect", "partial"), 2))
    assert not page.locator("#test_an_exercise_0 .agf").is_visible()
    page.click('nav a[href="#test_an_exercise_0"]')
    page.click("#test_an_exercise_1 .there a")
    assert page.locator("#cell-an_exercise_1").is_visible()


def test_a_page_follows_a_dark_theme_and_prints_on_white(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    page, _ = opened(cells_of(SEVERAL, 8), color_scheme="dark")
    assert page.evaluate(ground) == "rgb(20, 24, 31)"
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
