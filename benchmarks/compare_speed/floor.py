"""How little time grading could take: trusted answers, run and tested within this very process.

Nothing here confines the code, stores a mark or writes a notebook, so no grader can be as fast.
"""

import time
import warnings
from collections.abc import Iterator, Sequence

import torch

from autograder.course.layout import grader_files
from autograder.judging.answers import TrustedStudent
from autograder.judging.plugin import Graders
from benchmarks import machine
from benchmarks.compare_speed import asserts
from benchmarks.compare_speed.handed_in import IMPORTS, NAME, Answer, Submission
from benchmarks.compare_speed.measured import Measured

ASSERTS = "in one process: cells and ordinary asserts alone"
GRADERS = "in one process: cells and this project's hidden tests alone"
SECRET = b"the floor has a secret of its own"


class Floor:
    """The class, graded in this process."""

    def prepare(self, handed_in: Sequence[Submission]) -> None:
        """Keep the class."""
        self._class = handed_in

    def measure(self) -> Iterator[Measured]:
        """Run each answer, and test it by ordinary asserts, then by our hidden tests."""
        torch.set_num_threads(1)  # as in a grading process; tiny tensors are faster so
        measured: list[Measured] = []

        def serve(graders: Graders) -> None:
            self._by_graders(graders, self._class[:1])  # what torch loads late is loaded now
            measured.append(self._by_asserts(self._class))
            measured.append(self._by_graders(graders, self._class))

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # mistakes overflow and deprecate: that is their job
            Graders(SECRET, "cpu", serve).start(grader_files(machine.ROOT, NAME))
        yield from measured

    @staticmethod
    def _by_asserts(handed_in: Sequence[Submission]) -> Measured:
        started, marks = time.perf_counter(), {}
        for one in handed_in:
            namespace = new_namespace()
            for answer in one.answers:
                test = getattr(asserts, f"test_{answer.exercise}")
                try:
                    run(answer, namespace)
                    test(namespace[answer.exercise])
                    full = True
                except Exception:  # whatever a wrong answer raises
                    full = False
                marks[one.student, answer.exercise] = full
        return Measured(ASSERTS, len(handed_in), time.perf_counter() - started, marks)

    @staticmethod
    def _by_graders(graders: Graders, handed_in: Sequence[Submission]) -> Measured:
        started, marks = time.perf_counter(), {}
        for one in handed_in:
            namespace = new_namespace()
            cells = {answer.exercise: answer.source for answer in one.answers}
            student = TrustedStudent(namespace, cells)
            for answer in one.answers:
                run(answer, namespace)
                found = graders.run(answer.exercise, lambda student=student: student)
                full = all(test.remark or test.outcome in ("passed", "pending") for test in found)
                marks[one.student, answer.exercise] = full
        return Measured(GRADERS, len(handed_in), time.perf_counter() - started, marks)


def new_namespace() -> dict[str, object]:
    """A notebook's namespace after its first cell."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(IMPORTS, namespace)
    return namespace


def run(answer: Answer, namespace: dict[str, object]) -> None:
    """Run an answer's cell."""
    exec(compile(answer.source, f"<{answer.exercise}>", "exec"), namespace)
