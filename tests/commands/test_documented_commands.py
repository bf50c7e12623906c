"""Every command that README and docs print runs, or here stands why a test cannot run it."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.apps.nbgraderapp import NbGraderApp
from small_curriculum import keep_assignments

from autograder.commands import cli
from autograder.course import load_course

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
# tests/scaffolding/test_authoring_page.py and tests/end_to_end/test_a_term.py run what they print.
IN_A_COURSE_OF_ITS_OWN = ("authoring.md", "grading.md")
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
COMMENT = re.compile(r"(^|\s)#.*")
EXTRA = re.compile(r"\.\[(\w+)\]")
SHELL = {"", "sh"}  # a block that names no language is taken for commands
HELD = ("02-self-attention", "03-causal-masking")  # what the commands are tried with

NOT_RUN = {
    "make demo": "it installs; tests/end_to_end does the same with the sample class",
    "make test": "this test is part of it",
    "python3.11 -m venv .venv": "make has the same line",
    ".venv/bin/python -m pip install --constraint constraints.txt --editable '.[dev]'": (
        "it downloads for minutes; make has the same line"
    ),
    ".venv/bin/autograder demo": "make demo has the same line",
    '.venv/bin/python -m pytest -n auto --dist loadgroup -m "not slow"': "make test has it too",
    "pip install --constraint constraints.txt '.[course,cluster]'": "it downloads for minutes",
    "autograder grade --cluster tcp://10.0.0.1:8786": (
        "the address is the reader's; tests/faults/test_cluster.py grades on a real cluster"
    ),
    "autograder validate": "it takes minutes; CI runs it in `make check`",
    "autograder new exercise NAME --assignment NAME": "NAME is the reader's; teaching.md names one",
    "autograder new course DIR": "DIR is the reader's; authoring.md names one",
    "cd /srv/nbgrader/exchange/COURSE/inbound": "the exchange is the reader's",
    "jupyter lab": "it serves until it is stopped; tests/end_to_end/formgrader.py starts it",
}


def commands_in_blocks() -> list[str]:
    """The lines of every shell block, without comments and in the order of the pages."""
    found = []
    for page in PAGES:
        if page.name in IN_A_COURSE_OF_ITS_OWN:
            continue
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if language in SHELL:
                lines = block.replace("\\\n", " ").splitlines()
                found += [COMMENT.sub("", line).strip() for line in lines]
    return list(dict.fromkeys(filter(None, found)))


def commands_in_text() -> list[str]:
    """What stands in backquotes in the text and begins like a command of ours."""
    found = []
    for page in PAGES:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        spans = (" ".join(span.split()) for span in SPAN.findall(text))
        found += [span for span in spans if re.match(r"(autograder|make|nbgrader) \S", span)]
    return sorted(set(found))


def is_understood(command: str) -> bool:
    """Whether the program knows such a command, target and options."""
    program, *words = shlex.split(command)
    if Path(program).name == "autograder":
        return CliRunner().invoke(cli, [*words, "--help"]).exit_code == 0
    if program == "nbgrader":
        return words[0] in NbGraderApp.subcommands  # it exits 0 with any other
    if program == "make":
        return dry_run(*words).returncode == 0
    if program == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return set(EXTRA.findall(command)) <= project["optional-dependencies"].keys()
    if Path(program).name.startswith("python"):
        recipes = dry_run("--always-make", "demo", "test").stdout.splitlines()
        return any(set(words) <= set(shlex.split(recipe)) for recipe in recipes)
    if program in ("cd", "find"):
        return True
    beside_python = Path(sys.executable).parent
    return (beside_python / f"{program}-{words[0]}").is_file()  # as `jupyter lab` is found


def dry_run(*targets: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--dry-run", *targets]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone of the repository with two assignments and a student's answers to them."""
    folder = tmp_path / "course"
    derived = shutil.ignore_patterns("*.ipynb", "__pycache__")
    for name in ("autograder", "solutions", "graders", "assignments"):
        shutil.copytree(ROOT / name, folder / name, ignore=derived)
    for name in ("course_config.py", "nbgrader_config.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    keep_assignments(folder, HELD)
    for name in HELD:
        shutil.copytree(ROOT / "examples/submitted/ada" / name, folder / "submitted/ada" / name)
    _export_from_other_systems(folder)
    return folder


def _export_from_other_systems(course: Path) -> None:
    """The files that Canvas and Moodle would export, beside the course."""
    worth = {name: load_course(course).assignment(name).max_points for name in HELD}
    titles = ",".join(f"{name} ({at})" for at, name in enumerate(HELD))
    points = ",".join(map(str, worth.values()))
    canvas = (f"Student,ID,SIS Login ID,Section,{titles}", f"Points Possible,,,,{points}")
    (course.parent / "canvas.csv").write_text("\n".join([*canvas, "Ada,1,ada,Mon,,"]))
    moodle = (
        "Identifier,Full name,ID number,Grade,Maximum grade,Last modified (grade)",
        f"Participant 1,Ada,ada,,{worth[HELD[-1]]},-",
    )
    (course.parent / "worksheet.csv").write_text("\n".join(moodle))


def test_printed_commands_do_what_they_say(checkout: Path, environment: dict[str, str]) -> None:
    """In the order in which they are printed, since one makes what the next one needs."""
    own = environment | {"PYTHONPATH": str(checkout)}  # what a command writes is not written here
    for command in commands_in_blocks():
        if command not in NOT_RUN:
            assert is_understood(command), f"{command}: there is no such command"
            done = subprocess.run(
                command, shell=True, cwd=checkout, env=own, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"


def test_a_command_that_is_not_run_is_printed_and_understood() -> None:
    assert set(NOT_RUN) <= set(commands_in_blocks())
    assert [command for command in NOT_RUN if not is_understood(command)] == []


def test_commands_within_the_text_are_understood() -> None:
    assert [command for command in commands_in_text() if not is_understood(command)] == []
