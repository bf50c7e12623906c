"""Classroom 50: what its runner needs to check submissions, or by choice to grade them in full.

It runs in the student's repository, and publishes what an assignment's folder holds on a website.
So by default nothing secret is in it: the release's visible checks, and the form of the notebook.
"""

import json
import shutil
import sys
import tarfile
from pathlib import Path

from autograder.course import Course, CourseError
from autograder.harness.engine import FROM_TORCH, TORCH_OF_CPUS, torch_among, write_wheel
from autograder.harness.on_classroom50.visible import answers_of
from autograder.harness.parcel import REQUIREMENTS, pack
from autograder.harness.written_folder import begin, fill_in
from autograder.sandbox.containers.image import pins
from autograder.sandbox.inside.versions import importable, normalised

HERE = Path(__file__).parent / "on_classroom50"
MOST_BYTES = 10 * 1024 * 1024
"""What Classroom 50's runner fetches at most for an assignment."""


def write(course: Course, names: list[str], output: Path, with_graders: bool = False) -> list[str]:
    """Write a folder for each assignment, to be copied into a classroom's `autograders/`.

    Args:
        course: the course; its releases are built.
        names: the assignments.
        output: a new folder, or one that an earlier run wrote.
        with_graders: whether to grade there, with solutions, graders and the secret.
    Returns:
        what the instructor does next.
    Raises:
        CourseError: a release is missing, the folder is another's, or what is to be fetched is too
            large.
    """
    for name in names:
        if not (course.folder("release") / name).is_dir():
            raise CourseError(f"release/{name} is missing: run `autograder release` first.")
    begin(output)
    for name in names:
        folder = output / "autograders" / name
        folder.mkdir(parents=True)
        if with_graders:
            pack(course, folder)
        else:
            _write_visible(course, name, folder)
        shutil.copy(HERE / "entry.py", folder / "autograder.py")
        settings = _settings(course, name, folder, with_graders)
        (folder / "settings.json").write_text(json.dumps(settings, indent=1) + "\n")
        _refuse_too_large(folder, output)
    page = "with_graders.md" if with_graders else "visible.md"
    fill_in(HERE / page, output / "README.md", assignment=names[0], python=_python())
    return [
        f"Wrote {output}, {'with graders and solutions' if with_graders else 'nothing secret'}.",
        f"{output / 'README.md'} says where it goes. It is untested on the platform.",
    ]


def _write_visible(course: Course, name: str, folder: Path) -> None:
    """The release's checks, the engine and the versions that the checks run with."""
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(course.folder("release") / name / "checks", folder / "checks", ignore=left_out)
    write_wheel(folder)
    pinned = pins(importable(**course.packages.names()))
    lines = [line for line in pinned if not normalised(line).startswith(FROM_TORCH)]
    (folder / REQUIREMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _settings(course: Course, name: str, folder: Path, with_graders: bool) -> dict[str, object]:
    """What `entry.py` and what it starts need to know."""
    pinned = (folder / REQUIREMENTS).read_text(encoding="utf-8").splitlines()
    return {
        "assignment": name,
        "module": "graded" if with_graders else "visible",
        "python": _python(),
        "torch": torch_among(pinned),
        "torch_index": TORCH_OF_CPUS,
        "answers": answers_of(course.folder("release") / name / f"{name}.ipynb"),
    }


def _python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _refuse_too_large(folder: Path, output: Path) -> None:
    packed = output / "packed.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(folder, folder.name)
    size = packed.stat().st_size
    packed.unlink()
    if size > MOST_BYTES:
        raise CourseError(
            f"{folder} is {size / 2**20:.0f} MB when packed, and Classroom 50 fetches at most "
            f"{MOST_BYTES / 2**20:.0f} MB for an assignment."
        )
