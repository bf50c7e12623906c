"""Names of wrong answers: two mistakes at once, mistakes in any style, and hardly a wrong name."""

import warnings
from collections import Counter

import pytest

from autograder.bank import Mistake, mistakes
from autograder.course.own_code import import_file, served
from autograder.judging import diagnose
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.behaviour import Observed, observe
from autograder.judging.combining import combined
from benchmarks.as_strangers_write import SLIPS, all_made
from benchmarks.names_counted import NOT_MADE
from benchmarks.names_judged import judged
from benchmarks.naming import named_without
from benchmarks.wrong_answers import LEFT_OUT, MADE, STRANGE, WrongAnswer, made, wrong_answers

for file in sorted(served().glob("graders/*/**/probe*.py")):
    import_file(file)

SEED, EACH = 5, 10
# Those whose whole bank is observed within a second.
SAMPLED = (
    *("scaled_scores", "attention_weights", "simple_attention", "attention_cost"),
    *("causal_mask", "padding_mask", "masked_softmax", "causal_attention"),
    *("split_heads", "attention_entropy", "scaled_dot_product_attention"),
)


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mistakes overflow and deprecate: that is their job
        yield


@pytest.fixture(scope="module")
def outcomes():
    """What became of a fixed sample of answers with one or two known mistakes."""
    counts = Counter()
    for exercise in SAMPLED:
        for answer in wrong_answers(exercise, EACH, SEED, MADE):
            named = diagnose(exercise, made(answer))
            counts[answer.kind, judged(answer, named)] += 1
    return counts


@pytest.mark.slow
def test_at_most_one_name_in_a_hundred_is_wrong(outcomes):
    wrong = sum(count for (_, outcome), count in outcomes.items() if outcome == "wrong")
    assert sum(outcomes.values()) > 120
    assert wrong <= sum(outcomes.values()) / 100


@pytest.mark.parametrize("exercise", SAMPLED)
def test_the_name_of_a_mistake_that_was_not_made_is_counted_as_wrong(exercise):
    first = mistakes(exercise)[0]
    answers = [one for one in wrong_answers(exercise, EACH, SEED, MADE) if first not in one.made]
    found = Counter(judged(answer, [first]) for answer in answers)
    assert set(found) <= {"wrong", "alike"}
    assert found["wrong"] > len(answers) / 2
    assert judged(answers[0], list(answers[0].made)) == "right"


def test_a_name_beside_the_right_one_that_explains_nothing_is_counted_as_wrong():
    """Both show where there is no GPU, and nowhere else: the second one is not to be seen."""
    right = entry_of("padding_mask", "through-numpy")
    idle = entry_of("padding_mask", "made-on-the-cpu")
    source = source_of(right)
    answer = WrongAnswer(LEFT_OUT, (right,), source, reference_source("padding_mask"), source)
    assert judged(answer, [right]) == "right"
    assert judged(answer, [right, idle]) == "wrong"


def test_the_name_of_a_slip_that_rewriting_brought_is_neither_right_nor_wrong():
    """Where the mistake brings the dtype that the slip leaves out, no base tells of it."""
    entry = entry_of("padding_mask", "mask-made-on-the-cpu")
    of_slip = entry_of("padding_mask", "float-mask")
    source, slips = all_made(source_of(entry), [slip("no dtype")], 1)
    base = reference_source("padding_mask")
    answer = WrongAnswer(STRANGE, (entry,), source, base, source_of(entry), slips)
    assert slips
    assert judged(answer, [entry, of_slip]) == "right"
    assert judged(answer, [of_slip]) == "symptom"
    assert judged(answer, [of_slip], is_made=False) == NOT_MADE
    assert judged(answer, [entry_of("padding_mask", "one-position-too-many")]) == "wrong"


def test_a_wrong_guard_is_no_mistake_any_more_where_there_is_no_guard():
    entry = entry_of("strongest_links", "too-many-tokens-accepted")
    base = reference_source("strongest_links")
    source, slips = all_made(source_of(entry), [slip("no guard")], 1)
    assert WrongAnswer(STRANGE, (entry,), source, base, source_of(entry), slips).is_lost
    source, slips = all_made(source_of(entry), [slip("assert")], 1)
    assert not WrongAnswer(STRANGE, (entry,), source, base, source_of(entry), slips).is_lost


def test_most_mistakes_made_in_other_right_answers_are_named(outcomes):
    assert share(outcomes, "in a variant", "right") > 0.8


def test_most_pairs_of_mistakes_are_named(outcomes):
    assert share(outcomes, "two in the reference", "right") > 0.6
    assert share(outcomes, "two in the reference", "right", "one of two", "alike") > 0.75


PAIRS = [
    ("scaled_scores", "no-scale", "keys-by-queries"),
    ("causal_attention", "masked-after-softmax", "output-alone"),
    ("MultiHeadAttention", "output-projection-on-values", "mask-inverted"),
    ("scaled_dot_product_attention", "scaled-twice", "mask-transposed"),
    ("scaled_dot_product_attention", "no-scale", "mask-after-softmax"),
]


@pytest.mark.parametrize(("exercise", "one", "other"), PAIRS)
def test_two_mistakes_at_once_are_both_named(exercise, one, other):
    source = combined(entry_of(exercise, one), entry_of(exercise, other))
    assert set(named(exercise, source)) == {one, other}


def test_two_mistakes_in_other_words_are_both_named():
    answer = """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", q, k)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.einsum("...qk,...kd->...qd", weights, v), weights
"""
    slugs = named("scaled_dot_product_attention", answer)
    assert set(slugs) == {"no-scale", "mask-after-softmax"}


def test_two_mistakes_that_look_like_others_are_named_by_what_these_share():
    """Alone, the two orders of the scale differ; beside this transpose, no observation tells."""
    first, second = "transpose-of-a-batch-only", "scale-by-second-axis"
    source = combined(entry_of("scaled_scores", first), entry_of("scaled_scores", second))
    assert named("scaled_scores", source) == [first]


def test_two_mistakes_that_behave_as_a_third_are_called_by_its_name():
    one = entry_of("causal_mask", "mask-inverted")
    other = entry_of("causal_mask", "diagonal-excluded")
    assert named("causal_mask", combined(one, other)) == ["mask-transposed"]


STYLES = [
    (
        "dot_product_scores",
        "scaled-already",
        """
def dot_product_scores(q, k):
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    assert not scores.isnan().any()
    return scores
""",
    ),
    (
        "weighted_values",
        "values-first",
        """
def weighted_values(weights, v):
    if v.dtype in (torch.float16, torch.bfloat16):
        return (weights.float() @ v.float()).to(v.dtype)
    return v @ weights
""",
    ),
]


@pytest.mark.parametrize(("exercise", "slug", "answer"), STYLES)
def test_a_mistake_in_a_style_of_right_answers_keeps_its_name(exercise, slug, answer):
    assert named(exercise, answer) == [slug]


def test_a_mistake_that_shows_in_half_precision_alone_explains_no_second_one():
    """What stops there may stop for any reason, and not because a fill is too large for it."""
    refusing = """
written = masked_softmax
def masked_softmax(scores, mask):
    if scores.dtype is torch.float16:
        raise RuntimeError("float16 is for GPUs")
    return written(scores, mask)
"""
    single = source_of(entry_of("masked_softmax", "float32-always"))
    assert named("masked_softmax", single) == ["float32-always"]
    assert named("masked_softmax", single + refusing) == []


# Where probes ask in float64, one is the other, but for what style may explain.
AS_ANOTHER_IN_DOUBLE_PRECISION = {"double-precision-lost", "float32-always"}


@pytest.mark.parametrize("exercise", ["scaled_scores", "attention_weights", "padding_mask"])
def test_a_mistake_that_nobody_knows_is_not_called_by_the_name_of_another(exercise):
    answers = list(wrong_answers(exercise, 0, SEED, [LEFT_OUT]))
    assert len(answers) == len(mistakes(exercise))
    others = [one for one in answers if one.made[0].slug not in AS_ANOTHER_IN_DOUBLE_PRECISION]
    found = Counter(judged(answer, named_without(answer, [])) for answer in others)
    assert set(found) <= {"symptom", "alike"}


NOBODY_KNOWS = [
    ("masked_softmax", "fill-too-soft"),  # two ideas explain its plain values, and nothing else
    ("causal_mask", "additive-mask"),  # -inf counts as True, where nobody asks what it is
    ("fuse_qkv", "float32-always"),  # as who fills a tensor on the CPU, but it is not there
    ("decode_step", "last-step-overwritten"),  # a cache of one step looks ignored
    ("decode_step", "cache-kept-in-the-module"),
]


@pytest.mark.parametrize(("exercise", "slug"), NOBODY_KNOWS)
def test_a_mistake_that_nobody_knows_is_not_called_by_one_that_looks_alike(exercise, slug):
    answers = [
        one for one in wrong_answers(exercise, 0, SEED, [LEFT_OUT]) if one.made[0].slug == slug
    ]
    assert answers
    assert [named_without(one, []) for one in answers] == [[] for _ in answers]


def test_a_mistake_that_nobody_knows_is_called_by_what_it_is_made_of():
    """-1e9 for minus infinity: even shares for empty rows, and a number that float16 lacks."""
    answer = next(
        one
        for one in wrong_answers("masked_softmax", 0, SEED, [LEFT_OUT])
        if one.made[0].slug == "minus-1e9-for-infinity"
    )
    slugs = {one.slug for one in named_without(answer, [])}
    assert slugs == {"dead-rows-uniform", "fill-too-large-for-float16"}


def test_changes_that_touch_the_same_words_do_not_go_together():
    one = entry_of("scaled_scores", "no-scale")
    assert combined(one, entry_of("scaled_scores", "scale-without-root")) is None


def test_what_both_mistakes_rewrite_alike_is_rewritten_once():
    one = entry_of("scaled_scores", "no-scale")
    other = entry_of("scaled_scores", "keys-by-queries")
    assert "return k @ q.mT" in combined(one, other)


def test_a_whole_cell_counts_as_a_change_of_the_right_answer_it_is_closest_to():
    one = entry_of("weighted_values", "weights-transposed")
    whole = [entry for entry in mistakes("weighted_values") if entry.code]
    assert any(combined(one, entry) is not None for entry in whole)


def test_a_whole_cell_that_waits_in_a_loop_is_combined_with_no_other():
    """With another mistake in it, what the loop waits for may never come."""
    cell = """
def weighted_values(weights, v):
    {} v.ndim > 9:
        v = v[0]
    return weights @ v
"""
    twice = cell.replace("{} v.ndim > 9:\n        v = v[0]\n    return ", "return 2 * ")
    waiting, asking, other = (
        Mistake("weighted_values", slug, "", "", code=code)
        for slug, code in zip("abc", (cell.format("while"), cell.format("if"), twice), strict=True)
    )
    assert "2 * weights" in combined(asking, other)
    assert combined(waiting, other) is None


def test_what_is_kept_of_an_answer_is_what_it_does_when_it_runs_again():
    source = reference_source("scaled_scores")
    behaviour = observe("scaled_scores", student_with("scaled_scores", source))
    kept = Observed("scaled_scores", source)
    assert kept.behaves_like(behaviour)
    kept.release()
    assert kept.behaves_like(behaviour)


def slip(name):
    return next(one for one in SLIPS if one.name == name)


def entry_of(exercise, slug):
    return next(entry for entry in mistakes(exercise) if entry.slug == slug)


def named(exercise, source):
    student = student_with(exercise, "import math\nimport torch\n" + source)
    return [entry.slug for entry in diagnose(exercise, student)]


def share(outcomes, kind, *good):
    counts = {outcome: count for (of, outcome), count in outcomes.items() if of == kind}
    return sum(counts.get(outcome, 0) for outcome in good) / sum(counts.values())
