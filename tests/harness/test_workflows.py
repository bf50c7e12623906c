"""GitHub's and GitLab's workflows: valid by the platforms' schemas, and run step by step."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from line_fitting import NAME, all_right, cell_of, hand_in
from nbformat import NotebookNode

pytestmark = pytest.mark.slow

SECRET = "what these workflows draw hidden inputs from"
PIPELINE = ".gitlab-ci.yml"
GRADE = ".github/workflows/grade.yml"
CHECK = f".github/workflows/{NAME}.yml"
SCHEMAS = {
    "github": ("vendor.github-workflows", ".github/workflows/*.yml"),
    "gitlab": ("vendor.gitlab-ci", PIPELINE),
}
MEAN_LEFT_OUT = (
    "def mean_squared_error(predicted, actual):\n    return sum((predicted - actual) ** 2)"
)


@pytest.fixture(scope="module")
def course(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The second course as a private repository holds it: two students, and no notebook of one."""
    root = make_line_fitting(tmp_path_factory.mktemp("workflows") / "course")
    assert run("autograder", "release", cwd=root).returncode == 0
    hand_in(root, "ada", all_right(root, "ada"))
    hand_in(root, "ben", wrong(all_right(root, "ben")))
    unreadable = hand_in(root, "chloe", all_right(root, "chloe")) / f"{NAME}.ipynb"
    unreadable.write_text("no notebook")
    for platform in SCHEMAS:
        done = run("autograder", "harness", platform, "--output", platform, cwd=root)
        assert done.returncode == 0, done.stderr
    return root


def wrong(notebook: NotebookNode) -> NotebookNode:
    cell_of(notebook, "mean_squared_error").source = MEAN_LEFT_OUT
    return notebook


@pytest.fixture(scope="module")
def expected(run: Any, course: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The marks that `autograder grade` gives here, in the strongest sandbox."""
    root = repository(course, "", tmp_path_factory.mktemp("expected"))
    own = os.environ | {"PATH": path_of_programs(), "AUTOGRADER_SECRET": SECRET}
    command = [sys.executable, "-m", "autograder", "grade", "--json", "marks.json"]
    done = subprocess.run(command, cwd=root, env=own, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return json.loads((root / "marks.json").read_text())


def path_of_programs() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """The variables of a machine that has what the pinned versions name, but not the engine.

    Its packages are those of this environment, so that pip has nothing to fetch.
    """
    python = tmp_path / "machine"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", python], check=True)
    (packages,) = python.glob("lib/python*/site-packages")
    (packages / "here.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    path = f"{python}/bin{os.pathsep}{path_of_programs()}"
    beside_them = str(Path(sys.prefix) / "share" / "jupyter")  # nbconvert's templates
    return kept | {"PATH": path, "PIP_NO_INDEX": "1", "JUPYTER_PATH": beside_them}


def repository(course: Path, platform: str, folder: Path) -> Path:
    """A fresh clone of the private repository, with a platform's files in it."""
    root = folder / "repository"
    made = ("release", "github", "gitlab", "gradebook.db", ".autograder")
    copied = [f"--exclude=./{name}" for name in made]
    root.mkdir(parents=True)
    packed = subprocess.run(
        ["tar", "-c", *copied, "."], cwd=course, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x"], cwd=root, check=True, input=packed.stdout)
    if platform:
        own = course / platform / "course-repository"
        subprocess.run(["cp", "-r", f"{own}/.", root], check=True)
    return root


def with_fallback(root: Path) -> None:
    """Grade there as on hosted machines, which allow no namespaces."""
    with (root / "course_config.py").open("a") as config:
        config.write('\nc.SandboxPolicy.mode = "fallback"\n')


def github_steps(file: Path, secret: str) -> Iterator[tuple[str, dict[str, str], bool]]:
    """What a workflow runs, in order: a script, its variables, whether a failure leaves it out."""
    (job,) = yaml.safe_load(file.read_text())["jobs"].values()
    place = job.get("defaults", {}).get("run", {}).get("working-directory", ".")
    for step in job["steps"]:
        if "run" not in step:
            assert "@" in step["uses"]
            assert len(step["uses"].partition("@")[2]) == 40  # a commit, which nobody can move
            continue
        secrets = dict.fromkeys(step.get("env", {}), "${{ secrets.AUTOGRADER_SECRET }}")
        assert step.get("env", {}) == secrets
        variables = dict.fromkeys(secrets, secret)
        yield f"cd {place}\n{step['run']}", variables, "!cancelled()" not in step.get("if", "")


def run_github(
    file: Path, root: Path, machine: dict[str, str], secret: str = SECRET
) -> tuple[int, str]:
    """Run a workflow as GitHub does; gives its status and what it said."""
    summary = machine | {"GITHUB_STEP_SUMMARY": str(root / "shown.md")}
    status, said = 0, ""
    for script, variables, is_skipped in github_steps(file, secret):
        if status and (is_skipped or not (root / "results" / "marks.json").exists()):
            continue
        done = shell(["bash", "-e", "-c", script], root, summary | variables)
        status, said = status or done.returncode, said + done.stdout
    return status, said


def run_gitlab(job: str, root: Path, machine: dict[str, str], **variables: str) -> tuple[int, str]:
    """Run a job as GitLab does; gives its status and what it said."""
    jobs = yaml.safe_load((root / PIPELINE).read_text())
    whole = jobs.get(jobs[job].get("extends"), {}) | jobs[job]
    own = machine | whole.get("variables", {}) | variables
    script = "\n".join(["set -eo pipefail", *whole["script"]])
    done = shell(["bash", "-c", script], root, own)
    return done.returncode, done.stdout


def shell(
    command: list[str], root: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    together = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run(command, cwd=root, env=variables, timeout=300, **together)


def graded_alike(root: Path, expected: dict[str, Any]) -> None:
    """What a workflow wrote has the marks of `autograder grade`, in each of its three forms."""
    marks = json.loads((root / "results" / "marks.json").read_text())
    assert marks["sandbox"] == "landlock+seccomp"
    assert without_times(marks) == without_times(expected)
    summary = (root / "results" / "summary.md").read_text()
    suites = list(ElementTree.parse(root / "results" / "junit.xml").getroot())
    for submission, suite in zip(marks["submissions"], suites, strict=True):
        told = {one.get("name"): one.get("value") for one in suite.iter("property")}
        assert suite.get("name") == f"{submission['student']}/{NAME}"
        who = f"| <code>{submission['student']}</code> | <code>{NAME}</code> |"
        if submission["status"] == "ungraded":
            assert suite.find("testcase/error") is not None
            assert f"{who} ungraded |" in summary
            continue
        score, most = submission["score"], submission["max_score"]
        assert told["score"] == str(score)
        assert f"{who} {score:g} / {most:g} |" in summary
        tests = [test for one in submission["exercises"].values() for test in one["tests"]]
        for tag, outcome in (("failure", "failed"), ("skipped", "pending")):
            found = len(suite.findall(f"testcase/{tag}"))
            assert found == sum(test["outcome"] == outcome for test in tests)
        page = root / "feedback" / submission["student"] / NAME / f"{NAME}.html"
        assert page.is_file()


def without_times(marks: dict[str, Any]) -> list[dict[str, Any]]:
    return [one | {"seconds": 0} for one in marks["submissions"]]


@pytest.mark.parametrize("platform", SCHEMAS)
def test_they_are_valid_by_the_platforms_own_schema(course: Path, platform: str) -> None:
    schema, pattern = SCHEMAS[platform]
    files = sorted((course / platform).glob(f"*/{pattern}"))
    assert len(files) == 2
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    transform = ["--data-transform", "gitlab-ci"] if platform == "gitlab" else []
    done = subprocess.run([*check, *transform, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    files[0].write_text(broken := files[0].read_text().replace("timeout", "time_out"))
    try:
        assert subprocess.run([*check, *transform, *files], capture_output=True).returncode == 1
    finally:
        files[0].write_text(broken.replace("time_out", "timeout"))


def test_github_grades_as_autograder_grade_does(
    course: Path, expected: dict[str, Any], machine: dict[str, str], tmp_path: Path
) -> None:
    root = repository(course, "github", tmp_path)
    with_fallback(root)
    status, said = run_github(root / GRADE, root, machine)
    assert status == 1, said  # chloe was not graded
    assert (root / "shown.md").read_text() == (root / "results" / "summary.md").read_text()
    graded_alike(root, expected)


def test_gitlab_grades_as_autograder_grade_does(
    course: Path, expected: dict[str, Any], machine: dict[str, str], tmp_path: Path
) -> None:
    root = repository(course, "gitlab", tmp_path)
    with_fallback(root)
    status, said = run_gitlab("grade", root, machine, AUTOGRADER_SECRET=SECRET)
    assert status == 1, said
    graded_alike(root, expected)


def test_a_missing_secret_is_told_before_anything_else(
    course: Path, machine: dict[str, str], tmp_path: Path
) -> None:
    root = repository(course, "github", tmp_path / "github")
    status, said = run_github(root / GRADE, root, machine, secret="")
    assert (status, said.count("AUTOGRADER_SECRET is missing. Add it")) == (1, 1)
    root = repository(course, "gitlab", tmp_path / "gitlab")
    status, said = run_gitlab("grade", root, machine)
    assert (status, said.count("AUTOGRADER_SECRET is missing. Add it")) == (1, 1)
    assert not list(tmp_path.rglob("secret"))


def test_nothing_handed_in_is_told(course: Path, machine: dict[str, str], tmp_path: Path) -> None:
    root = repository(course, "github", tmp_path)
    subprocess.run(["rm", "-r", root / "submitted"], check=True)
    status, said = run_github(root / GRADE, root, machine)
    assert status == 1
    assert "There is no folder submitted/. Commit it" in said
    assert not (root / "results").exists()


def test_the_printed_way_to_collect_takes_folders_and_follows_no_link(
    course: Path, course_root: Path, tmp_path: Path
) -> None:
    page = (course_root / "docs" / "ci" / "github.md").read_text()
    (lines,) = re.findall(r"^```text\n(while .*?)^```$", page, re.MULTILINE | re.DOTALL)
    theirs = tmp_path / "ada's own"
    (theirs / "notes").mkdir(parents=True)
    subprocess.run(["cp", "-r", course / "submitted" / "ada" / NAME, theirs], check=True)
    (theirs / "02-solutions").symlink_to(course / "solutions")
    git = ["git", "-C", theirs, "-c", "user.name=Ada", "-c", "user.email=ada@school.example"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Done"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "students.txt").write_text(f"ben {tmp_path}/nowhere\nada {theirs}\n")
    subprocess.run(["bash", "-euo", "pipefail", "-c", lines], cwd=tmp_path, check=True)
    assert (tmp_path / "collected" / "ada" / "02-solutions").is_symlink()
    found = [path.relative_to(tmp_path) for path in tmp_path.glob("submitted/*/*/*")]
    assert found == [Path("submitted", "ada", NAME, f"{NAME}.ipynb")]


@pytest.mark.parametrize("platform", SCHEMAS)
@pytest.mark.parametrize("right", [True, False])
def test_students_see_their_visible_checks_and_need_nothing_of_the_engine(
    run: Any, course: Path, machine: dict[str, str], tmp_path: Path, platform: str, right: bool
) -> None:
    root = tmp_path / "students"
    assert run("autograder", "release", "--publish", root, cwd=course).returncode == 0
    subprocess.run(["cp", "-r", f"{course / platform / 'student-repository'}/.", root], check=True)
    notebook = all_right(course, "ada")
    cell_of(notebook, "w1").source = "Because it is squared."
    answered = notebook if right else wrong(notebook)
    (root / NAME / f"{NAME}.ipynb").write_text(json.dumps(answered))
    if platform == "github":
        status, said = run_github(root / CHECK, root, machine)
    else:
        status, said = run_gitlab(NAME, root, machine)
    assert status == (0 if right else 1), said
    assert ("12 of 12 done" if right else "Next: mean_squared_error") in said
    for path in root.rglob("*.yml"):
        assert "secrets." not in path.read_text()


def test_what_another_wrote_is_not_replaced(run: Any, course: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = run("autograder", "harness", "github", "--output", tmp_path, cwd=course)
    assert (done.returncode, "is not empty" in done.stderr) == (2, True)
    (tmp_path / "mine").unlink()
    for _ in range(2):
        done = run("autograder", "harness", "github", "--output", tmp_path, cwd=course)
        assert done.returncode == 0, done.stderr
