"""The visible checks of 05 beside the module's name typical mistakes, and blame nothing else."""

import pytest
from student_cells import EXERCISES as CHECKED
from student_cells import check_cell

from autograder.bank import all_mistakes, all_variants
from autograder.judging.answers import reference_source, source_of

EXERCISES = (
    "fuse_qkv",
    "fused_from_projections",
    "tiled_attention",
    "decode_step",
    "grouped_query_attention",
    *(["triton_attention"] if "triton_attention" in CHECKED else []),
)
# What a check says, by the mistake.
SAID = {
    ("fuse_qkv", "side-by-side"): "The weights lie side by side",
    ("fuse_qkv", "keys-and-values-swapped"): "in another order",
    ("fuse_qkv", "weights-transposed"): "Each weight was transposed",
    ("fuse_qkv", "rows-dealt-in-turn"): "rows of the three weights alternate",
    ("fuse_qkv", "float32-always"): "bfloat16 is wanted here",
    ("fuse_qkv", "gradient-cut"): "cut off from `w_q`, `w_k` and `w_v`",
    ("fused_from_projections", "biases-forgotten"): "Is every bias carried over",
    ("fused_from_projections", "numbers-shared"): "Who owns them?",
    ("fused_from_projections", "out-transposed"): "The weight of w_o was transposed",
    ("fused_from_projections", "bias-made-up"): "The projections have no bias",
    ("fused_from_projections", "number-of-heads-ignored"): "Are the heads as many as asked",
    ("fused_from_projections", "copied-with-gradients-on"): "stopped with RuntimeError",
    ("fused_from_projections", "state-in-place-of-a-module"): "is promised",
    ("tiled_attention", "rescale-forgotten"): "l as well as o",
    ("tiled_attention", "sum-not-rescaled"): "And in l?",
    ("tiled_attention", "output-not-rescaled"): "And in o?",
    ("tiled_attention", "never-divided"): "What is left to be done with l?",
    ("tiled_attention", "last-partial-block-dropped"): "With block_size=3, some keys are lost",
    ("tiled_attention", "block-offset-forgotten"): "lies in its future",
    ("tiled_attention", "is-causal-ignored"): "Does is_causal apply?",
    ("tiled_attention", "always-causal"): "Nobody asked for a causal mask",
    ("tiled_attention", "no-maximum-subtracted"): "exp(2000) is too large",
    ("tiled_attention", "no-scale"): "By the root of which width?",
    ("tiled_attention", "gradient-cut"): "cut off from `q`, `k` and `v`",
    ("decode_step", "cache-never-grown"): "Steps are missing",
    ("decode_step", "cache-grown-but-not-used"): "attends to itself alone",
    ("decode_step", "causal-from-the-top-left"): "May the newest one see only key 0?",
    ("decode_step", "newest-step-in-front"): "stands in front",
    ("decode_step", "cache-changed-in-place"): "writes into the cache",
    ("decode_step", "pair-swapped"): "have changed places in the pair",
    ("decode_step", "no-output-projection"): "Which layer comes after attention?",
    ("decode_step", "cache-not-split-into-heads"): "Whole vectors are cached",
    ("decode_step", "only-the-output-returned"): "Two values are promised",
    ("grouped_query_attention", "key-heads-dealt-in-turn"): "dealt out in turn",
    ("grouped_query_attention", "keys-dealt-in-turn"): "The keys are dealt out in turn",
    ("grouped_query_attention", "first-key-head-for-all"): "All query heads get key head 0",
    ("grouped_query_attention", "key-heads-averaged"): "mean of both key heads",
    ("grouped_query_attention", "no-scale"): "not divided by the root",
    ("grouped_query_attention", "is-causal-ignored"): "Does is_causal apply?",
    ("grouped_query_attention", "numbers-not-named"): "name both numbers",
    ("grouped_query_attention", "gradient-cut"): "cut off from",
    ("triton_attention", "never-divided"): "What is left to be done with l?",
    ("triton_attention", "no-scale"): "By the root of which width?",
    ("triton_attention", "absent-keys-counted"): "Places behind the last key get a weight",
    ("triton_attention", "rescale-forgotten"): "what becomes of l and o?",
    ("triton_attention", "maximum-not-kept"): "Some keys do not count",
    ("triton_attention", "no-maximum-subtracted"): "exp(2000) is too large",
    ("triton_attention", "is-causal-ignored"): "Does is_causal reach your kernel?",
    ("triton_attention", "always-causal"): "Nobody asked for a causal mask",
    ("triton_attention", "query-offset-forgotten"): "Query 64 is the first that is wrong",
    ("triton_attention", "keys-of-the-first-head"): "All heads give the same",
    ("triton_attention", "first-head-only"): "Some heads are never written",
    ("triton_attention", "result-in-single-precision"): "float16 is wanted here",
    ("triton_attention", "queries-scaled-in-place"): "changed its input",
    ("triton_attention", "numbers-not-named"): "name both numbers",
}
SAID = {place: text for place, text in SAID.items() if place[0] in EXERCISES}
SOURCES = {(m.exercise, m.slug): source_of(m) for m in all_mistakes() if m.exercise in EXERCISES}


def failed(exercise, cell):
    """What the checks say of a cell: came back, expected and advice of each that fails."""
    return [one for one in check_cell(exercise, cell) if not one.passed]


@pytest.mark.parametrize(("exercise", "slug"), SAID)
def test_the_first_advice_names_the_mistake(exercise, slug):
    first = failed(exercise, SOURCES[exercise, slug])[0]
    assert SAID[exercise, slug] in first.says


@pytest.mark.parametrize("slug", ["rescale-forgotten", "output-not-rescaled", "no-scale"])
def test_keys_are_called_lost_only_where_some_are(slug):
    texts = [one.says for one in failed("tiled_attention", SOURCES["tiled_attention", slug])]
    assert not any("lost or counted twice" in text for text in texts)


@pytest.mark.parametrize("slug", ["rescale-forgotten", "sum-not-rescaled", "output-not-rescaled"])
def test_a_batch_with_heads_finds_a_forgotten_rescaling_too(slug):
    claims = [one.claim for one in failed("tiled_attention", SOURCES["tiled_attention", slug])]
    assert any(claim.startswith("A batch of 2 with 3 heads") for claim in claims)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_right_answers_in_any_style_pass(exercise):
    for variant in all_variants():
        if variant.exercise == exercise:
            assert failed(exercise, source_of(variant)) == [], variant.name


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_row_says_what_was_called_and_what_came_back(exercise):
    for one in check_cell(exercise, reference_source(exercise)):
        assert one.called.startswith(exercise)
        assert one.came_back
