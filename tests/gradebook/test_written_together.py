"""Which graded submissions go into one transaction: none waits for long, and none is left."""

from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from autograder.course.errors import MachineError
from autograder.gradebook import grade_class
from autograder.gradebook.book import Ungraded
from autograder.gradebook.grade_class import TOGETHER, _together, grade_one, graded
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import SubmissionVerdict


@pytest.mark.parametrize("most", [1, 2, TOGETHER])
def test_what_is_done_is_written_in_its_order_and_what_is_not_is_not_waited_for(most: int) -> None:
    done: SimpleQueue[Future] = SimpleQueue()
    graded = [Future() for _ in range(3)]
    for one in graded:
        done.put(one)
    assert _together(done, most) == graded[:most]
    assert done.qsize() == max(0, 3 - most)


def test_what_was_graded_beside_a_fault_of_the_machine_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def grade_one(_: object, one: str) -> str:
        if one == "b":
            raise MachineError("the sandbox is gone")
        return one

    monkeypatch.setattr(grade_class, "grade_one", grade_one)
    monkeypatch.setattr(grade_class, "WAIT_SECONDS", 60)  # however slow the machine is
    batches = graded(SimpleNamespace(workers=1), ["a", "b", "c"])
    assert next(batches) == ["a", "c"]
    with pytest.raises(MachineError):
        next(batches)


def test_a_grader_that_crashed_leaves_a_submission_ungraded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "ada" / "week"
    folder.mkdir(parents=True)
    (folder / "week.ipynb").touch()
    monkeypatch.setattr(grade_class, "content_of", lambda course, one: "")
    empty = SimpleNamespace(cells=[])
    monkeypatch.setattr(grade_class, "read_submission", lambda course, one: (empty, empty, ["odd"]))
    crashed = SubmissionVerdict("ada", "week", (), "grader_crashed", "it ended")
    grader = SimpleNamespace(course=None, verdict=lambda submission: crashed)
    found = grade_one(grader, Submitted("ada", "week", folder))
    assert isinstance(found, Ungraded)
    assert found.verdict.reason == "grader_crashed"
