"""One mistake costs once: a wrong module or a wrong fuse_qkv takes no marks from what uses it."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source, source_of
from autograder.misconceptions import mistakes

# What these leave behind lacks the layers or the sizes that the next exercise works on.
UNUSABLE = {
    *("three-projections", "no-bias-in-qkv", "no-bias-in-out"),
    *("side-by-side", "stacked-on-a-new-axis", "result-transposed"),
    *("weights-added", "multiplied-together", "changed-in-place"),
}
BUILDS_ON = (
    ("decode_step", "FusedMultiHeadAttention"),
    ("fused_from_projections", "FusedMultiHeadAttention"),
    ("fused_from_projections", "fuse_qkv"),
)
ANSWERS = [
    Answer(later, f"on {earlier}, {entry.slug}", f"{source_of(entry)}\n{reference_source(later)}")
    for later, earlier in BUILDS_ON
    for entry in mistakes(earlier)
    if entry.slug not in UNUSABLE
]


@pytest.mark.filterwarnings("ignore")
def test_what_is_right_keeps_its_marks_on_a_wrong_part():
    graded = grade(ANSWERS, b"secret")
    assert {name: found.share for name, found in graded.items() if found.share < 1} == {}


def test_a_wrong_part_is_not_named_a_second_time():
    unusable = [
        Answer(later, entry.slug, f"{source_of(entry)}\n{reference_source(later)}")
        for later, earlier in BUILDS_ON
        for entry in mistakes(earlier)
        if entry.slug in UNUSABLE
    ]
    assert {
        name: found.named for name, found in grade(unusable, b"secret").items() if found.named
    } == {}
