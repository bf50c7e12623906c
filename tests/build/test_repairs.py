"""A repair exercise: students find a broken body where others find a stub, and no solution."""

from pathlib import Path

import pytest
from small_course import NAME, SOLUTIONS, edit

from autograder.build.leaks import find_secrets
from autograder.build.source_notebook import source_notebook
from autograder.build.stubs import ExerciseStubs
from autograder.course import Course, CourseError, load_course

BROKEN = '''\
"""What students repair."""

from torch import Tensor, nn


class Gate(nn.Module):
    """Not what students read."""

    def __init__(self, start: float = 1.0) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.scale = start
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        # (the same shape as x)
        return torch.sigmoid(self.scale)
        ### END SOLUTION
'''

GIVEN = '''\
class Gate(nn.Module):
    """Scale by a learned number."""

    def __init__(self, start: float = 1.0) -> None:
        super().__init__()
        self.scale = start

    def forward(self, x: Tensor) -> Tensor:
        # (the same shape as x)
        return torch.sigmoid(self.scale)'''


@pytest.fixture
def course(root: Path) -> Course:
    """A course whose `Gate` is to be repaired."""
    (root / "solutions/causal_masking/broken.py").write_text(BROKEN, encoding="utf-8")
    return load_course(root)


def given(course: Course, name: str) -> str:
    """What students find in an exercise's cell."""
    notebook = source_notebook(course, course.assignment(NAME))
    stubbed, _ = ExerciseStubs().preprocess(notebook, {})
    return next(cell.source for cell in stubbed.cells if cell.id == name)


def test_each_region_of_the_reference_gives_way_to_the_broken_one(course):
    assert given(course, "Gate") == GIVEN


def test_other_exercises_keep_their_stub_and_instructors_the_reference(course):
    assert "causal_mask is not written yet" in given(course, "causal_mask")
    source = source_notebook(course, course.assignment(NAME))
    (gate,) = [cell for cell in source.cells if cell.id == "Gate"]
    assert gate.source == SOLUTIONS[SOLUTIONS.index("class Gate") :].rstrip()


def test_other_regions_than_the_references_are_refused(course):
    path = course.root / "solutions/causal_masking/broken.py"
    edit(path, "        ### BEGIN SOLUTION\n        self", "        self")
    edit(path, "start\n        ### END SOLUTION", "start")
    with pytest.raises(CourseError, match=r"has 1 regions .* the reference has 2"):
        source_notebook(course, course.assignment(NAME))


def test_the_right_lines_of_a_broken_body_are_no_secret_and_its_missing_ones_are(course):
    edit(
        course.root / "solutions/causal_masking/broken.py",
        "return torch.sigmoid(self.scale)\n",
        "return torch.sigmoid(self.scale) * x\n",
    )
    folder = course.root / "release" / NAME
    folder.mkdir(parents=True)
    (folder / "shown.py").write_text("return torch.sigmoid(self.scale) * x\n", encoding="utf-8")
    (folder / "gone.py").write_text(
        "self.scale = nn.Parameter(torch.full((), start))\n", encoding="utf-8"
    )
    assert {leak.file for leak in find_secrets(folder, course)} == {"gone.py"}
