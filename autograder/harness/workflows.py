"""What workflows of CI have in common: two folders, one for each repository, and what they install.

The course's private repository gets what grades there, with the engine's wheel and pinned versions
in `ci/`. The students' gets visible checks alone, from what is released.
"""

import shlex
import shutil
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from packaging.requirements import Requirement

from autograder.course import Course, CourseError
from autograder.course.packages import TORCH
from autograder.harness.engine import TORCH_OF_CPUS, pins, torch_among, write_wheel
from autograder.harness.parcel import REQUIREMENTS
from autograder.sandbox.inside.versions import importable

COURSE_REPOSITORY = "course-repository"
STUDENT_REPOSITORY = "student-repository"
SHARED = "ci"
"""The folder of the course's repository that a workflow grades with."""
COLLECT = f"{SHARED}/collect.sh"


def begin(output: Path) -> None:
    """Empty a folder that an earlier run wrote.

    Raises:
        CourseError: it holds something else.
    """
    ours = {COURSE_REPOSITORY, STUDENT_REPOSITORY}
    if output.exists() and (not output.is_dir() or {one.name for one in output.iterdir()} - ours):
        raise CourseError(f"{output} is not empty. Name a new folder, or an empty one.")
    for name in ours:
        shutil.rmtree(output / name, ignore_errors=True)


def write_shared(course: Course, repository: Path) -> list[str]:
    """Write what a course's repository grades with, whatever runs it.

    Args:
        course: the course.
        repository: it gets `ci/` with the engine's wheel, `requirements.txt` and `collect.sh`.
    Returns:
        the commands that install the engine there, torch for processors first.
    """
    folder = repository / SHARED
    folder.mkdir(parents=True)
    wheel = write_wheel(folder)
    pinned = pins(importable(**course.packages.names()))
    (folder / REQUIREMENTS).write_text("\n".join(pinned) + "\n", encoding="utf-8")
    write_files(repository, {COLLECT: filled("collect.sh")})
    return [*_torch(torch_among(pinned)), _pip(f"-r {SHARED}/{REQUIREMENTS} {SHARED}/{wheel.name}")]


def installs_of_students(course: Course) -> list[str]:
    """The commands that install what a released assignment needs, in its folder."""
    asked = (one for one in course.packages.required if Requirement(one).name == TORCH)
    return [*_torch(next(asked, None)), _pip(f"-r {REQUIREMENTS}")]


def grading(course: Course, names: list[str]) -> dict[str, str]:
    """What the template of a workflow that grades says of a course.

    Args:
        course: the course.
        names: the assignments to grade.
    """
    is_whole = set(names) == set(course.sources)
    return {
        "variable": course.secret_variable,
        "file": course.secret_file,
        "names": "" if is_whole else "".join(f" {name}" for name in names),
    }


def next_steps(course: Course, output: Path, where: str) -> list[str]:
    """What the instructor does with both folders.

    Args:
        course: the course.
        output: the folder that holds them.
        where: where on the platform secrets are entered.
    """
    private, public = (
        shlex.quote(f"{output.resolve() / name}/.")
        for name in (COURSE_REPOSITORY, STUDENT_REPOSITORY)
    )
    _ = course.secret  # made on first use, which is now: step 3 asks for it
    return [
        "1. In the course's private repository, copy all of this there, hidden files too, and "
        f"commit it: cp -R {private} .",
        f"2. {COLLECT} there brings what was handed in to submitted/. As it stands, you commit "
        "that folder: take /submitted/ out of .gitignore. Or put commands there that fetch it.",
        f"3. {where}, add {course.secret_variable}: the text of {course.secret_file}.",
        "4. In the students' repository, which holds what `autograder release --publish` wrote: "
        f"cp -R {public} .",
    ]


def filled(template: str, **values: Any) -> str:
    """A template's text with these values in it, and with the Python that runs here."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return _environment().get_template(f"{template}.j2").render(python=python, **values)


def write_files(repository: Path, files: Mapping[str, str]) -> None:
    """Write files into a repository, by their paths there."""
    for name, text in files.items():
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _torch(requirement: str | None) -> list[str]:
    if requirement is None:
        return []
    return [_pip(f"{shlex.quote(requirement)} --index-url {TORCH_OF_CPUS}")]


def _pip(arguments: str) -> str:
    return f"python -m pip install {arguments}"


@cache
def _environment() -> Environment:
    """Templates whose marks are not those of GitHub's own expressions."""
    return Environment(
        loader=PackageLoader("autograder.harness"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
    )
