"""The calibration sees how near the bound an answer comes, on either side of it."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from rich.console import Console

from autograder.judging.tolerance import FLOORS
from benchmarks.calibration import WIDE, Answer, answers_of, calibrate, show

SINGLE = ("float32", "values")
ROUNDED = 0.05  # single precision rounds beside what the answers are off by
OFF = """
def scaled_scores(q, k):
    {before}
    return q @ k.mT / math.sqrt(q.shape[-1]) * {factor}
"""


def off(name, factor, right, before="pass"):
    """Scores that are wrong by a factor."""
    return Answer("scaled_scores", name, OFF.format(factor=factor, before=before), right)


def by(ratio):
    """The factor that puts scores in single precision this far from the exact ones."""
    return 1 + ratio * FLOORS["float32"]


def calibrated(answers, seeds=2):
    printed = StringIO()
    console = Console(file=printed, width=200)
    with ThreadPoolExecutor(1) as pool:
        findings = calibrate(answers, seeds, pool, console)
    show(findings, answers, console)
    return findings, printed.getvalue()


@pytest.fixture(scope="module")
def bank():
    answers = answers_of(["softmax", "scaled_scores"])
    wrong = [answer for answer in answers if not answer.right]
    return [answer for answer in answers if answer.right] + wrong[::4]


@pytest.fixture(scope="module")
def plain(bank):
    return calibrated(bank)


def test_right_answers_lie_below_the_bound_and_mistakes_far_above(plain, bank):
    findings, printed = plain
    assert findings.secrets == {True: 2, False: 1}
    assert findings.lost == []
    assert findings.right[None].ratio < 1
    assert findings.gap() > WIDE
    assert (
        f"{sum(one.right for one in bank)} right answers under 2 secrets: 0 tests failed" in printed
    )
    assert printed.endswith(f"Gap: {findings.gap():.3g}\n")


def test_every_dtype_and_kind_of_comparison_has_its_row(plain):
    findings, printed = plain
    dtypes = {group[0] for group in findings.made if group}
    assert {"float16", "bfloat16", "float32", "float64"} <= dtypes
    assert {"values", "gradients"} <= {group[1] for group in findings.made if group}
    for dtype in dtypes:
        assert dtype in printed


def test_a_worse_right_answer_narrows_the_gap_by_its_own_factor(bank, plain):
    findings, _ = calibrated([*bank, off("worse", by(0.9), right=True)])
    assert findings.lost == []
    assert findings.right[SINGLE].ratio == pytest.approx(0.9, rel=ROUNDED)
    assert "scaled_scores/worse" in findings.right[SINGLE].where
    assert findings.gap() < plain[0].gap()


def test_a_right_answer_beyond_the_bound_is_found(bank, plain):
    findings, printed = calibrated([*bank, off("worse", by(3), right=True)])
    assert findings.right[None].ratio == pytest.approx(3, rel=ROUNDED)
    assert findings.gap() == pytest.approx(findings.least_wrong().ratio / 3, rel=ROUNDED)
    assert "WRONG  a right answer fails: scaled_scores/worse" in printed


def test_a_mistake_near_the_bound_narrows_the_gap(bank):
    findings, _ = calibrated([*bank, off("subtle", by(1.5), right=False)])
    assert findings.least_wrong().ratio == pytest.approx(1.5, rel=ROUNDED)
    assert findings.gap() < WIDE


def test_a_mistake_that_another_test_catches_too_leaves_the_gap(bank, plain):
    rude = off("rude", by(1.5), right=False, before="q.data.mul_(1)\n    q.data.add_(1).sub_(1)")
    findings, printed = calibrated([*bank, rude])
    assert findings.otherwise == {"scaled_scores/rude"}
    assert findings.gap() == plain[0].gap()
    assert "near the bound, but not for another test: scaled_scores/rude" in printed


def test_what_is_infinitely_wrong_is_counted_apart(bank, plain):
    findings, _ = calibrated([*bank, off("nothing", "math.nan", right=False)])
    assert findings.infinite[None] == plain[0].infinite[None] + 1
    assert findings.gap() == plain[0].gap()


def test_a_mistake_that_only_some_secrets_show_is_named(bank):
    lucky = off("lucky", f"(1 if q.max() < 3 else {by(500)})", right=False)
    findings, printed = calibrated([lucky, bank[0]], seeds=40)
    assert 0 < findings.caught["scaled_scores/lucky"] < findings.secrets[False]
    assert ": scaled_scores/lucky" in printed
