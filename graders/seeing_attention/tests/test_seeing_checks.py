"""06's visible checks pass every right answer, and tell typical mistakes what to look at."""

from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

import solutions
from autograder.bank import Variant, mistakes, variants
from autograder.checks.kit.discovery import module_of
from autograder.checks.kit.running import run_checks
from autograder.judging.answers import reference_source, source_of, student_with

mpl.use("Agg")
EXERCISES = (
    *("plot_attention", "strongest_links", "compare_attention"),
    *("attention_entropy", "classify_pattern", "load_attention"),
)
RIGHT = [variant for exercise in EXERCISES for variant in variants(exercise)]
TOLD = {
    ("plot_attention", "map-transposed"): "Rows and columns are swapped",
    ("plot_attention", "queries-from-the-bottom"): "Query 0 stands at the bottom",
    ("plot_attention", "limits-from-the-data"): "change their meaning",
    ("plot_attention", "ticks-at-the-corners"): "at the middle of a cell",
    ("plot_attention", "tokens-not-seen"): "No token can be seen there",
    ("plot_attention", "last-row-cut-off"): "Some cells cannot be seen",
    ("plot_attention", "given-axes-ignored"): "still empty",
    ("strongest_links", "ties-reversed"): "Some links differ",
    ("strongest_links", "largest-last"): "in another order",
    ("strongest_links", "ties-by-chance"): "in another order",
    ("compare_attention", "mask-after-softmax"): "do not sum to 1",
    ("attention_entropy", "bits-for-nats"): "in bits",
    ("attention_entropy", "gradient-nan-at-zero"): "Which step meets the weight 0",
    ("classify_pattern", "local-before-focused"): "in the order of the rules",
    ("load_attention", "layers-not-chained"): "What is x in each layer?",
    ("load_attention", "segments-all-zero"): "segment",
    ("load_attention", "scale-by-model-width"): "scores divided",
}


@pytest.fixture(autouse=True)
def _beside_the_checkpoint(monkeypatch):
    folder = Path(solutions.__file__).parent.parent / "assignments" / "06-seeing-attention"
    monkeypatch.chdir(folder)
    yield
    plt.close("all")


def findings(exercise, source):
    namespace = student_with(exercise, source)._namespace
    return run_checks(exercise, module_of(exercise), namespace)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_passes(exercise):
    found = findings(exercise, reference_source(exercise))
    assert len(found) >= 2
    assert [one.says for one in found if not one.passed] == []


@pytest.mark.parametrize("variant", RIGHT, ids=lambda one: f"{one.exercise}: {one.name}")
def test_every_right_answer_passes(variant: Variant):
    found = findings(variant.exercise, source_of(variant))
    assert [one.says for one in found if not one.passed] == []


@pytest.mark.parametrize(("exercise", "slug"), TOLD, ids=" ".join)
def test_a_typical_mistake_is_told_what_to_look_at(exercise, slug):
    entry = next(entry for entry in mistakes(exercise) if entry.slug == slug)
    first = next(one for one in findings(exercise, source_of(entry)) if not one.passed)
    assert TOLD[exercise, slug] in first.says


@pytest.mark.parametrize("slug", ["no-scale", "layers-not-chained", "values-without-weights"])
def test_a_step_missing_for_one_text_is_not_put_on_the_segments_of_a_pair(slug):
    (entry,) = [one for one in mistakes("load_attention") if one.slug == slug]
    told = [one.says for one in findings("load_attention", source_of(entry)) if not one.passed]
    assert any("one text alone" in says for says in told)
    assert not any("segment" in says for says in told)


def test_an_order_of_equal_weights_that_holds_for_few_keys_alone_fails_a_check():
    source = reference_source("strongest_links").replace(", stable=True)", ")")
    assert not all(one.passed for one in findings("strongest_links", source))


def test_labels_without_ticks_fail_a_check_though_they_fit_five_tokens():
    entries = [one for one in mistakes("plot_attention") if one.slug == "tokens-without-places"]
    assert len(entries) == 3
    assert not all(one.passed for one in findings("plot_attention", source_of(entries[-1])))


def test_the_entropy_of_the_claim_is_the_one_that_is_expected():
    (entry,) = [one for one in mistakes("attention_entropy") if one.slug == "bits-for-nats"]
    first = findings("attention_entropy", source_of(entry))[0]
    assert "0.9404" in first.claim
    assert "0.9404" in first.expected


def test_a_check_leaves_no_figure_for_the_notebook_to_show():
    findings("plot_attention", reference_source("plot_attention"))
    assert plt.get_fignums() == []
