"""What `run_autograder` starts: grade what one student handed in, write results.json.

Where a fault of ours keeps a submission from being graded, there is no results.json and the exit
status is 1: Gradescope then says that the autograder failed, and records no score. A score of 0, or
results without one, could pass for a mark.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from autograder.course import CourseError, load_course
from autograder.course.course import CONFIG
from autograder.course.settings import make
from autograder.harness.gradescope.owner import Gradescope, Owner, owner_of
from autograder.harness.gradescope.results import results_of, results_without_marks
from autograder.harness.grading import grade_here
from autograder.harness.parcel import COURSE
from autograder.notebooks.choosing import REASONS

RESULTS = "results.json"
FAULT = (
    "NOT GRADED, by a fault that is not the student's: {}\n"
    "No results are written, so that nobody loses a mark. Mend it, and run the autograder again."
)


def main() -> None:
    """Read the paths, grade, and say on standard output what an instructor should know."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assignment")
    for name in ("source", "submission", "metadata", "results"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    given.results.mkdir(parents=True, exist_ok=True)
    given.results.chmod(0o700)
    target = given.results / RESULTS
    target.unlink(missing_ok=True)
    try:
        results = grade(given.assignment, given.source, given.submission, given.metadata)
    except (CourseError, OSError) as error:
        sys.exit(FAULT.format(error))
    written = target.with_suffix(".part")
    written.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    os.replace(written, target)


def grade(assignment: str, source: Path, submission: Path, metadata: Path) -> dict[str, Any]:
    """The results of one submission.

    Raises:
        SystemExit: a fault of ours; the text says which.
    """
    begun = time.monotonic()
    course = load_course(source / COURSE)
    owner = _owner(metadata, make(Gradescope, course.config, CONFIG).student_id)
    notes = [owner.note] if owner.note else []
    with tempfile.TemporaryDirectory(prefix="autograder-handed-in-") as scratch:
        files, note = _as_named(submission, assignment, Path(scratch) / "files")
        notes += [note] if note else []
        handed = grade_here(source, Path(scratch), assignment, owner.student, files)
    print(f"{assignment} of {owner.student}.", *notes)  # noqa: T201 - the instructor's log
    found = handed.submission
    if handed.fault or found is None:
        sys.exit(FAULT.format(handed.fault))
    if found["status"] == "graded":
        for name, one in found["exercises"].items():
            if one["status"] == "ungraded":
                print(f"{name} waits for you: {one['detail']}")  # noqa: T201
        return results_of(found, notes, time.monotonic() - begun)
    if found["reason"] in REASONS:
        return results_without_marks(found, course.assignment(assignment).max_points, notes)
    sys.exit(FAULT.format(f"{found['reason']}: {found['detail']}"))


def _owner(metadata: Path, wanted: str) -> Owner:
    try:
        told = json.loads(metadata.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        told = {}
    return owner_of(told if isinstance(told, dict) else {}, wanted)


def _as_named(submission: Path, assignment: str, copy: Path) -> tuple[Path, str | None]:
    """The folder with the notebook under its own name, and what was done for that.

    A browser saves a second download as "01-name (1).ipynb", and a zip may hold a folder. Where
    there is one notebook alone, that is the one.
    """
    wanted = f"{assignment}.ipynb"
    if (submission / wanted).exists():
        return submission, None
    found = [path for path in submission.rglob("*.ipynb") if path.is_file()]
    if len(found) != 1 or found[0].is_symlink():
        return submission, None
    shutil.copytree(found[0].parent, copy, symlinks=True)
    (copy / found[0].name).rename(copy / wanted)
    told = found[0].relative_to(submission).as_posix()
    return copy, f"Your notebook {told!a} was taken for {wanted}."


if __name__ == "__main__":
    main()
