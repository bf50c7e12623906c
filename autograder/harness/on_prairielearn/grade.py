"""Grades what PrairieLearn put into `/grade/student`, and writes `/grade/results/results.json`.

PrairieLearn itself writes there what the question's element put into `_files` of the submitted
answers. Of the student it says nothing, so every submission is graded under the same id.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from autograder.harness.grading import grade_here
from autograder.harness.marked_exercises import NoMark
from autograder.harness.on_prairielearn.results import OURS, as_json, not_gradable, results_of

STUDENT = "student"


def main(name: str, parcel: Path, job: Path) -> int:
    """Grade one submission; gives the exit status, which is 0 where results were written.

    Args:
        name: the assignment's.
        parcel: the folder with the course.
        job: PrairieLearn's folder, `/grade`.
    """
    folder = job / "results"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        results = _results(name, parcel, job / "student")
    except Exception as fault:
        sys.stderr.write(f"autograder: there is no mark. {type(fault).__name__}: {fault}\n")
        results = not_gradable(OURS)
    (folder / "results.json").write_bytes(as_json(results))
    return 0


def _results(name: str, parcel: Path, files: Path) -> dict[str, object]:
    notebook = f"{name}.ipynb"
    if not (files / notebook).exists():
        return not_gradable(f"Hand in your notebook as {notebook}: there is no such file.")
    with tempfile.TemporaryDirectory(prefix="graded-") as scratch:
        # A copy without the release's checks, which a workspace may hand in too.
        handed_in = Path(scratch) / "files"
        left_out = shutil.ignore_patterns("checks")
        shutil.copytree(files, handed_in, ignore=left_out, symlinks=True)
        handed = grade_here(parcel, Path(scratch), name, STUDENT, handed_in, with_page=False)
    if handed.submission is None:
        raise NoMark(handed.fault)
    return results_of(handed.submission)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
