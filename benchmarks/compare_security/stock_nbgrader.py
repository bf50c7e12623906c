"""Stock nbgrader, as its documentation shows: generate_assignment, autograde, hidden tests.

Every submission is graded in a fresh copy of the course, so that no attack helps another.
"""

import shutil

import jupytext

from benchmarks.compare_security.catalogue import HERE, Attack
from benchmarks.compare_security.gradebook import score_of
from benchmarks.compare_security.outcome import Outcome
from benchmarks.compare_security.submission import hand_in
from benchmarks.compare_security.workbench import Workbench

NAME = "masks"


class StockNbgrader:
    """One course that has been released, and is copied for each submission."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._course = bench.folder / "course"

    def prepare(self) -> None:
        """Release the assignment.

        Raises:
            RuntimeError: nbgrader could not.
        """
        source = self._course / "source" / NAME / f"{NAME}.ipynb"
        source.parent.mkdir(parents=True)
        jupytext.write(jupytext.read(HERE / "exercise" / "nbgrader.py"), source)
        (self._course / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
        ended = self._bench.run("nbgrader", "generate_assignment", NAME, cwd=self._course)
        if ended.status != 0:
            raise RuntimeError(f"nbgrader could not release the exercise:\n{ended.said}")

    def grade(self, attack: Attack) -> Outcome:
        """Autograde one submission and read its score from the gradebook."""
        bench, course = self._bench, self._bench.folder / "graded" / attack.name
        shutil.copytree(self._course, course)
        released = course / "release" / NAME / f"{NAME}.ipynb"
        folder = course / "submitted" / attack.name / NAME
        hand_in(attack, bench.tool, bench.places, released, folder)
        one = (NAME, "--student", attack.name)
        ended = bench.run("nbgrader", "autograde", *one, cwd=course)
        score = score_of(course, NAME, attack.name)
        if attack.goal == "secret":
            bench.run("nbgrader", "generate_feedback", NAME, cwd=course)
        reached = bench.reached(attack.goal, course / "feedback")
        if ended.status != 0 and not score:
            return Outcome(None, reached, ended.last_words)
        return Outcome(score, reached)
