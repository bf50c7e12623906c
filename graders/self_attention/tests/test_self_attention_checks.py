"""The visible checks of 01's averages and of 02 name typical mistakes, and never the answer."""

import re

import pytest
from student_cells import check_cell, solved, with_cell

from autograder.bank import mistakes
from autograder.checks.kit.checking import look
from autograder.judging.answers import source_of

# exercise, slug of the mistake, what the checks say of it
NAMED = [
    ("dot_product_scores", "keys-by-queries", "Rows and columns are swapped"),
    ("dot_product_scores", "scaled-already", "not plain dot products"),
    ("dot_product_scores", "weights-for-scores", "Scores come without softmax"),
    ("dot_product_scores", "queries-changed", "Your code changed its input"),
    ("weighted_values", "divided-by-number-of-keys", "a third of what it should be"),
    ("weighted_values", "softmax-again", "They are weights already"),
    ("weighted_values", "plain-average", "Where do its own weights enter?"),
    ("simple_attention", "scaled-though-raw", "The scores were scaled"),
    ("simple_attention", "only-the-output", "One tensor came back where two are promised"),
    ("simple_attention", "weights-first", "Did they come first?"),
    ("simple_attention", "scores-returned", "What share does softmax give a score of 0?"),
    ("simple_attention", "softmax-over-queries", "each token shares out 1"),
    ("simple_attention", "weights-transposed", "not the average of the tokens"),
    ("project_qkv", "queries-only", "Three tensors are promised"),
    ("project_qkv", "float32-always", "bfloat16 is wanted"),
    ("scaled_dot_product_attention", "no-scale", "Which division is missing?"),
    ("scaled_dot_product_attention", "scale-without-root", "You divide by the width itself"),
    ("scaled_dot_product_attention", "scale-by-width-of-values", "Whose width is it that counts?"),
    ("scaled_dot_product_attention", "softmax-over-queries", "Your columns sum to 1"),
    ("scaled_dot_product_attention", "no-softmax", "These are the scores"),
    ("scaled_dot_product_attention", "mask-inverted", "True in a mask means allowed"),
    ("scaled_dot_product_attention", "mask-ignored", "The mask changes nothing"),
    ("scaled_dot_product_attention", "filled-with-zero", "still gets a share"),
    ("scaled_dot_product_attention", "mask-after-softmax", "Mask earlier"),
    ("SelfAttention", "bias-always", "a bias that nobody asked for"),
    ("SelfAttention", "other-names", "not found: w_q.weight"),
    ("SelfAttention", "values-as-wide-as-keys", "The widths differ"),
    ("SelfAttention", "no-scale", "What is the scale?"),
    ("SelfAttention", "scale-by-d-model", "How wide are queries and keys here?"),
    ("SelfAttention", "mask-inverted", "Only what should be hidden is left"),
    ("RepairedAttention", "nothing-mended", "`forward` promises two values"),
    ("RepairedAttention", "scale-and-softmax-left", "Over which axis does the softmax run?"),
    ("RepairedAttention", "scale-by-d-model", "How wide are queries and keys here?"),
    ("RepairedAttention", "mask-after-softmax", "Mask earlier"),
]
ANSWERS = r"torch\.|transpose\(|\.mT|sqrt\(|dim=-1\b|masked_fill\(|math\.inf|@"


@pytest.fixture(scope="module")
def told():
    return {(exercise, slug): said(exercise, slug) for exercise, slug, _ in NAMED}


def said(exercise, slug):
    entry = next(entry for entry in mistakes(exercise) if entry.slug == slug)
    findings = check_cell(exercise, source_of(entry))
    return [finding.says for finding in findings if not finding.passed]


@pytest.mark.parametrize(("exercise", "slug", "wanted"), NAMED)
def test_a_typical_mistake_is_named(told, exercise, slug, wanted):
    assert any(wanted in text for text in told[exercise, slug]), told[exercise, slug]


@pytest.mark.parametrize(
    "exercise", ["scaled_dot_product_attention", "SelfAttention", "RepairedAttention"]
)
def test_softmax_over_queries_is_not_taken_for_a_mask_that_comes_too_late(exercise):
    texts = said(exercise, "softmax-over-queries")
    assert any("Your columns sum to 1" in text for text in texts)
    assert not any("Mask earlier" in text for text in texts)


def test_one_value_is_not_drawn_as_weights():
    (entry,) = [one for one in mistakes("RepairedAttention") if one.slug == "nothing-mended"]
    unrepaired = with_cell("RepairedAttention", source_of(entry))
    assert look("RepairedAttention", unrepaired).drawing is None
    assert look("RepairedAttention", solved("RepairedAttention")).drawing is not None


def test_no_message_contains_the_code_that_is_asked_for(told):
    texts = {text for messages in told.values() for text in messages}
    assert [text for text in texts if re.search(ANSWERS, text)] == []


def test_a_check_that_was_spoilt_in_place_is_whole_again_for_the_next_run():
    assert said("dot_product_scores", "queries-changed")
    good = "def dot_product_scores(q, k):\n    return q @ k.transpose(-1, -2)"
    assert all(finding.passed for finding in check_cell("dot_product_scores", good))
