"""Bad input to the commands: each case is told to a person, and nothing is lost."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, SOURCE, edit, hand_in, keep
from small_curriculum import perfect

from autograder.sandbox.gpu import why_no_gpu

pytestmark = pytest.mark.slow


@pytest.fixture
def course(make_line_fitting: Callable[[Path], Path], tmp_path: Path) -> Path:
    root = make_line_fitting(tmp_path / "course")
    keep(root, "predict", "mean_squared_error")
    return root


@pytest.fixture
def submission(course: Path) -> Path:
    """A perfect student's folder in the course."""
    return hand_in(course, "ada", perfect(course, NAME))


def told(done: Any, *words: str, status: int = 2) -> None:
    """The command failed with one message that holds these words, and no traceback."""
    assert done.returncode == status, done.stderr
    said = " ".join(done.stderr.split())
    for word in words:
        assert word in said
    assert "Traceback" not in done.stderr


def test_nothing_submitted(run: Any, course: Path) -> None:
    told(run("autograder", "grade", cwd=course), "nothing to grade", "STUDENT/ASSIGNMENT")


def test_an_unknown_assignment(run: Any, course: Path) -> None:
    done = run("autograder", "grade", "01-linefitting", cwd=course)
    told(done, "no assignment '01-linefitting'", f"Did you mean '{NAME}'?")


def test_a_student_who_handed_nothing_in(run: Any, course: Path, submission: Path) -> None:
    done = run("autograder", "grade", "--student", "adda", cwd=course)
    told(done, "nothing to grade", "of adda", "Did you mean 'ada'?")


def test_an_exercise_declared_wrongly(run: Any, course: Path, submission: Path) -> None:
    edit(course / SOURCE, 'exercise="predict" points=', 'exercise="predict" worth=')
    done = run("autograder", "grade", cwd=course)
    told(done, f"{NAME}.py: the cell of 'predict' needs points")
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_that_is_no_course(run: Any, tmp_path: Path) -> None:
    for command in ("grade", "release", "validate", "demo"):
        told(run("autograder", command, cwd=tmp_path), "holds no course_config.py", "--course")


def test_a_misspelt_setting(run: Any, course: Path) -> None:
    with (course / "course_config.py").open("a") as config:
        config.write("c.SandboxPolicy.mod = 'none'\n")
    done = run("autograder", "grade", cwd=course)
    told(done, "SandboxPolicy has no setting 'mod'", "Did you mean 'mode'?")


def test_an_unknown_command_and_a_wrong_option(run: Any, course: Path) -> None:
    told(run("autograder", "grad", cwd=course), "No such command 'grad'", "'grade'")
    told(run("autograder", "grade", "--sandbox", "off", cwd=course), "'off' is not one of")
    told(run("autograder", "grade", "--workers", "0", cwd=course), "--workers")


@pytest.mark.parametrize("form", ["--json", "--junit", "--summary"])
def test_a_place_for_marks_that_is_not_there(
    run: Any, course: Path, submission: Path, form: str
) -> None:
    done = run("autograder", "grade", form, "nowhere/marks", cwd=course)
    told(done, f"{form}: there is no folder", "nowhere")
    assert not (course / "gradebook.db").exists()


def test_a_gradebook_that_is_none(run: Any, course: Path, submission: Path) -> None:
    (course / "gradebook.db").write_text("no database " * 1000)
    done = run("autograder", "grade", cwd=course)
    told(done, "the gradebook cannot be used", "not a database", status=1)


@pytest.mark.skipif(why_no_gpu() is None, reason="a GPU is here")
def test_a_gpu_that_is_not_there(run: Any, course: Path, submission: Path) -> None:
    done = run("autograder", "grade", "--device", "cuda", cwd=course)
    told(done, "no NVIDIA GPU", "--device auto", status=1)


def test_a_misspelt_section(run: Any, course: Path) -> None:
    with (course / "course_config.py").open("a") as config:
        config.write("c.SubmissionLimit.call_seconds = 3\n")
    told(run("autograder", "grade", cwd=course), "there is no SubmissionLimit", "SubmissionLimits")


def grade(run: Any, course: Path, *options: str) -> tuple[Any, dict[str, dict[str, Any]]]:
    done = run("autograder", "grade", "--json", "marks.json", *options, cwd=course)
    marks = json.loads((course / "marks.json").read_text())
    return done, {one["student"]: one for one in marks["submissions"]}


def test_odd_names_and_missing_notebooks_do_not_stop_the_others(
    run: Any, course: Path, submission: Path
) -> None:
    """Not even with a gradebook that is not there yet and a release that was never built."""
    shutil.copytree(submission, course / "submitted" / "a*b" / NAME)
    (course / "submitted" / "empty" / NAME).mkdir(parents=True)
    (course / "submitted" / "file").mkdir()
    (course / "submitted" / "file" / NAME).write_text("not a folder")
    done, marks = grade(run, course)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert (marks["ada"]["status"], marks["ada"]["score"]) == ("graded", 4.0)
    reasons = {name: one["reason"] for name, one in marks.items() if name != "ada"}
    assert reasons == {
        "a*b": "bad_name",
        "empty": "missing_notebook",
        "file": "bad_notebook",
    }
    assert "1 graded, 3 ungraded" in done.stdout
    for name in reasons:
        assert name in done.stdout


@pytest.mark.parametrize("policy", ["fallback", "none"])
def test_weaker_sandboxes_give_the_same_marks_and_say_so(
    run: Any, course: Path, submission: Path, policy: str
) -> None:
    done, marks = grade(run, course, "--sandbox", policy)
    assert marks["ada"]["score"] == 4.0
    held = json.loads((course / "marks.json").read_text())["sandbox"]
    assert held == {"fallback": "landlock+seccomp", "none": "none"}[policy]
    assert ("WARNING" in done.stderr) == (policy == "none")


def test_a_course_elsewhere(run: Any, course: Path, submission: Path, tmp_path: Path) -> None:
    done = run("autograder", "grade", "--course", course, "--json", "here.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "here.json").read_text())["submissions"][0]["score"] == 4.0
    assert (course / "gradebook.db").is_file()
