"""No right answer that takes the place of a wrong one gives a later answer away."""

import pytest
from grading import ROOT

from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.course.own_code import import_file
from autograder.judging import registry
from autograder.proof import oracles
from autograder.proof.given_away import is_pulled_back, is_the_same, is_undone

SEEN = [
    (is_the_same, "weighted_values", "dot_product_scores"),
    (is_the_same, "RepairedAttention", "SelfAttention"),
    (is_undone, "merge_heads", "split_heads"),
    (is_pulled_back, "weighted_values", "dot_product_scores"),
]
NAMES = ("01-attention-by-hand", "02-self-attention", "04-multi-head-attention")


@pytest.fixture(scope="module", autouse=True)
def course():
    read = load_course(ROOT)
    for name in NAMES:
        for file in grader_files(ROOT, name):
            import_file(file)
    return read


@pytest.mark.parametrize(("probe", "exercise", "part"), SEEN)
def test_each_probe_sees_what_gives_an_answer_away(probe, exercise, part):
    assert probe(exercise, part)


@pytest.mark.parametrize("probe", [is_the_same, is_undone, is_pulled_back])
def test_no_probe_sees_a_step_on_the_way(probe):
    assert not probe("attention_weights", "scaled_scores")
    assert not probe("MultiHeadAttention", "split_heads")


def test_an_author_is_told_of_a_pair_that_is_not_kept_apart(course, monkeypatch):
    assignment = course.assignment("04-multi-head-attention")
    assert oracles(assignment) == []
    monkeypatch.delitem(registry._own, ("merge_heads", "split_heads"))
    (found,) = map(str, oracles(assignment))
    assert found.startswith("merge_heads: one of it and split_heads undoes what the other does.")
    assert 'keep_own("merge_heads", "split_heads", because=...)' in found
