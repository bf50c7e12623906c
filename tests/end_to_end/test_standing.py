"""A second run: what stands is left alone, and what has changed is written again, alone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import grades, query, url_of
from line_fitting import NAME, SOURCE, edit, hand_in, submitted
from sqlalchemy import create_engine, text

STUDENTS = {"ada", "ben", "chloe", "goran"}
STRICT = """
from nbgrader.plugins import LateSubmissionPlugin

class Strict(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return int(student_id)

c.AssignLatePenalties.plugin_class = Strict
"""


@pytest.fixture
def course(small_class: Path, tmp_path: Path) -> Path:
    """The graded class at another place."""
    return Path(shutil.copytree(small_class, tmp_path / "moved", symlinks=True))


@pytest.fixture
def rewritten(run: Any) -> Callable[[Path], set[str]]:
    """Grade once more; gives whose notebooks were written again."""

    def rewritten(course: Path) -> set[str]:
        before = written_at(course)
        done = run("autograder", "grade", NAME, cwd=course)
        assert done.returncode == 0, done.stdout + done.stderr
        after = written_at(course)
        assert after.keys() == STUDENTS
        return {student for student in after if after[student] != before.get(student)}

    return rewritten


def notebook_of(course: Path, step: str, student: str) -> Path:
    return course / step / student / NAME / f"{NAME}.ipynb"


def written_at(course: Path) -> dict[str, tuple[int, int]]:
    """What changes with each writing: a new file may have the inode of the one before."""
    paths = {one: notebook_of(course, "autograded", one) for one in STUDENTS}
    found = {one: path.stat() for one, path in paths.items() if path.exists()}
    return {one: (stat.st_ino, stat.st_mtime_ns) for one, stat in found.items()}


def configure(course: Path, lines: str) -> None:
    with (course / "course_config.py").open("a") as config:
        config.write(f"\n{lines}\n")


def execute(course: Path, statement: str) -> None:
    engine = create_engine(url_of(course))
    with engine.begin() as connection:
        assert connection.execute(text(statement)).rowcount > 0
    engine.dispose()


def test_what_was_moved_or_touched_stands(
    course: Path, rewritten: Callable[[Path], set[str]]
) -> None:
    before = grades(url_of(course))
    for student in STUDENTS:
        notebook_of(course, "submitted", student).touch()
    assert rewritten(course) == set()
    assert grades(url_of(course)) == before


def test_what_has_changed_is_written_again_alone(
    course: Path, rewritten: Callable[[Path], set[str]]
) -> None:
    notebook = submitted(course, "ben")
    notebook.cells[0].source = "# another heading\n"
    hand_in(course, "ben", notebook)
    shutil.rmtree(course / "autograded" / "goran")
    before = grades(url_of(course))
    execute(
        course,
        "update grade set auto_score = 0.125 where auto_score > 1 and notebook_id in"
        " (select submitted_notebook.id from submitted_notebook join submitted_assignment"
        " on submitted_assignment.id = submitted_notebook.assignment_id"
        " where student_id = 'chloe')",
    )
    assert rewritten(course) == {"ben", "chloe", "goran"}
    assert grades(url_of(course)) == before


def test_a_class_without_records_is_graded_anew_and_loses_no_mark_or_comment(
    course: Path, rewritten: Callable[[Path], set[str]]
) -> None:
    """As a class is found that a former version graded, whose records stood in the notebooks."""
    execute(course, "update grade set manual_score = 0.25 where auto_score > 1")
    execute(course, "update comment set manual_comment = 'Well seen'")
    by_hand = [
        "select id, manual_score from grade order by id",
        "select id, manual_comment from comment order by id",
    ]
    before = [query(url_of(course), statement) for statement in by_hand]
    scores = [(one.name, one.score) for one in grades(url_of(course))]
    for student in STUDENTS:
        (course / "autograded" / student / f"{NAME}.json").unlink()
    assert rewritten(course) == STUDENTS
    assert [query(url_of(course), statement) for statement in by_hand] == before
    assert [(one.name, one.score) for one in grades(url_of(course))] == scores
    assert rewritten(course) == set()


@pytest.mark.parametrize("what", ["settings", "demonstrations"])
def test_what_all_are_made_of_counts_for_all(
    course: Path, rewritten: Callable[[Path], set[str]], what: str
) -> None:
    if what == "settings":
        configure(course, "c.FeedbackPolicy.hints = False")
    else:
        edit(course / SOURCE, "# %% demonstration=true\nslopes", "# %%\nslopes")
    assert rewritten(course) == STUDENTS


def test_a_plugin_that_fails_on_a_late_student_costs_no_other(course: Path, run: Any) -> None:
    configure(course, STRICT)
    execute(course, "update assignment set duedate = '2026-11-20 12:00:00.000000'")
    notebook = notebook_of(course, "submitted", "ben")
    (notebook.parent / "timestamp.txt").write_text("2026-11-21 12:00:00 UTC\n")
    done = run("autograder", "grade", NAME, cwd=course)
    assert done.returncode == 1
    assert "3 graded, 1 ungraded" in done.stdout
    assert "not_written" in done.stdout
    assert not notebook_of(course, "autograded", "ben").exists()
    assert not list((course / "autograded").glob("*/.*"))


def test_a_course_with_stages_of_its_own_is_written_by_nbgrader(course: Path, run: Any) -> None:
    before = grades(url_of(course))
    configure(course, "c.LimitOutput.max_lines = 5")
    done = run("autograder", "grade", NAME, cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert grades(url_of(course)) == before
    record = json.loads((course / "autograded" / "ada" / f"{NAME}.json").read_bytes())
    assert record["made_of"] is None  # nbgrader's preprocessors wrote it
