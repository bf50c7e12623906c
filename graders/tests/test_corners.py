"""What is wrong in a corner costs marks, and never most of them."""

from pathlib import Path

import pytest
from grading import Answer, grade
from student_cells import is_here

from autograder.course.own_code import import_file
from autograder.judging.answers import reference_source, source_of

pytestmark = pytest.mark.slow

FILES = sorted(Path(__file__).parents[1].glob("*/*/mistakes_in_corners.py"))
ENTRIES = [
    entry for file in FILES for entry in import_file(file).MISTAKES if is_here(entry.exercise)
]
# No name is sure of these: what they do is another thing each time, by chance or by earlier calls.
WITHOUT_A_NAME = [
    Answer(
        "FusedMultiHeadAttention",
        "one rate for all",
        reference_source("FusedMultiHeadAttention").replace(
            "dropout_p=dropout", "dropout_p=0.5 * (dropout > 0)"
        ),
    ),
    Answer(
        "padding_mask",
        "kept by its shape",
        """
kept = {}

def padding_mask(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    key = len(lengths), max_len, lengths.device
    if key not in kept:
        kept[key] = torch.arange(max_len, device=lengths.device) < lengths[:, None]
    return kept[key]
""",
    ),
]
ANSWERS = [
    *WITHOUT_A_NAME,
    *(
        Answer(entry.exercise, f"{entry.slug} {number}", source_of(entry))
        for number, entry in enumerate(ENTRIES)
    ),
]


@pytest.fixture(scope="module")
def graded():
    return grade(ANSWERS, b"secret")


def test_every_folder_of_graders_with_such_mistakes_is_here():
    assert len(FILES) > 10
    assert len(ANSWERS) > 100


def test_a_corner_costs_marks_and_not_all(graded):
    shares = {str(answer): one.share for answer, one in graded.items()}
    assert {name: share for name, share in shares.items() if not 0.2 < share < 1} == {}


def test_a_change_in_place_is_told_from_other_errors(graded):
    (found,) = (
        one for answer, one in graded.items() if "exponentials-divided-in-place" in answer.name
    )
    (failed,) = (one for one in found.found if one.outcome == "failed")
    assert failed.name == "gradients_reach_the_scores"
    assert "changes a tensor in place" in failed.symptom


def test_no_grader_fails_of_itself(graded):
    assert [one.fault for found in graded.values() for one in found.found if one.fault] == []
