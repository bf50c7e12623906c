"""How each platform starts its harness, and the marks that its results tell."""

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xmlschema
import yaml
from gradescope_container import BUILD, DEBIAN, System, unpacked
from gradescope_format import faults_of
from nbformat import NotebookNode, write
from result_schemas import assert_classroom50, assert_valid

from benchmarks.harness import TESTS
from benchmarks.harness.containers import Machine, Took, wheels_for
from benchmarks.harness.handed_in import Home, Marks, hand_in, marks_in, marks_of

JUNIT = xmlschema.XMLSchema(TESTS / "commands" / "junit_of_pytest.xsd")
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "PIP_NO_CACHE_DIR": "1"}
RUNNER = """
ARG BASE
FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends \
    python3-venv python3-pip libstdc++6 git
RUN python3 -m venv /venv && chmod -R a+rwX /venv
ENV PATH=/venv/bin:/usr/bin:/bin HOME=/tmp
"""
SECRET = "what this benchmark draws hidden inputs from"
RUNS_AS_USER = ("--user", "1001:1001")


@dataclass(frozen=True)
class Run:
    """What came of handing in on a platform.

    Attributes:
        platform: its name.
        where: system, Python and user.
        course: the course's kind.
        handed: what was handed in.
        equal: whether the marks are those at home.
        took: what it took.
    """

    platform: str
    where: str
    course: str
    handed: str
    equal: bool
    took: Took


def gradescope(machine: Machine, home: Home, folder: Path, base: System) -> Iterator[Run]:
    """The zip, set up by its own setup.sh, and run for each notebook."""
    zip_file, name = folder / "autograder.zip", home.kind.assignment
    home.autograder("harness", "gradescope", "--assignment", name, "--output", zip_file)
    context = folder / "context"
    source = unpacked(zip_file, context / "source")
    wheels_for(base, source / "requirements.txt", context / "wheels")
    (context / "Containerfile").write_text(BUILD)
    image = machine.image(f"gradescope-{folder.name}", base, context, "--network=host")
    shutil.rmtree(context)
    student = "ada@uni.example"
    for handed, notebook in home.notebooks(student).items():
        took, marks = gradescope_run(machine, image, home, notebook, student, folder, "4g")
        where = f"{base.name}, Python {base.release}, root"
        equal = marks == home.marks({student: notebook})[student]
        yield Run("Gradescope", where, home.kind.name, handed, equal, took)


def gradescope_run(
    machine: Machine,
    image: str,
    home: Home,
    notebook: NotebookNode,
    student: str,
    folder: Path,
    memory: str,
) -> tuple[Took, Marks | None]:
    """One submission; no marks where there is no results.json."""
    job = fresh(folder / "job")
    (job / "submission").mkdir()
    write(notebook, job / "submission" / f"{home.kind.assignment}.ipynb")
    users = {"users": [{"id": 7, "email": student, "name": "Ada"}]}
    (job / "submission_metadata.json").write_text(json.dumps(users))
    (job / "results").mkdir()
    bound = [
        f"--volume={job / name}:/autograder/{name}"
        for name in ("submission", "submission_metadata.json", "results")
    ]
    took = machine.run(image, "/autograder/run_autograder", memory, *bound)
    file = job / "results" / "results.json"
    if not file.exists():
        return took, None
    results = json.loads(file.read_text(encoding="utf-8"))
    assert faults_of(results) == []
    marks = marks_of(results["extra_data"]["autograder"])
    assert marks["score"] == results["score"]
    return took, marks


def prairielearn(machine: Machine, home: Home, folder: Path) -> Iterator[Run]:
    """The external grader's image, built from its own Containerfile."""
    home.autograder("harness", "prairielearn", "--output", folder / "harness")
    context = folder / "harness" / "image"
    wheels_for(DEBIAN, context / "requirements.txt", folder / "wheels")
    options = "--no-index --find-links /wheels"
    image = machine.image(
        f"prairielearn-{folder.name}",
        runner(machine, folder),
        context,
        "--network=none",
        f"--volume={folder / 'wheels'}:/wheels",
        f"--build-arg=PIP_OPTIONS={options}",
    )
    student, name = "student", home.kind.assignment
    question = json.loads((folder / "harness/questions" / name / "info.json").read_text())
    entry = " ".join(question["externalGradingOptions"]["entrypoint"])
    for handed, notebook in home.notebooks(student).items():
        job = fresh(folder / "job")
        (job / "student").mkdir()
        write(notebook, job / "student" / f"{name}.ipynb")
        took = machine.run(image, entry, "4g", f"--volume={job}:/grade")
        results = json.loads((job / "results" / "results.json").read_text(encoding="utf-8"))
        assert_valid(results, "prairielearn_results")
        there = results["points"] | {one["name"]: one["points"] for one in results["tests"]}
        equal = there == home.marks({student: notebook})[student]
        yield Run("PrairieLearn", on(DEBIAN, "root"), home.kind.name, handed, equal, took)


def classroom50(machine: Machine, home: Home, folder: Path) -> Iterator[Run]:
    """The entry with graders, which installs what it needs each time."""
    home.autograder("harness", "classroom50", "--with-graders", "--output", folder / "harness")
    name, student = home.kind.assignment, "ada"
    own = folder / "harness" / "autograders" / name
    wheels_for(DEBIAN, own / "requirements.txt", folder / "wheels")
    image = runner(machine, folder).image
    opened(folder / "harness")
    for handed, notebook in home.notebooks(student).items():
        job = fresh(folder / "job")
        shutil.copytree(home.root / "release" / name, job, dirs_exist_ok=True)
        write(notebook, job / f"{name}.ipynb")
        opened(job)
        given = {
            "CLASSROOM": "class",
            "ASSIGNMENT": "one",
            "SUBMISSION_TAG": "submit/2026-11-25T10-00-00Z-abcdef0",
            "COMMIT_URL": "https://example.org/commit",
            "RELEASE_URL": "https://example.org/release",
            "OWNER": student,
        }
        bound = [f"--volume={job}:/checkout", f"--volume={own}:/entry", "--workdir=/checkout"]
        bound += [f"--volume={folder / 'wheels'}:/wheels", *variables(OFFLINE | given)]
        took = machine.run(image, "python /entry/autograder.py", "4g", *bound, *RUNS_AS_USER)
        assert (job / "result.json").exists(), took.said
        result = json.loads((job / "result.json").read_text(encoding="utf-8"))
        assert_classroom50(result)
        there = {one["test-name"].partition(" ")[0]: one["points"] for one in result["tests"]}
        there |= {"score": result["score"] / 100}
        at_home = home.marks({student: notebook})[student]
        equal = there == {name: at_home[name] for name in at_home if name in there}
        yield Run("Classroom 50", on(DEBIAN, "user"), home.kind.name, handed, equal, took)


def workflow(
    machine: Machine, home: Home, folder: Path, platform: str, script_of: Callable[[Path], str]
) -> Iterator[Run]:
    """A workflow of CI, which grades a whole class: its steps, one after the other."""
    home.autograder("harness", platform, "--output", folder / "harness")
    root = fresh(folder / "job")
    for part in ("assignments", "solutions", "graders"):
        shutil.copytree(home.root / part, root / part)
    shutil.copy(home.root / "course_config.py", root)
    shutil.copy(home.root / "nbgrader_config.py", root)
    shutil.copytree(folder / "harness" / "course-repository", root, dirs_exist_ok=True)
    wheels_for(DEBIAN, root / "ci" / "requirements.txt", folder / "wheels")
    class_of = {
        kind.replace(" ", "-"): home.notebooks(kind.replace(" ", "-"))[kind]
        for kind in home.notebooks("")
    }
    for student, notebook in class_of.items():
        hand_in(root, student, home.kind.assignment, notebook)
    (root / "steps.sh").write_text(script_of(root))
    opened(root)
    secret = {"AUTOGRADER_SECRET": SECRET, "GITHUB_STEP_SUMMARY": "/dev/null"}
    bound = [f"--volume={root}:/work", "--workdir=/work", *variables(OFFLINE | secret)]
    bound += [f"--volume={folder / 'wheels'}:/wheels"]
    is_user = platform == "github"
    bound += RUNS_AS_USER if is_user else ()
    took = machine.run(runner(machine, folder).image, "bash steps.sh", "4g", *bound)
    assert (root / "results" / "marks.json").exists(), took.said
    JUNIT.validate(root / "results" / "junit.xml")
    os.environ["AUTOGRADER_SECRET"] = SECRET
    try:
        equal = marks_in(root / "results" / "marks.json") == home.marks(class_of)
    finally:
        del os.environ["AUTOGRADER_SECRET"]
    name = {"github": "GitHub Actions", "gitlab": "GitLab CI"}[platform]
    where = on(DEBIAN, "user" if is_user else "root")
    yield Run(name, where, home.kind.name, f"a class of {len(class_of)}", equal, took)


def github_script(root: Path) -> str:
    """The steps of GitHub's workflow that are commands."""
    (job,) = yaml.safe_load((root / ".github/workflows/grade.yml").read_text())["jobs"].values()
    return "\n".join(f"(set -e\n{step['run']})" for step in job["steps"] if "run" in step)


def gitlab_script(root: Path) -> str:
    """The script of GitLab's job."""
    job = yaml.safe_load((root / ".gitlab-ci.yml").read_text())["grade"]
    return "\n".join(["set -eo pipefail", *job["script"]])


def runner(machine: Machine, folder: Path) -> System:
    """Debian with a virtual environment that everybody may write to, as hosted machines have it."""
    context = folder / "runner"
    context.mkdir(exist_ok=True)
    (context / "Containerfile").write_text(RUNNER)
    image = machine.image("runner", DEBIAN, context, "--network=host")
    return Built(**vars(DEBIAN), built=image)


@dataclass(frozen=True)
class Built(System):
    """A system with more in it.

    Attributes:
        built: the image.
    """

    built: str = ""

    @property
    def image(self) -> str:
        """The image of it."""
        return self.built


def on(base: System, user: str) -> str:
    """System, Python and user in words."""
    return f"{base.name}, Python {base.release}, {user}"


def variables(given: dict[str, Any]) -> list[str]:
    """Variables as Podman takes them."""
    return [f"--env={name}={value}" for name, value in given.items()]


def fresh(folder: Path) -> Path:
    """The folder, emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def opened(folder: Path) -> None:
    """Let every user read and write what is in a folder."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode | stat.S_IRWXO & (0o777 if path.is_dir() else 0o666))
