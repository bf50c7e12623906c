"""Build one assignment's release, and compare it with the one that is committed."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.build.leaks import find_secrets
from autograder.build.source_notebook import percent_path
from autograder.build.student_version import student_version
from autograder.course import Assignment, Course, CourseError
from autograder.course.data_files import files_under


@dataclass(frozen=True)
class Release:
    """What a build gave.

    Attributes:
        assignment: the assignment built.
        changed: files of `release/<name>` that differ from what stood there, with how.
    """

    assignment: Assignment
    changed: tuple[str, ...]


def build_release(course: Course, name: str) -> Release:
    """Build an assignment's source notebook and its release, and register it in the gradebook.

    Nothing in `release/` changes before the build is complete and found to hold no secret.

    Raises:
        CourseError: the sources are wrong, nbgrader refuses them, or a secret would get out.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-release-") as stage:
        built = _build(course, name, Path(stage), register=True)
        target = course.folder("release") / name
        changed = tuple(drift(built, target))
        notebook = f"{name}.ipynb"
        source = percent_path(course, name).with_name(notebook)
        shutil.copyfile(Path(stage, "source", name, notebook), source)
        if changed:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(built, target)
    return Release(course.assignment(name), changed)


def check_release(course: Course, name: str) -> Release:
    """Build the same in a temporary folder, without a gradebook, and change nothing.

    Raises:
        CourseError: as `build_release`.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-release-") as stage:
        built = _build(course, name, Path(stage), register=False)
        changed = tuple(drift(built, course.folder("release") / name))
    return Release(course.assignment(name), changed)


def drift(built: Path, committed: Path) -> list[str]:
    """How a committed folder differs from a fresh build: a line for each file that does."""
    if not committed.is_dir():
        return ["the folder is missing"]
    new, old = _contents(built), _contents(committed)
    lines = []
    for path in sorted(new.keys() | old.keys()):
        if path not in old:
            lines.append(f"{path} is missing")
        elif path not in new:
            lines.append(f"{path} does not belong there")
        elif new[path] != old[path]:
            lines.append(f"{path} differs")
    return lines


def stray_releases(course: Course) -> list[Path]:
    """Folders in `release/` that no assignment of the course builds."""
    folder = course.folder("release")
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if path.is_dir() and path.name not in course.assignments]


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_under(folder)}


def _build(course: Course, name: str, stage: Path, *, register: bool) -> Path:
    built = student_version(course, name, stage, register=register)
    leaks = find_secrets(built, course)
    if leaks:
        listed = "\n".join(f"  {leak}" for leak in leaks)
        raise CourseError(
            f"{name}: the release would give secrets away, so it was not written:\n{listed}\n"
            "Say it in other words there, or give the visible check another name."
        )
    return built
