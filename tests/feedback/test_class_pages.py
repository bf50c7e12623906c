"""`autograder feedback` on a class, against nbgrader's own generate_feedback on the same class."""

import logging
import os
import re
import shutil
import stat
from pathlib import Path

import nbformat
import nbformat.v4 as v4
import pytest
from bs4 import BeautifulSoup
from entering import NAME, declare, enter
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import GetGrades
from samples import EVERYTHING, HOSTILE, VERDICTS, graded, notebook
from traitlets.config import Config, Configurable

from autograder.checks.kit.plain_text import is_seen
from autograder.commands.feedback import write
from autograder.course import CourseError, load_course
from autograder.feedback.shared import SharedExporter
from autograder.gradebook.feedback_pages import LOOKS, has_our_pages, write_feedback
from autograder.gradebook.page_writer import PageWriter
from autograder.notebooks.submitted import Submitted

ODD = """\
# A heading *with* `code` and <em>HTML</em>

![a figure](figures/heads.png) ![drawn](attachment:drawn.png) <img src="figures/heads.png">
<img title=" alt= > " src='figures/heads.png'> <IMG ALT=x src="figures/heads.png">

<div><p>never closed <b>nor this

| a | b |
|---|---|
| $x < y$ | `x < y` &amp; &lt; |

$$\\begin{align} a &< b \\\\ c &> d \\end{align}$$

```python
x = {"a": 1}  # <b>
```

<script>alert(1)</script> <!-- a comment --> <p>
"""
UNATTACHED = ODD.replace("attachment:", "")
PNG = "iVBORw0KGgo="
NAMES = ("perfect", "partial", "pending", "untouched", "quiz wrong", "another id", "bonus")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("class pages"),
]


def cells_of(odd):
    """What a student handed in: every kind of mark, and, if they are odd, of everything else."""
    cells = [cell for name in NAMES for cell in graded(VERDICTS[name], EVERYTHING)]
    if odd:
        said = [
            v4.new_output("display_data", {kind: text})
            for text in (UNATTACHED, HOSTILE.replace("\ud800", ""))
            for kind in ("text/html", "text/markdown", "text/latex", "text/plain")
        ]
        said += [
            v4.new_output("display_data", {"image/png": PNG}),
            v4.new_output("stream", text=ODD),
        ]
        cells[0].outputs = [*said, v4.new_output("error", traceback=["\x1b[31mred\x1b[0m <b>"])]
        cells[2].source = "%%bash\necho <b> # \x1b[2J\u202e"
        drawn = v4.new_markdown_cell(ODD, attachments={"drawn.png": {"image/png": PNG}})
        cells += [drawn, v4.new_raw_cell("<b>raw</b>"), v4.new_code_cell("")]
    written = v4.new_markdown_cell(UNATTACHED if odd else "Because.")
    written.metadata["nbgrader"] = {
        **{"grade": True, "solution": True, "locked": False, "grade_id": "w1"},
        **{"schema_version": 3, "points": 3.0, "score": None},
    }
    return [*cells, written]


@pytest.fixture(scope="module")
def course(course_root, empty_gradebook, tmp_path_factory):
    """A class with marks, and with what nbgrader makes of the part that it can do."""
    root = tmp_path_factory.mktemp("class") / "course"
    source = root / "assignments" / NAME / f"{NAME}.py"
    source.parent.mkdir(parents=True)
    source.write_text("# %% [markdown]\n# # Sample\n")
    for name in ("course_config.py", "nbgrader_config.py"):
        shutil.copy(course_root / name, root)
    shutil.copy(empty_gradebook, root)
    with Gradebook(f"sqlite:///{root}/gradebook.db", "attention") as gradebook:
        declare(gradebook, cells_of(odd=False))
        for student in ("ada", "ben", "chloe", "dina", "emil", "gina"):
            hand_in(root, student, cells_of(odd=student == "ben"))
            marked = {"comment": f"Look at **axis** {UNATTACHED}", "manual": 1.5}
            enter(gradebook, student, cells_of(False), **marked if student == "chloe" else {})
        gradebook.find_submission_notebook(NAME, NAME, "chloe").late_submission_penalty = 2.5
        automatic = gradebook.find_comment("w1", NAME, NAME, "ada")
        automatic.auto_comment = "No response."
        gradebook.find_grade("test_k2", NAME, NAME, "ada").needs_manual_grade = True
        gradebook.find_grade("test_softmax", NAME, NAME, "emil").auto_score = None
        gradebook.db.commit()
    beside = root / "autograded" / "ada" / NAME
    (beside / "figures").mkdir()
    (beside / "figures" / "heads.png").write_bytes(b"\x89PNG")
    (beside / "data.csv").write_text("a,b\n")
    (beside / "data.csv").chmod(0o400)
    generate(root)
    shutil.move(root / "feedback", root / "by nbgrader")
    return root


def hand_in(root, student, cells):
    folder = root / "autograded" / student / NAME
    folder.mkdir(parents=True)
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    nbformat.write(notebook(cells), folder / f"{NAME}.ipynb")


def generate(root):
    """What `nbgrader generate_feedback --force` does."""
    config = Config(load_course(root).config)
    config.CourseDirectory.assignment_id = NAME
    config.GenerateFeedback.force = True
    log = logging.Logger("feedback", logging.ERROR)
    directory = CourseDirectory(config=config, log=log)
    GenerateFeedback(coursedir=directory, config=config, log=log).start()


@pytest.fixture(scope="module")
def done(course, run):
    """The command on that class, after accidents: half a notebook, links, a pipe, stale pages."""
    half = course / "autograded" / "dina" / NAME / f"{NAME}.ipynb"
    half.write_text(half.read_text()[:5000])
    shutil.rmtree(course / "autograded" / "gina" / NAME)
    (course / "autograded" / "gina" / NAME).symlink_to(course / "autograded" / "ada" / NAME)
    (course / "autograded" / "ada" / NAME / "link.txt").symlink_to("/etc/hostname")
    os.mkfifo(course / "autograded" / "ada" / NAME / "pipe.txt")
    for student in ("ada", "dina", "emil", "fay"):
        stale = course / "feedback" / student / NAME / "stale.html"
        stale.parent.mkdir(parents=True)
        stale.write_text("stale")
    return run("autograder", "feedback", cwd=course)


def tree(folder):
    """Every file's path, permissions and, of pages, what nbconvert's own last step makes of it."""
    return {
        path.relative_to(folder): (stat.S_IMODE(path.lstat().st_mode), normal(path))
        for path in sorted(folder.rglob("*"))
    }


def normal(path):
    if path.suffix == ".html":
        return str(BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser"))
    return path.read_bytes() if path.is_file() else None


@pytest.mark.parametrize("student", ["ada", "ben", "chloe"])
def test_pages_and_files_are_nbgraders(course, done, student):
    """Byte for byte, once BeautifulSoup has printed both: nbconvert prints its pages with it."""
    ours, theirs = (tree(course / step / student) for step in ("feedback", "by nbgrader"))
    assert list(ours) == list(theirs)
    assert ours == theirs


def test_what_acts_is_a_mark_wherever_it_stands_on_a_page(course, done):
    page = (course / "feedback" / "ben" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "\ufffd[2J\ufffd" in page
    assert all(is_seen(one) or one in "\n\t" for one in page)


def test_who_gets_no_page_is_named_with_the_reason(done):
    assert done.returncode == 1
    assert "3 feedback pages written, 3 failed" in done.stdout
    told = dict(line.split(f", {NAME}: no page: ") for line in done.stderr.splitlines())
    assert sorted(told) == ["dina", "emil", "gina"]
    assert "Notebook does not appear to be JSON" in told["dina"]
    assert told["emil"] == "the gradebook has no marks of test_softmax; grade it again"
    assert "symbolic link" in told["gina"]


def test_what_is_stale_does_not_stay(course, done):
    assert sorted(path.parent.parent.name for path in course.glob("feedback/*/*/*.html")) == [
        *("ada", "ben", "chloe")
    ]
    assert not list(course.glob("feedback/*/*/stale.html"))
    assert not (course / "feedback" / "fay" / NAME).exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (((), ("chole",)), "Did you mean 'chloe'?"),
        (((), ("ada", "fay")), "no graded submission of fay for 01-sample"),
        ((("01-smaple",), ()), "Did you mean '01-sample'?"),
    ],
)
def test_nothing_to_write_about_is_said(course, done, arguments, said):
    names, students = arguments
    with pytest.raises(CourseError, match=re.escape(said)):
        write(load_course(course), names, students, None)


def test_where_nothing_is_graded_no_page_is_called_stale(course, tmp_path):
    for name in ("course_config.py", "assignments"):
        (tmp_path / name).symlink_to(course / name)
    page = tmp_path / "feedback" / "ada" / NAME / f"{NAME}.html"
    page.parent.mkdir(parents=True)
    page.write_text("of last week")
    with pytest.raises(CourseError, match="nothing to write about"):
        write(load_course(tmp_path), (), (), None)
    assert page.read_text() == "of last week"


def test_a_failure_on_the_way_leaves_neither_page_nor_half_of_one(course, done, monkeypatch):
    writer = PageWriter(load_course(course))
    one = Submitted("ada", NAME, course / "autograded" / "ada" / NAME)
    monkeypatch.chdir(course)
    assert writer.write(one) is None
    page = course / "feedback" / "ada" / NAME
    before = tree(page)

    def full(*names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(GenerateFeedback, "set_permissions", full)
    assert "No space left" in writer.write(one)
    assert not page.exists()
    monkeypatch.undo()
    monkeypatch.chdir(course)
    assert writer.write(one) is None
    assert tree(page) == before


@pytest.mark.parametrize(
    "setting",
    [
        'c.GenerateFeedback.exporter_class = "nbconvert.exporters.HTMLExporter"',
        "c.GenerateFeedback.preprocessors = c.GenerateFeedback.preprocessors[:1]",
        "c.GenerateFeedback.post_convert_hook = print",
        'c.HTMLExporter.anchor_link_text = "#"',
        "c.HTMLExporter.embed_images = True",
        'c.FeedbackExporter.template_file = "mine.html.j2"',
        'c.CourseDirectory.directory_structure = "{nbgrader_step}/{assignment_id}/{student_id}"',
    ],
)
def test_other_settings_are_left_to_nbgrader(course, tmp_path, setting):
    shutil.copy(course / "course_config.py", tmp_path)
    assert has_our_pages(load_course(tmp_path).config)
    with (tmp_path / "course_config.py").open("a") as config:
        config.write(f"\n{setting}\n")
    assert not has_our_pages(load_course(tmp_path).config)


def test_every_class_whose_settings_reach_a_page_is_looked_at(course):
    nbgraders = GenerateFeedback(coursedir=None, config=load_course(course).config)
    exporter = SharedExporter(parent=nbgraders, config=nbgraders.config)
    used = {GenerateFeedback, GetGrades, SharedExporter}
    used |= {
        type(one) for one in [*exporter._preprocessors, *exporter.environment.filters.values()]
    }
    reached = {
        base.__name__
        for one in used
        for base in one.__mro__
        if issubclass(base, Configurable) and base.class_traits(config=True)
    }
    # formgrader's pages, and LaTeX
    elsewhere = {
        "ShowRubrics",
        "ShowDetails",
        "ShowFamilyCommentsToGraders",
        "ShowBonus",
        "HideOwner",
        "Highlight2Latex",
    }
    assert reached - set(LOOKS) == elsewhere | {"SharedExporter"}


def test_a_course_of_other_looks_gets_nbgraders_pages(course, tmp_path, monkeypatch):
    own = tmp_path / "course"
    shutil.copytree(course, own, symlinks=True, ignore=shutil.ignore_patterns("pipe.txt", "by *"))
    with (own / "course_config.py").open("a") as config:
        config.write('\nc.HTMLExporter.anchor_link_text = "(here)"\n')
    found = [Submitted(name, NAME, own / "autograded" / name / NAME) for name in ("ada", "dina")]
    told = dict(write_feedback(load_course(own), found, {}, 2))
    assert told[found[0]] is None
    assert told[found[1]] == "nbgrader could not write it, for the reason above"
    ours = own / "feedback" / "ada" / NAME / f"{NAME}.html"
    page = ours.read_bytes()
    assert b"<main>" in page
    assert not Path(own / "feedback" / "dina" / NAME).exists()
