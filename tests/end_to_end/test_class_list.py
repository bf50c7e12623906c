"""A class with a roster: who is missing, whose marks are whose, who is late and who is not.

Everything is real: grading, nbgrader's own commands, its gradebook and its plugin for late
submissions.
"""

import json
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from gradebook_rows import query, url_of
from line_fitting import NAME, all_right, by_hand, gradebook, hand_in, keep
from traitlets.config import Config

from autograder.course import load_course
from autograder.marks import standing_of
from autograder.marks.absent import absent_of
from autograder.notebooks.submitted import find_submitted

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("class list")]

SETTINGS = f"""
c.HandIns.due = {{"{NAME}": "2026-11-20T13:00+01:00"}}
c.LateSubmissionPlugin.penalty_method = "zero"
"""
ROSTER = """\
id;Name;Email;Section;Group
ada;Ada Lovelace;ada@x.edu;A;
ann;"Bee, Ann";ann@x.edu;A;red
bob;Bob Ng;bob@x.edu;B;red
=cmd;Cy;;B;
dee;Dee <b>;dee@x.edu;B;
eve;Eve Xu;;B;
"""
EXTENSIONS = f"""\
student,assignment,until
bob,{NAME},2026-11-21T13:00+01:00
dee,{NAME},2026-12-24
eve,{NAME},excused
"""
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HANDED_IN = {"ada": "2026-11-20 12:00:01 UTC", "red": "2026-11-21 12:00:00 UTC"}


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """ada is a second late, red (ann and bob) a day and has one more; the others are missing.

    bee is in no roster, and dee's notebook lies in a folder of another name.
    """
    root = make_line_fitting(tmp_path_factory.mktemp("listed") / "course")
    with (root / "course_config.py").open("a", encoding="utf-8") as config:
        config.write(SETTINGS)
    keep(root, "predict", "mean_squared_error")
    (root / "roster.csv").write_bytes(b"\xef\xbb\xbf" + ROSTER.replace("\n", "\r\n").encode())
    (root / "extensions.csv").write_text(EXTENSIONS, encoding="utf-8")
    assert run("autograder", "release", NAME, cwd=root).returncode == 0
    for student, when in HANDED_IN.items():
        hand_in(root, student, all_right(root, student), when)
    hand_in(root, "adda", all_right(root, "adda"), "2026-11-20 11:00:00 UTC")
    hand_in(root, "dee", all_right(root, "dee")).rename(root / "submitted" / "dee" / "Homework1")
    return root


@pytest.fixture(scope="module")
def graded(course: Path, run: Any) -> tuple[Path, dict[str, Any], Any]:
    files = ("--json", "marks.json", "--junit", "junit.xml", "--summary", "summary.md")
    done = run("autograder", "grade", *files, cwd=course)
    assert (course / "marks.json").is_file(), done.stderr
    return course, json.loads((course / "marks.json").read_text()), done


def grade(root: Path, run: Any) -> dict[str, Any]:
    run("autograder", "grade", "--json", "marks.json", cwd=root)
    found = json.loads((root / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in found}


def students(root: Path) -> dict[str, tuple[str | None, ...]]:
    rows = query(url_of(root), "select id, first_name, last_name, email from student")
    return {row[0]: tuple(row[1:]) for row in rows}


def test_the_missing_and_the_excused_are_told_everywhere(graded: Any) -> None:
    course, marks, done = graded
    absent = {one["student"]: one["status"] for one in marks["absent"]}
    assert absent == {"=cmd": "missing", "dee": "missing", "eve": "excused"}
    assert "3 graded, 0 ungraded, 2 missing, 1 excused" in done.stdout
    (line,) = [line for line in done.stdout.splitlines() if line.split()[:1] == ["eve"]]
    assert line.split()[1:] == ["Eve", "Xu", NAME, "excused"]
    summary = (course / "summary.md").read_text()
    assert "2 missing, 1 excused" in summary
    assert "<code>dee</code> <code>Dee &#60;b&#62;</code>" in summary
    cases = ElementTree.parse(course / "junit.xml").iterfind("testsuite/testcase")
    skipped = {case.get("classname"): case[0].get("type") for case in cases if len(case)}
    assert skipped[f"eve/{NAME}"] == "excused"
    assert skipped[f"dee/{NAME}"] == "missing"


def test_a_missing_student_has_no_submission_in_nbgrader(graded: Any) -> None:
    course, _, _ = graded
    with gradebook(course) as book:
        assert {one.student.id for one in book.assignment_submissions(NAME)} == {
            "ada",
            "adda",
            "red",
        }


def test_what_reports_are_made_of_says_the_same_and_until_when(graded: Any) -> None:
    course = load_course(graded[0])
    standings = standing_of(course, [NAME])
    found = {one.student: (one.status, one.due) for one in standings}
    assert found == {
        "=cmd": ("missing", NOON),
        "ada": ("graded", NOON),
        "adda": ("graded", NOON),
        "dee": ("missing", datetime(2026, 12, 24, 23, 59, 59, 999999).astimezone()),
        "eve": ("excused", NOON),
        "red": ("graded", NOON + timedelta(days=1)),
    }
    submitted = find_submitted(course.folder("submitted"), [NAME])
    absent = [one for one in standings if one.status in ("missing", "excused")]
    assert absent_of(course, [NAME], submitted) == absent


def test_who_has_a_mark_by_hand_is_not_missing(graded: Any, tmp_path: Path) -> None:
    root = Path(shutil.copytree(graded[0], tmp_path / "course", symlinks=True))
    with gradebook(root) as book:  # as after an oral examination
        book.update_or_create_submission(NAME, "dee")
    assert "dee" in {one.student for one in absent_of(load_course(root), [NAME], [])}
    by_hand(root, "dee", "test_predict", manual_score=2.0)
    assert "dee" not in {one.student for one in absent_of(load_course(root), [NAME], [])}


def test_a_folder_that_is_no_assignment_is_named_with_what_is_meant(graded: Any) -> None:
    course, marks, done = graded
    assert done.returncode == 1
    assert "submitted/dee/Homework1: there is no such assignment" in done.stderr
    assert marks["misplaced"] == [
        {"path": "dee/Homework1", "why": "there is no such assignment", "near": NAME}
    ]
    assert "dee&#47;Homework1" in (course / "summary.md").read_text()


def test_who_is_not_in_the_roster_is_told_with_the_nearest_who_is(graded: Any) -> None:
    _, _, done = graded
    assert "roster.csv does not have 'adda' (did you mean 'ada'?)" in done.stderr


def test_a_groups_marks_are_all_its_members(graded: Any) -> None:
    _, marks, _ = graded
    (red,) = [one for one in marks["submissions"] if one["student"] == "red"]
    assert [(one["id"], one["name"], one["section"]) for one in red["people"]] == [
        ("ann", "Bee, Ann", "A"),
        ("bob", "Bob Ng", "B"),
    ]


def test_late_without_extension_gets_the_penalty_and_with_one_none(graded: Any) -> None:
    course, marks, _ = graded
    found = {one["student"]: (one["score"], one["late_penalty"]) for one in marks["submissions"]}
    assert found == {"ada": (0.0, 4.0), "adda": (4.0, 0.0), "red": (4.0, 0.0)}
    with gradebook(course) as book:
        assert book.find_submission(NAME, "ada").total_seconds_late == 1
        red = book.find_submission(NAME, "red")
        assert (red.total_seconds_late, red.extension.days) == (0, 1)


def test_points_given_after_grading_count_for_nobody_who_is_too_late_for_any(
    graded: Any, run: Any, tmp_path: Path
) -> None:
    """ada is late, and being late costs everything: whoever reads her mark next finds 0."""
    course = Path(shutil.copytree(graded[0], tmp_path / "course", symlinks=True))
    page = course / "feedback" / "ada" / NAME / f"{NAME}.html"
    more = iter(range(1, 9))

    def after_more(program: str, *command: str) -> str:
        by_hand(course, "ada", "test_predict", extra_credit=next(more) / 4)
        done = run(program, *command, cwd=course)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    after_more("autograder", "export", "json", "--pending", "zero", "--output", "marks.json")
    marks = {one["student"]: one["score"] for one in json.loads(read(course))["marks"]}
    assert marks["ada"] == 0
    assert "total" not in after_more("autograder", "grade", "--dry-run", "--student", "ada")
    assert "5 points are taken off" in after_more("autograder", "explain", "ada", NAME)
    after_more("autograder", "feedback", "--student", "ada")
    assert "<b>0</b> of 4 points" in page.read_text(encoding="utf-8")
    after_more("nbgrader", "generate_feedback", NAME, "--student", "ada", "--force")
    assert "<b>0</b> of 4 points" in page.read_text(encoding="utf-8")
    lines = [
        one for one in read(course, f".autograder/log/{NAME}.jsonl").splitlines() if "ada" in one
    ]
    assert ["late_penalty" in one for one in lines[-2:]] == [False, True]
    config = read(course, "course_config.py").replace("2026-11-20T13:00", "2026-11-20T13:01")
    (course / "course_config.py").write_text(config, encoding="utf-8")
    (now,) = [one for one in standing_of(load_course(course), [NAME]) if one.student == "ada"]
    assert now.total is not None
    assert (now.total.score, now.total.late_penalty) == (5.25, 0.0)


def read(course: Path, name: str = "marks.json") -> str:
    return (course / name).read_text(encoding="utf-8")


def test_the_plugin_that_the_docs_show_counts_days_by_the_calendar(
    graded: Any, run: Any, tmp_path: Path, course_root: Path
) -> None:
    """On 25 October 2026 the clock goes back in Berlin, and forth on 28 March 2027."""
    page = (course_root / "docs" / "class.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(from nbgrader.*?)```", page, re.DOTALL)
    settings = Config()
    exec(block, {"c": settings})
    alone = settings.AssignLatePenalties.plugin_class()
    taken = [alone.late_submission_penalty("ada", 20, one) for one in (1, 86400, 86401)]
    assert taken == [2, 2, 4]
    course = Path(shutil.copytree(graded[0], tmp_path / "course", symlinks=True))
    config = read(course, "course_config.py").replace(SETTINGS, "")
    config += f'c.HandIns.due = {{"{NAME}": "2026-10-24T18:00+02:00"}}\n'
    config += f'c.HandIns.time_zone = "Europe/Berlin"\n{block}'
    (course / "course_config.py").write_text(config, encoding="utf-8")
    (course / "extensions.csv").write_text(
        f"student,assignment,until\nadda,{NAME},2027-03-27T18:00\n", encoding="utf-8"
    )
    handed_in = {
        "ada": "2026-10-25 17:00:00 UTC",  # 18:00, 25 hours later
        "red": "2026-10-25 17:00:01 UTC",
        "adda": "2027-03-28 16:00:01 UTC",  # 18:00:01, 23 hours after 27 March, 18:00
    }
    for student, when in handed_in.items():
        (course / "submitted" / student / NAME / "timestamp.txt").write_text(when)
    expected = {"ada": 0.4, "red": 0.8, "adda": 0.8}
    marks = grade(course, run)
    assert {one: marks[one]["late_penalty"] for one in expected} == expected
    assert run("autograder", "feedback", "--student", "ada", cwd=course).returncode == 0
    ours = (course / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Handed in late: 0.4 points taken off." in ours
    assert (
        "Handed in 2026-10-25 18:00 UTC+01:00, 1 day 1 hour after it was due: "
        "2026-10-24 18:00 UTC+02:00." in ours
    )
    done = run("nbgrader", "autograde", NAME, cwd=course)
    assert done.returncode == 0, done.stderr
    with gradebook(course) as book:
        found = {
            one.assignment.student.id: one.late_submission_penalty
            for one in book.notebook_submissions(NAME, NAME)
        }
    assert found == expected
    done = run("nbgrader", "generate_feedback", NAME, "--student", "adda", "--force", cwd=course)
    assert done.returncode == 0, done.stderr
    theirs = (course / "feedback" / "adda" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "after it was due: 2027-03-27 18:00 UTC+01:00, with your extension." in theirs
    assert run("autograder", "release", cwd=course).returncode == 0
    start = read(course, "release/README.md")
    assert "| due |" in start
    assert "| 2026-10-24 18:00 UTC+02:00 |" in start


def test_nbgraders_own_autograde_gives_the_same(graded: Any, run: Any, tmp_path: Path) -> None:
    course = Path(shutil.copytree(graded[0], tmp_path / "course", symlinks=True))
    for name in ("gradebook.db", "autograded", ".autograder/granted", ".autograder/names.json"):
        path = course / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = run("nbgrader", "autograde", NAME, "--create", cwd=course)
    assert done.returncode == 0, done.stderr
    with gradebook(course) as book:
        scores = {one.student.id: one.score for one in book.assignment_submissions(NAME)}
        penalties = {
            one.assignment.student.id: one.late_submission_penalty
            for one in book.notebook_submissions(NAME, NAME)
        }
    assert scores == {"ada": 4.0, "adda": 4.0, "red": 4.0}
    assert penalties == {"ada": 4.0, "adda": None, "red": None}
    assert students(course) == students(graded[0])


def test_what_extensions_no_longer_say_is_taken_back_and_others_stay(
    graded: Any, run: Any, tmp_path: Path
) -> None:
    course = Path(shutil.copytree(graded[0], tmp_path / "course", symlinks=True))
    with gradebook(course) as book:
        book.grant_extension(NAME, "ada", hours=1)  # by hand
    granted = grade(course, run)
    assert (granted["ada"]["score"], granted["red"]["score"]) == (4.0, 4.0)
    (course / "extensions.csv").unlink()
    withdrawn = grade(course, run)
    assert (withdrawn["ada"]["score"], withdrawn["red"]["score"]) == (4.0, 0.0)


def test_names_stand_in_nbgrader_and_what_an_instructor_wrote_there_stays(
    graded: Any, run: Any, tmp_path: Path
) -> None:
    course = Path(shutil.copytree(graded[0], tmp_path / "course", symlinks=True))
    found = students(course)
    assert found["ada"] == ("Ada", "Lovelace", "ada@x.edu")
    assert found["red"] == ("Bee, Ann; Bob Ng", "red", "ann@x.edu; bob@x.edu")
    assert found["eve"] == ("Eve", "Xu", None)
    assert found["adda"] == (None, None, None)
    with gradebook(course) as book:
        book.update_or_create_student("ada", first_name="Augusta Ada")
    roster = (course / "roster.csv").read_text(encoding="utf-8-sig")
    roster = roster.replace("Ada Lovelace", "A. King").replace("Eve Xu", "Eve Xu-Ng")
    (course / "roster.csv").write_text(roster, encoding="utf-8")
    grade(course, run)
    found = students(course)
    assert found["ada"] == ("Augusta Ada", "King", "ada@x.edu")
    assert found["eve"] == ("Eve", "Xu-Ng", None)


def test_one_student_alone_hears_of_nobody_else(graded: Any, run: Any) -> None:
    done = run("autograder", "grade", "--student", "ada", cwd=graded[0])
    assert done.returncode == 0, done.stderr
    assert "missing" not in done.stdout
    assert "Homework1" not in done.stderr


def test_nothing_but_misplaced_work_is_told_with_where_it_lies(
    course: Path, run: Any, tmp_path: Path
) -> None:
    alone = Path(shutil.copytree(course, tmp_path / "course", symlinks=True))
    for student in ("ada", "adda", "red"):
        shutil.rmtree(alone / "submitted" / student)
    done = run("autograder", "grade", cwd=alone)
    assert done.returncode == 2
    assert "submitted/dee/Homework1" in done.stderr
    assert f"Is {NAME} meant?" in done.stderr
