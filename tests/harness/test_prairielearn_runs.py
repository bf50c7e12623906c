"""PrairieLearn's external grader, run in a plain folder as its container would be started."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, edit
from platform_class import GRADED, PLAIN_ID, broken_copy, make_class, marks
from result_schemas import assert_valid

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prairielearn")]


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return make_class(make_line_fitting, run, tmp_path_factory.mktemp("prairielearn") / "course")


@pytest.fixture(scope="module")
def harness(course: Path, run: Any) -> Path:
    output = course.parent / "harness"
    done = run("autograder", "harness", "prairielearn", "--output", output, cwd=course)
    assert done.returncode == 0, done.stderr
    assert f"Personal questions do not suit PrairieLearn: {NAME}" in done.stdout
    return output


def results(
    harness: Path, files: Path | None, folder: Path, environment: dict[str, str]
) -> dict[str, Any]:
    """What the entry writes of what a student handed in; the job's folder is PrairieLearn's."""
    job = folder / "grade"
    (job / "data").mkdir(parents=True)
    (job / "data" / "data.json").write_text('{"submitted_answers": {"_files": []}}')
    if files is None:
        (job / "student").mkdir()
    else:
        shutil.copytree(files, job / "student")
    question = json.loads((harness / "questions" / NAME / "info.json").read_text())
    program, *words = question["externalGradingOptions"]["entrypoint"]
    done = subprocess.run(
        [str(harness / "image" / Path(program).name), *words],
        env=environment | {"GRADE": str(job)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    written = (job / "results" / "results.json").read_bytes()
    assert len(written) <= 1_000_000
    found = json.loads(written)
    assert_valid(found, "prairielearn_results")
    return found | {"said": done.stdout + done.stderr}


@pytest.mark.parametrize("student", GRADED)
def test_the_marks_are_those_of_the_command(
    harness: Path, course: Path, tmp_path: Path, environment: dict[str, str], student: str
) -> None:
    entry = marks(course)[student]
    files = course / "submitted" / student / NAME
    found = results(harness, files, tmp_path, environment)
    # The personal question waits here, since PrairieLearn does not say whose notebook it is.
    told = {one["name"]: one for one in found["tests"]}
    personal = entry["exercises"]["k3"]
    others = {name: one for name, one in entry["exercises"].items() if name != "k3"}
    assert {name: told[name]["points"] for name in others} == {
        name: one["score"] for name, one in others.items()
    }
    assert found["points"]["score"] == entry["score"] - personal["score"]
    assert found["points"]["max_score"] == entry["max_score"]
    decided = sum(one["max_score"] - one["pending_points"] for one in others.values())
    decided -= others["normal_equation"]["max_score"]
    if student == "untouched":
        decided += personal["max_score"]  # it is not answered, which is the same for everybody
    assert found["score"] == pytest.approx(min(1.0, found["points"]["score"] / decided))


def test_whoever_writes_the_id_that_all_have_there_has_personal_questions_graded(
    harness: Path, course: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    asked = (harness / "questions" / NAME / "question.html").read_text(encoding="utf-8")
    assert f'student_id = "{PLAIN_ID}"' in asked
    entry = marks(course)[PLAIN_ID]
    found = results(harness, course / "submitted" / PLAIN_ID / NAME, tmp_path, environment)
    assert found["points"] == {
        name: entry[name] for name in ("score", "max_score", "pending_points")
    }
    assert found["score"] == 1.0


@pytest.mark.parametrize("student", ["unreadable", None])
def test_what_cannot_be_read_costs_no_attempt(
    harness: Path,
    course: Path,
    tmp_path: Path,
    environment: dict[str, str],
    student: str | None,
) -> None:
    files = None if student is None else course / "submitted" / student / NAME
    found = results(harness, files, tmp_path, environment)
    assert found["gradable"] is False
    assert "score" not in found
    assert "our mistake" not in found["format_errors"][0]


def test_a_broken_grader_costs_no_attempt_and_shows_nothing(
    harness: Path, course: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    broken = broken_copy(harness, tmp_path / "broken")
    files = course / "submitted" / "full" / NAME
    found = results(broken, files, tmp_path, environment)
    assert found["gradable"] is False
    assert "our mistake" in found["format_errors"][0]
    assert "3.25" not in json.dumps(found)
    assert "Judging predict failed by itself" in found["said"]


def test_where_nothing_can_be_started_the_entry_itself_says_so(
    harness: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").write_text("#!/bin/sh\nexit 1\n")
    (programs / "python3").chmod(0o755)
    path = f"{programs}{os.pathsep}{environment['PATH']}"
    found = results(harness, None, tmp_path, environment | {"PATH": path})
    assert found["gradable"] is False
    assert "our mistake" in found["format_errors"][0]


def test_a_question_says_how_it_is_graded(harness: Path) -> None:
    info = json.loads((harness / "questions" / NAME / "info.json").read_text(encoding="utf-8"))
    options = info["externalGradingOptions"]
    assert options["enabled"] is True
    assert options["enableNetworking"] is False
    assert 30 < options["timeout"] <= 600
    readme = (harness / "README.md").read_text(encoding="utf-8")
    assert "untested on the platform" in readme.lower()
    assert options["image"] in readme


def test_a_course_that_takes_longer_than_prairielearn_waits_is_refused(
    course: Path, run: Any, tmp_path: Path
) -> None:
    slow = tmp_path / "course"
    shutil.copytree(course, slow)
    old, new = "submission_seconds = 60", "submission_seconds = 600"
    edit(slow / "course_config.py", old, new)
    done = run("autograder", "harness", "prairielearn", "--output", tmp_path / "out", cwd=slow)
    assert done.returncode != 0
    assert "PrairieLearn waits 600 s" in done.stderr
