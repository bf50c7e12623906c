"""Grading enters assignments into the gradebook from their sources, without a release."""

import pytest
from nbgrader.api import Gradebook
from small_course import NAME, edit

from autograder.build.register import register
from autograder.course import CourseError, load_course
from autograder.gradebook.registration import is_registered


def points(root):
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        cells = gradebook.find_notebook(NAME, NAME).grade_cells
        return {cell.name: cell.max_score for cell in cells}


def test_what_the_gradebook_lacks_is_entered_and_no_release_is_written(root):
    register(load_course(root), [NAME])
    assert points(root) == {"test_causal_mask": 2.0, "test_Gate": 1.5, "test_q1": 1.0}
    assert not (root / "release").exists()


def test_changed_points_are_entered_again(root):
    register(load_course(root), [NAME])
    edit(root / f"assignments/{NAME}/{NAME}.py", "points=2", "points=3")
    register(load_course(root), [NAME])
    assert points(root)["test_causal_mask"] == 3.0


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_an_exercise_with_submissions_can_become_a_bonus(root):
    register(load_course(root), [NAME])
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    edit(root / f"assignments/{NAME}/{NAME}.py", "points=1.5", "points=1.5 bonus")
    register(load_course(root), [NAME])
    assert points(root) == {"test_causal_mask": 2.0, "test_Gate": 0.0, "test_q1": 1.0}
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission(NAME, "ada").max_score == 3.0
        assert is_registered(gradebook, load_course(root).assignment(NAME))


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_other_exercises_under_a_name_with_submissions_are_refused_in_words(root):
    register(load_course(root), [NAME])
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    edit(root / f"assignments/{NAME}/{NAME}.py", '# %% exercise="Gate" points=1.5', "")
    with pytest.raises(CourseError, match=f"nbgrader db assignment remove {NAME}"):
        register(load_course(root), [NAME])
