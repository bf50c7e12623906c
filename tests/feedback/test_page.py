"""The page around the exercises, as `nbgrader generate_feedback` writes it."""

import logging
import re
import shutil
from dataclasses import replace
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


def folded(html, name):
    """What stands of an exercise when it is folded, and whether it is."""
    part = html.partition("<main>")[2].partition(f'id="test_{name}"')[2]
    head = re.sub(r"<[^>]+>", " ", part.partition("<summary>")[2].partition("</summary>")[0])
    return " ".join(head.split()), not part.partition(">")[0].strip().startswith("open")


def test_the_first_screen_has_name_marks_what_to_mend_and_what_waits(written):
    text = summary(written(exercise_cells("misconception", "pending", "untouched", "quiz wrong")))
    assert text.index("01-sample ada") < text.index("3.5 of 11") < text.index("What to mend first")
    assert (
        "attention_weights Partly right 0.5 of 2 points Your rows sum to 1 down the columns: the "
        "softmax runs over the queries. Hint. Each query shares out" in text
    )
    assert "q2 Not right yet 0 of 1 point B is the spread of one product." in text
    assert "Not tried yet: scaled_scores ." in text
    assert "FusedMultiHeadAttention 3 points, from a GPU" in text.partition("What waits")[2]
    assert "2 / 2" not in text


def test_what_has_full_marks_is_folded_to_a_line_and_what_lost_some_is_open(written):
    html = written(exercise_cells("perfect", "partial", "quiz right", "timeout"))
    assert folded(html, "attention_weights") == (
        "✓ attention_weights Full marks 2 of 2 points",
        True,
    )
    assert folded(html, "softmax") == ("◐ softmax Partly right 1.5 of 2 points", False)
    assert folded(html, "causal_mask") == ("✗ causal_mask Ran out of time 0 of 2 points", False)
    assert folded(html, "q1")[1]


def test_the_notebook_comes_last_and_folded(written):
    html = written([v4.new_markdown_cell("Prose"), *exercise_cells("perfect")])
    notebook = html.partition('<details class="notebook" id="notebook">')[2]
    assert "Prose" in notebook
    assert "attention_weights</span>" in notebook
    assert "What was checked" not in notebook
    assert "Prose" not in html.partition('<details class="notebook"')[0]


def test_who_lost_much_still_reads_what_is_wrong_with_each(written):
    cells = []
    for number in range(16):
        verdict = replace(VERDICTS["misconception"], exercise=f"exercise_{number}")
        cells += graded(verdict, EVERYTHING)
    text = summary(written(cells))
    assert text.count("Your rows sum to 1 down the columns") == 11
    assert text.count("Hint.") == 3
    assert "And exercise_11 ," in text


def test_the_summary_tells_a_missing_package_from_a_gpu(written):
    text = summary(written(exercise_cells("absent")))
    assert "0 of 2 points, and 2 still open" in text
    assert "triton_attention 2 points, from a later grading" in text


def test_where_nothing_was_lost_nothing_is_to_mend(written):
    text = summary(written(exercise_cells("perfect", "quiz right")))
    assert "Nothing to mend All of it is right." in text
    assert "still open" not in text


def test_what_waits_is_not_called_right(written):
    text = summary(written(exercise_cells("pending")))
    assert "Nothing to mend What you handed in and what is marked so far is right." in text


def test_bonus_points_count_on_top_of_the_total_and_are_called_so(written):
    text = summary(written(exercise_cells("quiz right", "bonus")))
    assert "3 of 1 point" in text
    assert "This counts 2 bonus points on top of the maximum." in text
    assert "kernel Full marks 2 bonus points" in text


def test_a_bonus_in_part_is_no_full_marks_and_what_waits_of_it_is_still_open(written):
    text = summary(written(exercise_cells("quiz right", "bonus in part")))
    assert "1.5 of 1 point, and 1 still open" in text
    assert "kernel Partly right 0.5 bonus points Its values are off." in text
    assert "kernel 1 bonus point, from a GPU" in text


def test_a_bonus_that_was_left_out_is_optional_and_takes_nothing(written):
    text = summary(written(exercise_cells("quiz right", "bonus left out")))
    assert "1 of 1 point" in text
    assert "still open" not in text
    assert "This counts" not in text
    assert "Not tried" not in text
    assert "kernel A bonus, not tried optional" in text


def test_marks_by_hand_for_a_bonus_are_told_without_a_maximum(written):
    page = written(exercise_cells("bonus left out"), manual=1.0)
    assert "1 of 0 points" in summary(page)
    assert "Your instructor set these marks: <b>1 bonus point</b>" in page


def test_every_link_leads_to_one_place_of_the_page(written):
    html = written(exercise_cells(*SHOWN), comment="Well done")
    links = re.findall(r'href="#([^"]+)"', html)
    assert len(set(links)) == 9
    assert [html.count(f'id="{link}"') for link in set(links)] == [1] * 9


def test_marks_that_an_instructor_changed_are_told_and_count(written):
    html = written(exercise_cells("partial"), manual=2.0)
    assert "softmax Full marks 2 / 2" in summary(html)
    assert "Nothing to mend" in summary(html)
    assert "Your instructor set these marks: <b>2 of 2 points</b>" in html


def test_comments_are_shown_once_open_and_sanitised(written):
    html = written(exercise_cells("perfect"), comment=f"Look at **axis** {ATTACK}")
    assert html.count("<strong>axis</strong>") == 1
    assert not folded(html, "attention_weights")[1]
    assert "Your instructor commented on attention_weights" in summary(html)
    assert_harmless(html)


def test_a_graded_cell_without_feedback_keeps_its_code_and_marks(written):
    cells = exercise_cells("perfect")
    cells[1].outputs = []
    html = written(cells)
    assert "checks" in html.partition('id="notebook"')[2]
    assert "Marks: <b>2 of 2 points</b>" in html


def test_nothing_could_run_even_if_it_got_into_a_page(written):
    html = written(exercise_cells("hostile"))
    policy = re.search('<meta content="([^"]+)" http-equiv="Content-Security-Policy"', html)[1]
    assert policy.startswith("default-src 'none';")
    assert "script" not in policy


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


def test_each_exercise_leads_back_to_its_section(written):
    text = "## The *scaled* score <b>\n\n```python\n# no heading\n```"
    html = written([v4.new_markdown_cell(text), *exercise_cells("perfect", "partial")])
    link = re.search(r'in the section <a href="#(section-\d+)">(.*?)</a>', html)
    assert link[2] == "The *scaled* score &lt;b&gt;"
    assert f'id="{link[1]}"' in html
    assert html.count("in the section") == 2
