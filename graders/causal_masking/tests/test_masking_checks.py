"""The visible checks of 03 show what would cost marks elsewhere: another device, a cut gradient."""

import pytest
from student_cells import check_cell

from autograder.bank import all_mistakes
from autograder.judging.answers import source_of

# What a check says, by the mistake.
SAID = {
    ("combine_masks", "made-on-the-cpu"): "Numbers go to the CPU on the way",
    ("additive_mask", "made-on-the-cpu"): "`mask` is on another device",
    ("additive_mask", "through-lists"): "Numbers go to the CPU on the way",
    ("additive_mask", "through-numpy"): "Numbers go to the CPU on the way",
    ("masked_softmax", "made-on-the-cpu"): "Numbers go to the CPU on the way",
    ("causal_attention", "mask-made-on-the-cpu"): "`q` is on another device",
    ("causal_attention", "gradient-cut"): "cut off from `q` and `k`",
    ("causal_attention", "values-cut-off"): "cut off from `v`",
}
SOURCES = {(one.exercise, one.slug): source_of(one) for one in all_mistakes()}


@pytest.mark.parametrize("place", SAID, ids=" ".join)
def test_what_would_cost_marks_fails_a_check(place):
    told = [one.says for one in check_cell(place[0], SOURCES[place]) if not one.passed]
    assert any(SAID[place] in text for text in told), told
