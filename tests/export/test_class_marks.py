"""What a graded class exports: the gradebook's totals, and nothing that was not settled."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from canvas_importer import CanvasCourse, CanvasStudent, import_file
from click.testing import CliRunner
from exported_class import BONUS, EXTENSIONS
from line_fitting import NAME, SOURCE, all_right, edit, gradebook, hand_in
from nbgrader.apps.exportapp import ExportApp

from autograder.checks.kit.plain_text import is_seen
from autograder.commands import cli
from autograder.course import CourseError

pytestmark = pytest.mark.xdist_group("exported class")

SCORES = {"ben": 3.5, "chloe": 4.75, "dan": 3.25, "eve": 7.0, "fay": 7.0}
FORMULAS = tuple("=+-@\t\r\n")
TEMPLATE = f"""\
Student,ID,SIS Login ID,Section,{NAME} (55)
    Points Possible,,,,7.00
"Łódź, Ada",1,ada,Mon,
=HYPERLINK(1),2,ben,Mon,
Chloé,3,chloe,Tue,
Dan,4,dan,Tue,
Eve,5,eve,Tue,
Fay,6,fay,Tue,
Gus,7,gus,Tue,
Mia,8,mia,Tue,1.00
Noa,9,noa,Tue,
"""
LOGINS = {at: line.split(",")[-3] for at, line in enumerate(TEMPLATE.splitlines()[2:], 1)}

WORKSHEET = "\n".join(
    [
        "Identifier,Full name,ID number,Grade,Maximum grade,Last modified (grade)",
        *(f"Participant {at},{one},{one},,7.00,-" for at, one in LOGINS.items()),
    ]
)


def export(root: Path, *options: object) -> str:
    """What the command says, run in this process; the file is `out`."""
    command = [*map(str, options), "--course", str(root), "--output", str(root / "out")]
    done = CliRunner().invoke(cli, ["export", *command])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def written(root: Path, *options: object) -> str:
    """What an export writes."""
    export(root, *options)
    return (root / "out").read_bytes().decode("utf-8")


def refused(root: Path, *options: object) -> str:
    """Why an export is refused."""
    with pytest.raises(CourseError) as error:
        export(root, *options)
    return str(error.value)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_points_that_wait_are_refused_until_it_is_said_what_is_meant(
    run: Any, graded_class: Path
) -> None:
    done = run("autograder", "export", "csv", "--output", "refused.csv", cwd=graded_class)
    said = " ".join(done.stderr.split())
    assert done.returncode == 2
    assert f"ada, {NAME}: 3 points wait; gus, {NAME}: not graded (bad_notebook)" in said
    assert "--pending zero" in said
    assert not (graded_class / "refused.csv").exists()


def test_scores_are_the_gradebooks(run: Any, graded_class: Path) -> None:
    found = json.loads(written(graded_class, "json", "--pending", "zero"))
    scores = {one["student"]: one["score"] for one in found["marks"]}
    assert scores == SCORES | {"ada": 4.0, "gus": 0.0, "mia": None, "noa": None}
    assert run("nbgrader", "export", cwd=graded_class).returncode == 0
    with (graded_class / "grades.csv").open(encoding="utf-8") as file:
        nbgraders = {row["student_id"]: row for row in csv.DictReader(file)}
    for one in found["marks"]:
        if one["status"] == "graded":
            theirs = nbgraders[one["submitted_by"]]
            assert one["score"] == float(theirs["score"])
            assert one["max_score"] == float(theirs["max_score"]) == 7.0
            assert one["late_penalty"] == float(theirs["late_submission_penalty"] or 0)


@pytest.mark.parametrize(
    ("pending", "lines"),
    [
        (
            "zero",
            (
                "points that wait for a person or a GPU counted as 0: ada",
                "not graded, 0 points: gus (bad_notebook)",
            ),
        ),
        ("omit", ("left out, points are pending: ada", "left out, not graded: gus (bad_notebook)")),
    ],
)
def test_what_waits_is_told_apart_from_what_could_not_be_read(
    run: Any, graded_class: Path, tmp_path: Path, pending: str, lines: tuple[str, ...]
) -> None:
    to = ("--pending", pending, "--output", str(tmp_path / "marks.csv"))
    done = run("autograder", "export", "csv", *to, cwd=graded_class)
    assert done.returncode == 0, done.stderr
    assert set(lines) <= set(done.stdout.splitlines())


def test_the_json_says_what_became_of_everyone(graded_class: Path) -> None:
    found = json.loads(written(graded_class, "json", "--pending", "omit"))
    assert (found["schema"], found["course"]) == (1, "line-fitting")
    (about,) = found["assignments"]
    assert (about["max_score"], about["bonus_points"]) == (7.0, 3.0)
    assert [one["exercise"] for one in about["exercises"] if one["bonus"]] == [BONUS]
    marks = {one["student"]: one for one in found["marks"]}
    assert next(iter(marks)) == "ada"
    assert {one: marks[one]["left_out"] for one in marks if marks[one]["left_out"]} == {
        "ada": "pending",
        "gus": "pending",
        "mia": "missing",
        "noa": "excused",
    }
    assert (marks["ada"]["name"], marks["ada"]["pending_points"]) == ('Łódź, Ada "A"', 3.0)
    assert (marks["gus"]["status"], marks["gus"]["reason"]) == ("ungraded", "bad_notebook")
    assert marks["dan"]["exercises"]["predict"]["manual_score"] == 1.25
    assert marks["chloe"]["exercises"]["predict"]["extra_credit"] == 0.75
    assert (marks["eve"]["submitted_by"], marks["eve"]["exercises"][BONUS]["score"]) == ("g1", 3.0)


def test_tidy_rows_are_one_a_student_and_exercise(graded_class: Path) -> None:
    text = written(graded_class, "csv", "--pending", "omit")
    assert text.count("\n") == text.count("\r\n")
    found = rows(text)
    assert len(found) == 9 * 4
    by = {(row["student"], row["exercise"]): row for row in found}
    assert len(by) == len(found)
    assert by["chloe", "predict"]["name"] == "陈 Chloé"
    assert by["ada", "w1"]["pending_points"] == "3"
    assert {row["score"] for row in found if row["student"] in ("ada", "gus", "mia", "noa")} == {""}
    sums = {
        student: sum(float(row["score"]) for row in found if row["student"] == student)
        for student in SCORES
    }
    assert sums == SCORES | {"ben": 4.0}  # a penalty is no exercise's
    assert {row["status"] for row in found} == {"graded", "ungraded", "missing", "excused"}


def test_tidy_rows_are_one_a_student(graded_class: Path) -> None:
    text = written(graded_class, "csv", "--pending", "zero", "--by", "student")
    found = {row["student"]: row for row in rows(text)}
    assert found["ben"][f"{NAME} late_penalty"] == "0.5"
    assert {one: row["score"] for one, row in found.items()} == {
        one: f"{score:g}"
        for one, score in (SCORES | {"ada": 4.0, "gus": 0.0, "mia": 0.0, "noa": 0.0}).items()
    }
    assert (found["ada"]["max_score"], found["noa"]["max_score"]) == ("7", "0")


@pytest.mark.parametrize("by", ["exercise", "student"])
def test_no_text_is_a_formula_and_no_number_is_changed(graded_class: Path, by: str) -> None:
    text = written(graded_class, "csv", "--pending", "zero", "--by", by)
    found = rows(text)
    cells = [cell for row in found for cell in row.values()]
    assert [cell for cell in cells if cell.startswith(FORMULAS)] == []
    names = {row["name"] for row in found}
    assert {"'=HYPERLINK(1)", "'@Dan", 'Łódź, Ada "A"', "陈 Chloé"} <= names
    assert "Mia \ufffd[2J\ufffdaiM" in names
    assert all(is_seen(one) or one in "\r\n" for one in text)


def test_excel_is_told_of_utf_8(graded_class: Path) -> None:
    plain = written(graded_class, "csv", "--pending", "zero")
    assert written(graded_class, "csv", "--pending", "zero", "--for-excel") == "\ufeff" + plain


def test_canvas_takes_the_marks_of_the_class(graded_class: Path) -> None:
    (graded_class / "canvas.csv").write_text(TEMPLATE, encoding="utf-8")
    options = ("canvas", "--template", graded_class / "canvas.csv", "--pending", "omit")
    content = written(graded_class, *options)
    students = {at: CanvasStudent("", login, login) for at, login in LOGINS.items()}
    done = import_file(CanvasCourse({55: (NAME, 7.0)}, students), content.encode())
    grades = {LOGINS[student]: grade for (student, _), grade in done.grades.items()}
    assert grades == {one: f"{score:g}" for one, score in SCORES.items()} | {
        "ada": "",
        "gus": "",
        "mia": "1.00",
        "noa": "EX",
    }
    content = written(graded_class, *options, "--missing", "zero")
    assert ",mia,Tue,0\n" in content
    assert ",noa,Tue,EX\n" in content


def test_nobody_is_missing_before_it_is_due(course: Path) -> None:
    options = ("json", "--pending", "zero", "--missing", "zero")

    def score(student: str) -> float | None:
        marks = json.loads(written(course, *options))["marks"]
        (found,) = [one["score"] for one in marks if one["student"] == student]
        return found

    with (course / "extensions.csv").open("a", encoding="utf-8") as file:
        file.write(f"mia,{NAME},2999-01-01T12:00\n")
    assert score("mia") is None
    (course / "extensions.csv").write_text(EXTENSIONS, encoding="utf-8")
    assert score("mia") == 0.0
    with gradebook(course) as book:
        book.update_or_create_assignment(NAME, duedate="2999-01-01 12:00:00 UTC")
    assert score("mia") is None


@pytest.mark.parametrize(
    ("exporter", "traits", "form", "options"),
    [
        (
            "Canvas",
            ("template=canvas.csv", "pending=omit", "missing=zero"),
            "canvas",
            ("--pending", "omit", "--missing", "zero"),
        ),
        (
            "Moodle",
            ("template=moodle.csv", "pending=zero", "columns=01-line-fitting=Grade"),
            "moodle",
            ("--pending", "zero", "--column", f"{NAME}=Grade"),
        ),
        ("Json", ("pending=zero",), "json", ("--pending", "zero")),
        (
            "Csv",
            ("pending=zero", "by_student=True", "for_excel=True"),
            "csv",
            ("--pending", "zero", "--by", "student", "--for-excel"),
        ),
    ],
)
def test_nbgraders_export_writes_the_same(
    graded_class: Path,
    monkeypatch: pytest.MonkeyPatch,
    exporter: str,
    traits: tuple[str, ...],
    form: str,
    options: tuple[str, ...],
) -> None:
    monkeypatch.chdir(graded_class)
    Path("canvas.csv").write_text(TEMPLATE, encoding="utf-8")
    Path("moodle.csv").write_text(WORKSHEET, encoding="utf-8")
    app = ExportApp()
    given = [f"--{exporter}.{trait}" for trait in traits]
    app.initialize([f"--exporter=autograder.export.plugins.{exporter}", *given, "--to", "theirs"])
    app.start()
    filled = ("--template", f"{form}.csv") if form in ("canvas", "moodle") else ()
    ours = written(graded_class, form, *filled, *options)
    assert Path("theirs").read_bytes().decode("utf-8") == ours


def test_nbgrader_reads_the_template_from_the_course_and_says_what_is_wrong(
    run: Any, course: Path
) -> None:
    with (course / "course_config.py").open("a", encoding="utf-8") as config:
        config.write('c.Canvas.template = "canvas.csv"\nc.Canvas.pending = "zero"\n')
    (course / "canvas.csv").write_text(TEMPLATE, encoding="utf-8")
    command = ("nbgrader", "export", "--exporter=autograder.export.plugins.Canvas")
    done = run(*command, "--student=['ada']", f"--assignment=['{NAME}']", cwd=course)
    assert done.returncode == 0, done.stderr
    assert ",ada,Mon,4\n" in (course / "canvas.csv").with_name("canvas-filled.csv").read_text(
        "utf-8"
    )
    (course / "canvas.csv").write_text(TEMPLATE.replace("7.00", "8.00"), encoding="utf-8")
    done = run(*command, cwd=course)
    assert done.returncode == 1
    assert "is worth 7 points here and 8" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_whoever_handed_in_alone_and_in_a_group_is_refused(course: Path) -> None:
    hand_in(course, "eve", all_right(course, "eve"), "2026-11-20 09:00:00 UTC")
    said = refused(course, "json", "--pending", "zero")
    assert "handed in twice for one student, alone and in a group: eve by" in said


def test_a_member_who_is_excused_is_so_where_the_group_handed_nothing_in(course: Path) -> None:
    roster = course / "roster.csv"
    roster.write_text(roster.read_text("utf-8") + "hal,Hal,,,g2\nivy,Ivy,,,g2\n", encoding="utf-8")
    with (course / "extensions.csv").open("a", encoding="utf-8") as file:
        file.write(f"ivy,{NAME},excused\n")
    marks = json.loads(written(course, "json", "--pending", "zero"))["marks"]
    assert {one["student"]: one["status"] for one in marks if one["submitted_by"] == "g2"} == {
        "hal": "missing",
        "ivy": "excused",
    }


def test_what_was_handed_in_again_is_told(course: Path) -> None:
    hand_in(course, "ben", all_right(course, "ben"), "2026-11-21 09:00:00 UTC")
    said = export(course, "json", "--pending", "zero")
    assert "handed in again since the last grading: ben\n" in said


def test_points_of_which_no_verdict_is_known_wait_too(course: Path) -> None:
    (course / "autograded" / "ada" / f"{NAME}.json").unlink()
    assert f"ada, {NAME}: 3 points wait" in refused(course, "json")


def test_a_gradebook_of_other_points_is_refused(course: Path) -> None:
    edit(course / SOURCE, '"predict" points=2', '"predict" points=4')
    said = refused(course, "json", "--pending", "zero")
    assert "worth 9 points in its notebook and 7 in the gradebook" in said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("canvas",), "name it with --template"),
        (("json", "--template", "canvas.csv"), "is written anew"),
        (("json", "--for-excel"), "are choices of csv alone"),
        (("json", "--assignment", "01-line"), f"Did you mean '{NAME}'?"),
        (("canvas", "--template", "x.csv", "--column", "55"), "it is NAME=TITLE"),
        (("canvas", "--template", "x.csv", "--column", "01-x=55"), "no assignment '01-x'"),
        (("json", "--student", "adda"), "Did you mean 'ada'?"),
    ],
)
def test_a_wrong_command_is_told(graded_class: Path, options: Any, why: str) -> None:
    assert why in refused(graded_class, *options, "--pending", "zero")


def test_the_template_is_not_written_over(graded_class: Path) -> None:
    said = refused(graded_class, "canvas", "--template", graded_class / "out")
    assert "is the template itself" in said


def test_one_student_or_a_group_alone(graded_class: Path) -> None:
    marks = json.loads(written(graded_class, "json", "--student", "g1", "--student", "ben"))
    assert [one["student"] for one in marks["marks"]] == ["ben", "eve", "fay"]


def test_a_class_in_which_nothing_was_handed_in(make_line_fitting: Any, tmp_path: Path) -> None:
    root = make_line_fitting(tmp_path / "new")
    assert "There is nothing to export" in refused(root, "json")
