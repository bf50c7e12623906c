"""This project: the same seven exercises in a course of ours, graded by our own commands."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.build.shipping import modules_of
from benchmarks.compare_speed.handed_in import EXERCISES, IMPORTS, NAME, POINTS, Submission, hand_in
from benchmarks.compare_speed.measured import Marks, Measured, Programs, fresh_copy, need_pages
from benchmarks.peers import ROOT

GRADE = "`autograder grade --workers {}`"
AGAIN = "`autograder grade` again, nothing changed"
FEEDBACK = "`autograder feedback`"
WORKERS = (1, 2)
# The others have no points that wait for a GPU.
ON_THE_CPU = "\nc.Devices.device = 'cpu'\n"


class ThisProject:
    """A course with one released assignment and what its class handed in.

    Attributes:
        isolation: what held the students' code, as the command says.
    """

    def __init__(self, programs: Programs, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._course = folder / "course"
        self._count = 0
        self.isolation = "unknown"

    def prepare(self, handed_in: Sequence[Submission]) -> None:
        """Release the assignment and hand in."""
        self._course.mkdir(parents=True)
        shutil.copy(ROOT / "nbgrader_config.py", self._course)
        config = (ROOT / "course_config.py").read_text(encoding="utf-8")
        (self._course / "course_config.py").write_text(config + ON_THE_CPU, encoding="utf-8")
        for name in ("solutions", "graders"):
            shutil.copytree(ROOT / name, self._course / name)
        assignment = self._course / "assignments" / NAME
        source = assignment / f"{NAME}.py"
        (assignment / "checks").mkdir(parents=True)
        for path in modules_of(ROOT, NAME):  # its own, and those of others that these import
            shutil.copy(path, assignment / "checks")
        cells = [f"# %%\n{IMPORTS}\n"]
        cells += [f'# %% exercise="{name}" points={POINTS}\n' for name in EXERCISES]
        source.write_text("# %% [markdown]\n# # Masks\n\n" + "\n".join(cells), encoding="utf-8")
        self._programs.run("autograder", "release", NAME, cwd=self._course)
        released = self._course / "release" / NAME / f"{NAME}.ipynb"
        for one in handed_in:
            hand_in(one, released, self._course / "submitted" / one.student / NAME)
        self._count = len(handed_in)

    def measure(self) -> Iterator[Measured]:
        """Grade in fresh copies of the course; then once more in the last, and write feedback."""
        for workers in WORKERS:
            course = fresh_copy(self._course)
            yield self._grade(course, GRADE.format(workers), workers)
        yield self._grade(course, AGAIN, WORKERS[-1])
        ended = self._programs.run("autograder", "feedback", NAME, cwd=course)
        need_pages(course, self._count)
        yield Measured(FEEDBACK, self._count, ended.seconds)

    def _grade(self, course: Path, row: str, workers: int) -> Measured:
        options = ("--workers", workers, "--json", "marks.json")
        ended = self._programs.run("autograder", "grade", NAME, *options, cwd=course)
        told = json.loads((course / "marks.json").read_text(encoding="utf-8"))
        self.isolation = told["sandbox"] or self.isolation
        return Measured(row, self._count, ended.seconds, marks_in(told))


def marks_in(told: dict) -> Marks:
    """Who has full marks for what, in what `autograder grade --json` wrote."""
    return {
        (one["student"], name): exercise["score"] == exercise["max_score"]
        for one in told["submissions"]
        for name, exercise in one["exercises"].items()
    }
