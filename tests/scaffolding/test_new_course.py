"""A new course runs at once, in a folder of its own; a new assignment finds its place in one."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from autograder.build.source_notebook import reference_notebook
from autograder.course import CourseError, load_course
from autograder.proof.notebooks import paste
from autograder.scaffolding import new_assignment, new_course, new_exercise
from autograder.scaffolding.filling import IMPORTS

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
FIRST = "01-first-steps"


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    new_course(tmp_path / "taught")
    return tmp_path / "taught"


def hand_in(root: Path, student: str, answer: str | None = None) -> None:
    """Hand in what was released, the solution pasted in or one answer in its place."""
    course = load_course(root)
    notebook = nbformat.read(root / "release" / FIRST / f"{FIRST}.ipynb", as_version=4)
    paste(notebook, reference_notebook(course, course.assignment(FIRST), student))
    for cell in notebook.cells:
        if answer and cell.source.startswith("def centred"):
            cell.source = answer
    folder = root / "submitted" / student / FIRST
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{FIRST}.ipynb")


def test_a_new_course_is_released_proved_and_graded_at_once(tmp_path: Path, run_in: Run) -> None:
    root = tmp_path / "taught"
    root.mkdir()
    made = run_in(root, "autograder", "new", "course", ".")
    assert made.returncode == 0, made.stderr
    assert "cd " not in made.stdout
    assert "TODO" not in "".join(path.read_text("utf-8") for path in root.rglob("*.*"))

    released = run_in(root, "autograder", "release")
    assert "2 exercises, 3 points" in released.stdout, released.stderr
    proved = run_in(root, "autograder", "validate", "--mutants", "some")
    assert proved.returncode == 0, proved.stdout + proved.stderr
    told = " ".join(proved.stdout.split())
    for line in (
        "8 mistakes: 8 caught, 8 named by their own slug; 5 fail a visible check, 1 pass all and "
        "cost less than a fifth of the marks, 0 pass all and cost more. 3 variants: 3 kept full",
        "0 judged wrongly",
        "0 problems",
        "0 secrets",
    ):
        assert line in told
    tests = run_in(root, "pytest", "-q", "-p", "no:cacheprovider")
    assert "2 passed" in tests.stdout, tests.stdout

    hand_in(root, "ada")
    hand_in(root, "ben", "def centred(x):\n    return x - x.mean()")
    graded = run_in(root, "autograder", "grade", "--json", "marks.json")
    assert graded.returncode == 0, graded.stderr
    ada, ben = json.loads((root / "marks.json").read_text("utf-8"))["submissions"]
    assert (ada["score"], ada["max_score"]) == (3, 3)
    assert 1 <= ben["score"] < 2
    assert "mean-of-everything" in json.dumps(ben)
    assert "not each row's own" not in json.dumps(ada)
    fed = run_in(root, "autograder", "feedback")
    assert "2 feedback pages written, 0 failed" in fed.stdout, fed.stderr


def test_its_python_is_tidy(taught: Path) -> None:
    for command in (["check"], ["format", "--check", "--diff"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
            cwd=taught,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


def test_only_an_empty_folder_becomes_a_course(tmp_path: Path, taught: Path) -> None:
    with pytest.raises(CourseError, match="is not empty"):
        new_course(taught)
    (tmp_path / "file").write_text("")
    with pytest.raises(CourseError, match="is not empty"):
        new_course(tmp_path / "file")
    cloned = tmp_path / 'my "own" course'
    (cloned / ".git").mkdir(parents=True)
    new_course(cloned)
    assert load_course(cloned).config.CourseDirectory.course_id == 'my-"own"-course'


def test_a_new_assignment_has_the_next_number_and_a_question(taught: Path, run_in: Run) -> None:
    made = run_in(taught, "autograder", "new", "assignment", "layer-norm")
    assert made.returncode == 0, made.stderr
    name = "02-layer-norm"
    assert f"assignments/{name}/{name}.py" in made.stdout
    assignment = load_course(taught).assignment(name)
    assert [one.name for one in assignment.exercises] == ["q1"]
    released = run_in(taught, "autograder", "release", name)
    assert "1 exercise, 1 point" in released.stdout, released.stderr
    left = run_in(taught, "autograder", "validate", name)
    assert left.returncode == 1
    assert f"{name} is not proved until these are written" in left.stdout
    assert "quiz.toml, line" in left.stdout


def test_a_new_assignment_works_with_what_others_do(tmp_path: Path) -> None:
    taught = tmp_path / "taught"
    new_course(taught, "torch")

    def imports(name: str) -> str:
        return (taught / "solutions" / name / "reference.py").read_text(encoding="utf-8")

    new_assignment(load_course(taught), "one")
    assert IMPORTS["numpy"] in imports("one")
    for name in ("two", "three", "four"):
        new_assignment(load_course(taught), name, "torch")
    new_assignment(load_course(taught), "09-five")
    assert IMPORTS["torch"] in imports("five")
    new_assignment(load_course(taught), "six")
    assert list(load_course(taught).sources)[-2:] == ["09-five", "10-six"]


def test_torch_is_refused_where_students_do_not_have_it(taught: Path) -> None:
    with pytest.raises(CourseError, match="Students of this course have no torch"):
        new_assignment(load_course(taught), "one", "torch")
    with pytest.raises(CourseError, match="Students of this course have no torch"):
        new_exercise(load_course(taught), "01-first-steps", "Layer")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("7-norms", "cannot be an assignment's name"),
        ("Layer Norm", "cannot be an assignment's name"),
        ("02-2d", "cannot be an assignment's name"),
        ("tests", "cannot be an assignment's name"),
        ("02-first-steps", "01-first-steps has the folders 'first_steps' already"),
        ("../elsewhere", "cannot be an assignment's name"),
    ],
)
def test_what_cannot_be_an_assignment_is_refused(taught: Path, name: str, told: str) -> None:
    before = sorted(taught.rglob("*"))
    with pytest.raises(CourseError, match=told):
        new_assignment(load_course(taught), name)
    assert sorted(taught.rglob("*")) == before
