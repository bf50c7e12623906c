"""Otter-grader, as its documentation shows: `otter assign`, then `otter run` without a container.

Every submission is a zip file, as Otter's own export makes it, graded in a process of its own.
"""

import json
import shutil
from pathlib import Path

import jupytext

from benchmarks.compare_security.catalogue import HERE, Attack
from benchmarks.compare_security.outcome import Outcome
from benchmarks.compare_security.submission import hand_in
from benchmarks.compare_security.workbench import Workbench

NAME = "masks"


class OtterGrader:
    """One assignment that has been made, and the autograder zip file that came of it."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._made = bench.folder / "made"

    def prepare(self) -> None:
        """Make the students' notebook and the autograder's zip file.

        Raises:
            RuntimeError: otter could not.
        """
        self._made.mkdir()
        source = self._made / f"{NAME}.ipynb"
        jupytext.write(jupytext.read(HERE / "exercise" / "otter.py"), source)
        ended = self._bench.run("otter", "assign", source.name, "dist", cwd=self._made)
        if ended.status != 0 or len(self._zips()) != 1:
            raise RuntimeError(f"otter could not make the assignment:\n{ended.said}")

    def grade(self, attack: Attack) -> Outcome:
        """Run otter on one submission and read the score from its results.json."""
        bench, folder = self._bench, self._bench.folder / "graded" / attack.name
        released = self._made / "dist" / "student" / f"{NAME}.ipynb"
        hand_in(attack, bench.tool, bench.places, released, folder / "submitted")
        submitted = shutil.make_archive(str(folder / attack.name), "zip", folder / "submitted")
        results = folder / "results"
        results.mkdir()
        where = ("-a", self._zips()[0], "-o", results)
        ended = bench.run("otter", "run", *where, submitted, cwd=folder)
        reached = bench.reached(attack.goal, results)
        if not (results / "results.json").is_file():
            return Outcome(None, reached, ended.last_words)
        return Outcome(_score(results / "results.json"), reached)

    def _zips(self) -> list[Path]:
        return list((self._made / "dist" / "autograder").glob("*.zip"))


def _score(path: Path) -> float:
    """The score as Gradescope takes it: for the whole, or the sum of the tests'."""
    results = json.loads(path.read_text(encoding="utf-8"))
    if "score" in results:
        return float(results["score"])
    return float(sum(test.get("score", 0) for test in results["tests"]))
