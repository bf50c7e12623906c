"""Build one assignment's release, and compare it with the one that is committed."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from autograder.build.leaks import find_secrets
from autograder.build.source_notebook import percent_path
from autograder.build.student_version import read_cells, student_version
from autograder.course import Assignment, Course, CourseError
from autograder.course.data_files import files_under
from autograder.course.locks import locked
from autograder.gradebook.registration import refuse_another_version, register_cells
from autograder.gradebook.scores import has_gradebook, open_gradebook


@dataclass(frozen=True)
class Release:
    """What a build gave.

    Attributes:
        assignment: the assignment built.
        changed: files of `release/<name>` that differ from what stood there, with how.
    """

    assignment: Assignment
    changed: tuple[str, ...]


@dataclass(frozen=True)
class Staged:
    """A release that was built aside and may be written: nothing of the course has changed yet.

    Attributes:
        course: the course.
        release: what was built.
        stage: the folder that holds it.
    """

    course: Course
    release: Release
    stage: Path

    @property
    def folder(self) -> Path:
        """The folder that students are to receive."""
        return self.stage / "release" / self.release.assignment.name

    @property
    def files(self) -> list[str]:
        """Its files, by their paths from the release folder."""
        within = self.stage / "release"
        return [path.relative_to(within).as_posix() for path in files_under(self.folder)]

    def write(self) -> None:
        """Register the assignment in the gradebook, and let the release replace what was there.

        Raises:
            CourseError: the gradebook holds submissions of a version with other exercises.
            OSError: there is no room, or something cannot be written. In either case neither the
                release nor the gradebook has changed.
        """
        name = self.release.assignment.name
        target = self.course.folder("release") / name
        source = percent_path(self.course, name).with_name(f"{name}.ipynb")
        with _aside(source) as new_source, _aside(target) as new_target:
            shutil.copyfile(self.stage / "source" / name / source.name, new_source)
            if self.release.changed:
                shutil.copytree(self.folder, new_target)
            with locked(self.course.root, "register"), open_gradebook(self.course) as gradebook:
                register_cells(gradebook, self.course, name, read_cells(self.stage))
            new_source.replace(source)
            if self.release.changed:
                with _aside(target.with_name(f"{name}.old")) as old_target:
                    if target.exists():
                        target.rename(old_target)
                    new_target.rename(target)


def build_release(course: Course, name: str) -> Release:
    """Build an assignment's source notebook and its release, and register it in the gradebook.

    Raises:
        CourseError: the sources are wrong, nbgrader refuses them, or a secret would get out.
            Nothing has changed then.
    """
    with staged(course, name) as one:
        one.write()
    return one.release


@contextmanager
def staged(course: Course, name: str) -> Iterator[Staged]:
    """Build an assignment's release in a temporary folder, and change nothing.

    Raises:
        CourseError: the sources are wrong, nbgrader refuses them, a secret would get out, or the
            gradebook holds submissions of a version with other exercises.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-release-") as folder:
        stage = Path(folder)
        built = _build(course, name, stage)
        changed = tuple(drift(built, course.folder("release") / name))
        if has_gradebook(course):
            with open_gradebook(course) as gradebook:
                refuse_another_version(gradebook, name, read_cells(stage))
        yield Staged(course, Release(course.assignment(name), changed), stage)


def check_release(course: Course, name: str) -> Release:
    """Build the same in a temporary folder, without a gradebook, and change nothing.

    Raises:
        CourseError: as `build_release`.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-release-") as stage:
        built = _build(course, name, Path(stage))
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
    known = course.sources
    return [path for path in found if path.is_dir() and path.name not in known]


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_under(folder)}


def _build(course: Course, name: str, stage: Path) -> Path:
    built = student_version(course, name, stage)
    leaks = find_secrets(built, course)
    if leaks:
        listed = "\n".join(f"  {leak}" for leak in leaks)
        raise CourseError(
            f"{name}: the release would give secrets away, so it was not written:\n{listed}\n"
            "Say it in other words there, or give the visible check another name."
        )
    return built


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """A place on the disk of a path, from where one step brings it there; empty afterwards."""
    missing = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    place = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        place.unlink(missing_ok=True)
        for folder in missing:
            with suppress(OSError):  # it holds what was written
                folder.rmdir()
