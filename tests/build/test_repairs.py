"""A repair exercise: students find a broken body where others find a stub, and no solution."""

from pathlib import Path

import pytest
from class_exercise import EXERCISE, SOLUTION, add_class
from line_fitting import NAME, edit

from autograder.build.leaks import find_secrets
from autograder.build.source_notebook import source_notebook
from autograder.build.stubs import ExerciseStubs
from autograder.course import Course, CourseError, load_course

BROKEN = '''\
"""What students repair."""

import numpy as np


class Line:
    """Not what students read."""

    def __init__(self, slope: float = 1.0) -> None:
        ### BEGIN SOLUTION
        self.slope = slope
        ### END SOLUTION

    def through(self, x: np.ndarray) -> np.ndarray:
        ### BEGIN SOLUTION
        # (the same shape as x)
        return np.multiply(self.slope, 1)
        ### END SOLUTION
'''

GIVEN = '''\
class Line:
    """A line that knows its slope."""

    def __init__(self, slope: float = 1.0) -> None:
        self.slope = slope

    def through(self, x: np.ndarray) -> np.ndarray:
        # (the same shape as x)
        return np.multiply(self.slope, 1)'''


@pytest.fixture
def course(root: Path) -> Course:
    """A course whose class is to be repaired."""
    add_class(root)
    (root / "solutions/line_fitting/broken.py").write_text(BROKEN, encoding="utf-8")
    return load_course(root)


def given(course: Course, name: str) -> str:
    """What students find in an exercise's cell."""
    notebook = source_notebook(course, course.assignment(NAME))
    stubbed, _ = ExerciseStubs().preprocess(notebook, {})
    return next(cell.source for cell in stubbed.cells if cell.id == name)


def test_each_region_of_the_reference_gives_way_to_the_broken_one(course):
    assert given(course, EXERCISE) == GIVEN


def test_other_exercises_keep_their_stub_and_instructors_the_reference(course):
    assert "predict is not written yet" in given(course, "predict")
    source = source_notebook(course, course.assignment(NAME))
    (whole,) = [cell for cell in source.cells if cell.id == EXERCISE]
    assert whole.source == SOLUTION.rstrip()


def test_other_regions_than_the_references_are_refused(course):
    path = course.root / "solutions/line_fitting/broken.py"
    edit(path, "        ### BEGIN SOLUTION\n        self", "        self")
    edit(path, "= slope\n        ### END SOLUTION", "= slope")
    with pytest.raises(CourseError, match=r"has 1 regions .* the reference has 2"):
        source_notebook(course, course.assignment(NAME))


def test_the_right_lines_of_a_broken_body_are_no_secret_and_its_missing_ones_are(course):
    edit(
        course.root / "solutions/line_fitting/broken.py",
        "return np.multiply(self.slope, 1)\n",
        "return np.multiply(self.slope, x)\n",
    )
    folder = course.root / "release" / NAME
    folder.mkdir(parents=True)
    (folder / "shown.py").write_text("return np.multiply(self.slope, x)\n", encoding="utf-8")
    (folder / "gone.py").write_text("self.slope = np.full((), slope)\n", encoding="utf-8")
    assert {leak.file for leak in find_secrets(folder, course)} == {"gone.py"}
