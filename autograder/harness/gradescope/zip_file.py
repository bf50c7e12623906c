"""The zip that Gradescope takes as an autograder: the parcel, and scripts to set up and run it."""

import math
import sys
import tempfile
import zipfile
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.course import Course, CourseError
from autograder.course.assignments import Assignment
from autograder.course.limits import MIB
from autograder.harness.engine import TORCH_OF_CPUS, torch_among
from autograder.harness.gradescope.owner import Gradescope
from autograder.harness.parcel import REQUIREMENTS, pack
from autograder.sandbox.machine_memory import recommended_bytes

SCRIPTS = ("setup.sh", "run_autograder")
README = "README.md"
MADE = (1980, 1, 1, 0, 0, 0)  # no moment of ours: the same course gives the same zip
MOST_MINUTES = 40  # Gradescope's own bound
LEAST_MINUTES = 10


def write(course: Course, names: list[str], output: Path) -> list[str]:
    """Write the zip for one assignment.

    Args:
        course: the course.
        names: the assignment; Gradescope has an autograder for each.
        output: the zip; one that is there is replaced.
    Returns:
        what the instructor does next, a line each.
    Raises:
        CourseError: there are several assignments, or the output cannot be such a file.
    """
    if len(names) != 1:
        raise CourseError(
            "On Gradescope an autograder belongs to one assignment. Name it: `autograder harness "
            f"gradescope --assignment {names[0]} --output FILE.zip`. There are: {', '.join(names)}."
        )
    if output.suffix != ".zip" or output.is_dir() or not output.absolute().parent.is_dir():
        raise CourseError(f"--output: {output} has to be a file FILE.zip in a folder that exists.")
    assignment = course.assignment(names[0])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        pack(course, folder)
        lines = (folder / REQUIREMENTS).read_text(encoding="utf-8").splitlines()
        facts = _facts(course, assignment, torch_among(lines))
        for name in (*SCRIPTS, README):
            (folder / name).write_text(_rendered(name, facts), encoding="utf-8")
        _pack_zip(folder, output)
    return [
        f"{output} is an autograder for {assignment.name}. It holds solutions, graders and the "
        "course secret: give it to nobody.",
        "On Gradescope: a Programming Assignment, Configure Autograder, upload it.",
        f"Set autograder points {facts['automatic']}, memory at least {facts['memory_mb']} MB, "
        f"timeout {facts['minutes']} minutes. Its {README} says why.",
    ]


def _facts(course: Course, assignment: Assignment, torch: str | None) -> dict[str, object]:
    """What the scripts and the page for the instructor say."""
    limits = course.limits
    submission_bytes = limits.limits().memory_bytes
    by_person = sum(one.nbgrader_points for one in assignment.exercises if one.kind == "written")
    # Judged once more with earlier answers replaced, at half a processor, and two minutes to start.
    minutes = math.ceil((4 * limits.submission_seconds + 120) / 60)
    return {
        "assignment": assignment.name,
        "automatic": f"{assignment.max_points - by_person:g}",
        "by_person": by_person,
        "gpu_points": course.devices.cuda_points,
        "bonus": assignment.bonus_points,
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "oldest": tuple(sys.version_info[:2]),
        "torch": torch,
        "torch_of_cpus": TORCH_OF_CPUS,
        "requirements": REQUIREMENTS,
        "memory_mb": recommended_bytes(torch is not None, submission_bytes) // MIB,
        "submission_mb": submission_bytes // MIB,
        "minutes": min(MOST_MINUTES, max(LEAST_MINUTES, minutes)),
        "student_id": Gradescope(config=course.config).student_id,
    }


def _rendered(name: str, facts: dict[str, object]) -> str:
    environment = Environment(
        loader=PackageLoader("autograder.harness.gradescope"),
        autoescape=False,  # shell and Markdown of the instructor's own
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(f"{name}.j2").render(facts)


def _pack_zip(folder: Path, output: Path) -> None:
    """Write the folder's files to the root of the zip, scripts executable."""
    output.unlink(missing_ok=True)
    output.touch(0o600)
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MADE)
            entry.create_system = 3  # Unix: what follows are its modes
            entry.external_attr = (0o100755 if entry.filename in SCRIPTS else 0o100644) << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
