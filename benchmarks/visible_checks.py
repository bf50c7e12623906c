"""How long a student waits for a visible check in a notebook that has run.

`python -m benchmarks.visible_checks [ASSIGNMENT ...] [--repeat 5] [--write FILE]` runs each
released notebook in a kernel with the reference's answers pasted in, then every check again and
again, and prints the slowest checks with the spread over the repeats.
"""

import argparse
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from autograder.build.quiz_cells import REFERENCE_ID
from autograder.build.source_notebook import reference_notebook
from autograder.course import Course, load_course
from autograder.notebooks.sanitise import grade_id
from autograder.proof.notebooks import paste
from benchmarks.machine import ROOT, described

SHOWN = 12
CELL_SECONDS = 300


def main() -> None:
    """Measure, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("assignments", metavar="ASSIGNMENT", nargs="*")
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    course = load_course(ROOT)
    seconds: dict[str, list[float]] = {}
    for name in chosen.assignments or course.sources:
        seconds |= measure(course, name, chosen.repeat)
    text = report(seconds, chosen.repeat)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def measure(course: Course, name: str, repeat: int) -> dict[str, list[float]]:
    """Seconds that each check of a notebook takes, once the whole notebook has run."""
    released = course.folder("release") / name
    notebook = nbformat.read(released / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    reference = reference_notebook(course, course.assignment(name), REFERENCE_ID)
    paste(notebook, reference)
    checks = [cell for cell in notebook.cells if (grade_id(cell) or "").startswith("test_")]
    again = [nbformat.v4.new_code_cell(cell.source) for _ in range(repeat) for cell in checks]
    notebook.cells += again
    with tempfile.TemporaryDirectory() as place:
        folder = shutil.copytree(released, Path(place, name))
        NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            record_timing=True,
            extra_arguments=["--log-level=40"],
            resources={"metadata": {"path": str(folder)}},
        ).execute()
    found = defaultdict(list)
    for cell, seconds in timed(again):
        found[f"{name}: `{cell.source.splitlines()[-1]}`"].append(seconds)
    return found


def timed(cells: list[NotebookNode]) -> Iterator[tuple[NotebookNode, float]]:
    """Cells with the seconds between the kernel's words that it is busy and that it is idle."""
    for cell in cells:
        times = cell.metadata["execution"]
        busy, idle = (
            datetime.fromisoformat(times[f"iopub.status.{state}"]) for state in ("busy", "idle")
        )
        yield cell, (idle - busy).total_seconds()


def report(seconds: dict[str, list[float]], repeat: int) -> str:
    """The slowest checks as a table."""
    ordered = sorted(seconds.items(), key=lambda one: -statistics.median(one[1]))
    medians = [statistics.median(times) for _, times in ordered]
    rows = [
        f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} to {max(times):.2f} |"
        for name, times in ordered[:SHOWN]
    ]
    return "\n".join(
        [
            "# Visible checks in a warm notebook",
            "",
            f"{len(ordered)} checks, each run {repeat} times after its whole notebook, answered as",
            f"the reference does: half take less than {statistics.median(medians):.3f} s, and "
            f"{sum(one >= 1 for one in medians)} a second or more. The slowest:",
            "",
            "| check | seconds | spread |",
            "|---|--:|--:|",
            *rows,
            "",
            f"{described()}.",
            "",
        ]
    )


if __name__ == "__main__":
    main()
