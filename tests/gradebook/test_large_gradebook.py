"""What is asked of a gradebook goes by its indexes: nothing reads the marks of a whole class."""

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import event, text

from autograder.course import load_course
from autograder.gradebook.page_marks import read_marks
from autograder.gradebook.rows import Entry, Rows, released
from autograder.gradebook.scores import FEW, grades_of

ROOT = Path(__file__).parents[2]
NAME = "first"
DUE = datetime(2026, 9, 1)
CLASS_TABLES = ("grade", "comment", "submitted_assignment", "submitted_notebook")


@pytest.fixture
def gradebook(tmp_path: Path, empty_gradebook: Path) -> Iterator[Gradebook]:
    """Two students' marks of an assignment with two graded cells."""
    shutil.copy(empty_gradebook, tmp_path)
    with Gradebook(f"sqlite:///{tmp_path / empty_gradebook.name}") as gradebook:
        gradebook.add_assignment(NAME, duedate=DUE)
        gradebook.add_notebook(NAME, NAME)
        for cell in ("one", "two"):
            gradebook.add_grade_cell(cell, NAME, NAME, max_score=2, cell_type="code")
            gradebook.add_solution_cell(cell, NAME, NAME)
            gradebook.add_source_cell(cell, NAME, NAME, cell_type="code", checksum="of the source")
        for student in ("ada", "ben"):
            gradebook.add_student(student)
            gradebook.add_submission(NAME, student)
        yield gradebook


@pytest.fixture
def plans(gradebook: Gradebook) -> Iterator[list[str]]:
    """How SQLite finds what it is asked for meanwhile, a line a step."""
    steps: list[str] = []
    engine = gradebook.db.get_bind()

    def explain(connection, _cursor, statement, parameters, _context, _many) -> None:
        if statement.lstrip().upper().startswith("SELECT"):
            found = connection.connection.cursor().execute(
                f"EXPLAIN QUERY PLAN {statement}", parameters
            )
            steps.extend(row[-1] for row in found)

    event.listen(engine, "before_cursor_execute", explain)
    yield steps
    event.remove(engine, "before_cursor_execute", explain)


def whole_tables(steps: list[str]) -> list[str]:
    """The steps that read all rows of a table that grows with the class."""
    return [step for step in steps if step in {f"SCAN {name}" for name in CLASS_TABLES}]


def test_the_probe_sees_a_question_that_reads_every_mark(gradebook, plans) -> None:
    gradebook.db.execute(text("SELECT auto_score FROM grade WHERE notebook_id = 'any'"))
    assert whole_tables(plans) == ["SCAN grade"]


def test_scores_of_the_class_are_found_by_cell(gradebook, plans) -> None:
    rows = Rows(load_course(ROOT), gradebook, released(gradebook, NAME))
    assert rows.scores() == {name: {"one": None, "two": None} for name in ("ada", "ben")}
    assert plans
    assert whole_tables(plans) == []


def test_a_submission_is_written_without_reading_those_of_others(gradebook, plans) -> None:
    course = load_course(ROOT)
    course.config.LateSubmissionPlugin.penalty_method = "zero"
    rows = Rows(course, gradebook, released(gradebook, NAME))
    late = DUE + timedelta(hours=1)
    comments = {"one": None, "two": "No response."}
    rows.write([Entry("ada", late, {"one": 1.5, "two": 0.0}, comments)])
    assert rows.scores()["ada"] == {"one": 1.5, "two": 0.0}
    written = gradebook.find_submission_notebook(NAME, NAME, "ada")
    assert written.late_submission_penalty == 1.5  # all of it, as this rule says
    assert plans
    assert whole_tables(plans) == []


@pytest.mark.parametrize("others", [0, FEW], ids=["few", "many"])
def test_grades_for_the_table_are_found_by_cell(gradebook, plans, others) -> None:
    rows = Rows(load_course(ROOT), gradebook, released(gradebook, NAME))
    rows.write([Entry("ada", None, {"one": 1.5, "two": 0.0}, {"one": None, "two": None})])
    plans.clear()
    asked = {"ada", *(f"student {number}" for number in range(others))}
    found = grades_of(gradebook, NAME, asked)
    assert {row.name: row.score for row in found["ada"]} == {"one": 1.5, "two": 0.0}
    assert plans
    assert whole_tables(plans) == []


def test_marks_for_a_page_are_found_by_cell(gradebook, plans) -> None:
    rows = Rows(load_course(ROOT), gradebook, released(gradebook, NAME))
    rows.write([Entry("ada", None, {"one": 1.5, "two": 0.0}, {"one": None, "two": None})])
    plans.clear()
    marks = read_marks(gradebook, NAME, NAME, "ada")
    assert (marks.score, marks.total.max_score) == (1.5, 4)
    assert {name: row.score for name, row in marks.grades.items()} == {"one": 1.5, "two": 0.0}
    assert set(marks.comments) == {"one", "two"}
    assert plans
    assert whole_tables(plans) == []
