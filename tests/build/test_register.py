"""Grading enters assignments into the gradebook from their sources, without a release."""

import pytest
from line_fitting import NAME, SOURCE, edit
from nbgrader.api import Gradebook

from autograder.build.register import register
from autograder.course import CourseError, load_course
from autograder.gradebook.registration import is_registered

POINTS = {
    **{"test_predict": 2.0, "test_mean_squared_error": 2.0, "test_gradient": 3.0},
    **{"test_fit": 4.0, "test_normal_equation": 3.0, "w1": 3.0},
    **{f"test_{name}": 1.0 for name in ("k1", "k2", "k3", "q1", "q2", "q3")},
}


def points(root):
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        cells = gradebook.find_notebook(NAME, NAME).grade_cells
        return {cell.name: cell.max_score for cell in cells}


def test_what_the_gradebook_lacks_is_entered_and_no_release_is_written(root):
    register(load_course(root), [NAME])
    assert points(root) == POINTS
    assert not (root / "release").exists()


def test_changed_points_are_entered_again(root):
    register(load_course(root), [NAME])
    edit(root / SOURCE, '"predict" points=2', '"predict" points=3')
    register(load_course(root), [NAME])
    assert points(root) == POINTS | {"test_predict": 3.0}


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_an_exercise_with_submissions_can_become_a_bonus(root):
    register(load_course(root), [NAME])
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    edit(root / SOURCE, '"normal_equation" points=3', '"normal_equation" points=3 bonus')
    register(load_course(root), [NAME])
    assert points(root) == POINTS | {"test_normal_equation": 0.0}
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission(NAME, "ada").max_score == 20.0
        assert is_registered(gradebook, load_course(root).assignment(NAME))


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_other_exercises_under_a_name_with_submissions_are_refused_in_words(root):
    register(load_course(root), [NAME])
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    edit(root / SOURCE, '# %% exercise="normal_equation" points=3', "")
    with pytest.raises(CourseError, match=f"nbgrader db assignment remove {NAME}"):
        register(load_course(root), [NAME])
