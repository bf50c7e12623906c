"""This project: the real course, copied, with the attackers and the honest in one class."""

import json
import shutil

from benchmarks.compare_security.catalogue import Attack
from benchmarks.compare_security.gradebook import score_of
from benchmarks.compare_security.outcome import Outcome
from benchmarks.compare_security.submission import hand_in
from benchmarks.compare_security.workbench import Workbench
from benchmarks.peers import ROOT

NAME = "03-causal-masking"
# The others have no points that wait for a GPU.
ON_THE_CPU = "\nc.Devices.device = 'cpu'\n"


class ThisProject:
    """A copy of the course, whose class is graded in one run of `autograder grade`.

    Attributes:
        isolation: what held the students' code, as the command says.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._course = bench.folder / "course"
        self.isolation = "unknown"

    def prepare(self) -> None:
        """Copy the course, with the release that students receive."""
        self._course.mkdir()
        shutil.copy(ROOT / "nbgrader_config.py", self._course)
        config = (ROOT / "course_config.py").read_text(encoding="utf-8")
        (self._course / "course_config.py").write_text(config + ON_THE_CPU, encoding="utf-8")
        for name in ("assignments", "solutions", "graders"):
            built = shutil.ignore_patterns("*.ipynb", "__pycache__")
            shutil.copytree(ROOT / name, self._course / name, ignore=built)
        shutil.copytree(ROOT / "release" / NAME, self._course / "release" / NAME)

    def grade(self, attacks: tuple[Attack, ...]) -> dict[str, Outcome]:
        """Grade the class and read every score from the gradebook.

        Raises:
            RuntimeError: the run came to no end of its own.
        """
        bench, course = self._bench, self._course
        places = bench.places | {"course": str(course), "project": str(ROOT)}
        released = course / "release" / NAME / f"{NAME}.ipynb"
        for attack in attacks:
            folder = course / "submitted" / attack.name / NAME
            hand_in(attack, bench.tool, places, released, folder)
        ended = bench.run("autograder", "grade", NAME, "--json", "marks.json", cwd=course)
        if not (course / "marks.json").is_file():
            raise RuntimeError(f"The class was not graded:\n{ended.said}")
        marks = json.loads((course / "marks.json").read_text(encoding="utf-8"))
        self.isolation = marks["sandbox"]
        told = {one["student"]: one for one in marks["submissions"]}
        return {attack.name: self._outcome(attack, told[attack.name]) for attack in attacks}

    def _outcome(self, attack: Attack, told: dict) -> Outcome:
        reached = self._bench.reached(attack.goal, self._course)  # in whatever grading wrote
        score = score_of(self._course, NAME, attack.name)
        if told["status"] != "graded" and not score:
            return Outcome(None, reached, f"{told['reason']}: {told['detail']}")
        return Outcome(score, reached)
