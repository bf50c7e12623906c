"""The page around the exercises, as `nbgrader generate_feedback` writes it."""

import logging
import re
import shutil
from html.parser import HTMLParser

import nbformat
import nbformat.v4 as v4
import pytest
from entering import declare, enter
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from samples import EVERYTHING, VERDICTS, graded, notebook
from traitlets.config import Config

from autograder.feedback.safe_html import sanitised

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)></svg>"
SHOWN = ("perfect", "pending", "untouched", "quiz wrong")


# nbgrader's own models make these.
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@pytest.fixture
def written(tmp_path, empty_gradebook):
    """Write the feedback page of one submission through nbgrader, and read it."""
    shutil.copy(empty_gradebook, tmp_path)

    def write(cells, comment=None, manual=None):
        folder = tmp_path / "autograded" / "ada" / "01-sample"
        folder.mkdir(parents=True)
        nbformat.write(notebook(cells), folder / "01-sample.ipynb")
        with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
            declare(gradebook, cells)
            enter(gradebook, "ada", cells, comment, manual)
        config = Config()
        config.CourseDirectory.root = str(tmp_path)
        config.CourseDirectory.assignment_id = "01-sample"
        config.CourseDirectory.db_url = f"sqlite:///{tmp_path}/gradebook.db"
        config.GenerateFeedback.exporter_class = "autograder.feedback.page.FeedbackExporter"
        log = logging.Logger("feedback", logging.ERROR)
        directory = CourseDirectory(config=config, log=log)
        GenerateFeedback(coursedir=directory, config=config, log=log).start()
        return (tmp_path / "feedback/ada/01-sample/01-sample.html").read_text(encoding="utf-8")

    return write


def exercise_cells(*names):
    return [cell for name in names for cell in graded(VERDICTS[name], EVERYTHING)]


def summary(html):
    top = html.partition("<main>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", top.partition("<header")[2]))


def test_the_summary_has_nbgraders_marks_and_what_waits(written):
    text = summary(written(exercise_cells(*SHOWN)))
    assert "5 of 11 points, and 3 still open" in text
    assert "attention_weights 2 / 2" in text
    assert "FusedMultiHeadAttention 3 / 6 3 points to come from a GPU" in text
    assert "scaled_scores 0 / 2 not attempted yet" in text
    assert "q2 0 / 1" in text


def test_the_summary_tells_a_missing_package_from_a_gpu(written):
    text = summary(written(exercise_cells("absent")))
    assert "0 of 2 points, and 2 still open" in text
    assert "triton_attention 0 / 2 2 points to come later" in text


def test_a_total_that_is_settled_says_nothing_of_open_points(written):
    assert "still open" not in summary(written(exercise_cells("perfect", "quiz wrong")))


def test_bonus_points_count_on_top_of_the_total_and_are_called_so(written):
    text = summary(written(exercise_cells("quiz right", "bonus")))
    assert "3 of 1 point" in text
    assert "This counts 2 bonus points on top of the maximum." in text
    assert "kernel 2 bonus points full marks" in text


def test_a_bonus_in_part_is_no_full_marks_and_what_waits_of_it_is_still_open(written):
    text = summary(written(exercise_cells("quiz right", "bonus in part")))
    assert "1.5 of 1 point, and 1 still open" in text
    assert "kernel 0.5 bonus points 1 bonus point to come from a GPU" in text


def test_a_bonus_that_was_left_out_is_optional_and_takes_nothing(written):
    text = summary(written(exercise_cells("quiz right", "bonus left out")))
    assert "1 of 1 point" in text
    assert "still open" not in text
    assert "This counts" not in text
    assert "kernel 0 bonus points optional" in text


def test_marks_by_hand_for_a_bonus_are_told_without_a_maximum(written):
    page = written(exercise_cells("bonus left out"), manual=1.0)
    assert "1 of 0 points" in summary(page)
    assert "Your instructor set the marks of <b>kernel</b>: <b>1 bonus point</b>" in page


def test_every_link_of_the_summary_leads_somewhere(written):
    html = written(exercise_cells(*SHOWN), comment="Well done")
    links = re.findall(r'href="#([^"]+)"', html.partition("<main>")[0])
    assert len(links) == 8
    assert all(f'id="{link}"' in html for link in links)


def test_marks_that_an_instructor_changed_are_told_beside_ours(written):
    html = written(exercise_cells("partial"), manual=2.0)
    assert "softmax 2 / 2" in summary(html)
    assert "Your instructor set the marks of" in html


def test_comments_are_shown_and_sanitised(written):
    html = written(exercise_cells("partial"), comment=f"Look at **axis** {ATTACK}")
    assert "<strong>axis</strong>" in html
    assert_harmless(html)


def test_the_code_of_graded_cells_gives_way_to_their_feedback(written):
    html = written(exercise_cells("perfect"))
    assert "from checks import" not in html
    assert "What was checked" in html


def test_a_graded_cell_without_feedback_keeps_its_code_and_marks(written):
    cells = exercise_cells("perfect")
    cells[1].outputs = []
    html = written(cells)
    assert "checks" in html.partition("<main>")[2]
    assert "Marks: <b>2 of 2 points</b>" in html


def tags(html):
    """The elements of a page, with the names of their attributes."""
    found = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attrs: found.append((tag, [name for name, _ in attrs]))
    reader.feed(html)
    return found


def assert_harmless(html):
    body = html.partition("<body")[2]
    assert "<script" not in body
    assert "<svg" not in body
    assert not [name for _, names in tags(body) for name in names if name.startswith("on")]


def test_what_students_write_or_make_cannot_run(written):
    cells = exercise_cells("hostile")
    outputs = [
        v4.new_output("display_data", {kind: ATTACK})
        for kind in ("text/html", "text/markdown", "image/svg+xml", "text/latex", "text/plain")
    ]
    outputs += [v4.new_output("display_data", {"application/javascript": "alert(4)"})]
    outputs += [v4.new_output("stream", text=ATTACK), v4.new_output("error", traceback=[ATTACK])]
    cells[0].outputs = outputs
    cells[0].source = ATTACK
    html = written([v4.new_markdown_cell(f"# {ATTACK}\n\n{ATTACK}"), *cells])
    assert_harmless(html)
    assert "alert(4)" not in html


BESIDE = frozenset({"figures/heads.png", "notes.txt"})


@pytest.mark.parametrize(
    ("written_by_student", "left"),
    [
        ('<a href="javascript:alert(1)">x</a>', "x"),
        ('<a href="data:text/html,x">x</a>', "x (data:text/html,x)"),
        ('<a href="https://example.org?a&amp;b">x</a>', "x (https://example.org?a&amp;b)"),
        ('<a href="https://example.org">https://example.org</a>', "https://example.org"),
        (
            '<a href="/logout"><b>x</b></a> <a href="#y">z</a>',
            '<b>x</b> (/logout) <a href="#y">z</a>',
        ),
        ('<a href="no%74es.txt" onclick="x">y</a>', '<a href="./notes.txt">y</a>'),
        ('<a href="notes.txt?x">y</a>', "y (notes.txt?x)"),
        (
            '<img src="https://example.org/spy.png" alt="<b>">',
            "&lt;b&gt; (https://example.org/spy.png)",
        ),
        ('<img src="//example.org/spy.png">', " (//example.org/spy.png)"),
        ('<img src="data:image/svg+xml;base64,AA">', " (data:image/svg+xml;base64,AA)"),
        ('<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">'),
        ('<img src="figures/heads.png">', '<img src="./figures/heads.png">'),
        ('<img src="figures/../../x.png">', " (figures/../../x.png)"),
        ('<img src="#y" alt="z">', "z (#y)"),
        ('<section class="agf" data-earned="9">', '&lt;section class="agf" data-earned="9"&gt;'),
        ('<div class="agf agf-full">9 of 9</div>', "<div>9 of 9</div>"),
        ('<p id="test_softmax" style="position:fixed">x</p>', "<p>x</p>"),
        (
            '<table class="agf-chart" style="width:9px"><td style="color:red">9</td></table>',
            "<table><tbody><tr><td>9</td></tr></tbody></table>",
        ),
        ("<b>$a < b$</b>", "<b>$a &lt; b$</b>"),
    ],
)
def test_only_what_formats_text_is_left(written_by_student, left):
    assert sanitised(written_by_student, BESIDE) == left
