"""Otter-grader without containers, as its documentation shows: an `otter run` for each student."""

import inspect
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_raw_cell

from autograder.judging.answers import reference_source
from benchmarks.compare_speed import asserts
from benchmarks.compare_speed.handed_in import EXERCISES, IMPORTS, NAME, POINTS, Submission, hand_in
from benchmarks.compare_speed.measured import Measured, Programs

RUN = "`otter run`, without a container"
CONFIG = """\
# ASSIGNMENT CONFIG
init_cell: true
export_cell: true
generate: true
tests:
    ok_format: false"""
TEST_CONFIG = '""" # BEGIN TEST CONFIG\nhidden: true\npoints: {}\n""" # END TEST CONFIG\n'


class OtterGrader:
    """The autograder zip file of one assignment, and the zip files that its class handed in."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._handed_in: dict[str, Path] = {}

    def prepare(self, handed_in: Sequence[Submission]) -> None:
        """Make the assignment and hand in.

        Raises:
            RuntimeError: there is not one autograder zip file.
        """
        made = self._folder / "made"
        made.mkdir(parents=True)
        source = made / f"{NAME}.ipynb"
        nbformat.write(notebook(), source)
        ended = self._programs.run("otter", "assign", source.name, "dist", cwd=made)
        zips = list((made / "dist" / "autograder").glob("*.zip"))
        if len(zips) != 1:
            raise RuntimeError(f"otter made {len(zips)} autograders:\n{ended.said}")
        self._autograder = zips[0]
        released = made / "dist" / "student" / source.name
        for one in handed_in:
            folder = self._folder / "submitted" / one.student
            hand_in(one, released, folder)
            self._handed_in[one.student] = Path(shutil.make_archive(str(folder), "zip", folder))

    def measure(self) -> Iterator[Measured]:
        """Grade the students one after the other."""
        seconds, marks = 0.0, {}
        for student, handed_in in self._handed_in.items():
            results = Path(tempfile.mkdtemp(prefix=f"{student}-", dir=self._folder))
            where = ("-a", self._autograder, "-o", results)
            ended = self._programs.run("otter", "run", *where, handed_in, cwd=results)
            seconds += ended.seconds
            for exercise, full in marks_in(results / "results.json").items():
                marks[student, exercise] = full
        yield Measured(RUN, len(self._handed_in), seconds, marks)


def notebook() -> nbformat.NotebookNode:
    """The instructor's notebook in the format of Otter Assign."""
    cells = [new_raw_cell(CONFIG, id="config"), new_code_cell(IMPORTS, id="imports")]
    for name in EXERCISES:
        solution = (
            reference_source(name).replace("### BEGIN", "# BEGIN").replace("### END", "# END")
        )
        test = inspect.getsource(getattr(asserts, f"test_{name}"))
        cells += [
            new_raw_cell(f"# BEGIN QUESTION\nname: {name}"),
            new_raw_cell("# BEGIN SOLUTION"),
            new_code_cell(solution),
            new_raw_cell("# END SOLUTION"),
            new_raw_cell("# BEGIN TESTS"),
            new_code_cell(TEST_CONFIG.format(POINTS) + test),
            new_raw_cell("# END TESTS"),
            new_raw_cell("# END QUESTION"),
        ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def marks_in(path: Path) -> dict[str, bool]:
    """Which exercises have full marks, in otter's results for Gradescope."""
    tests = json.loads(path.read_text(encoding="utf-8"))["tests"]
    return {
        name: test["score"] == test["max_score"]
        for test in tests
        for name in EXERCISES
        if test["name"].split()[0] == name
    }
