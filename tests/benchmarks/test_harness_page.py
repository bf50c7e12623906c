"""What the page on harnesses says of runs, one of which gave other marks than at home."""

from pathlib import Path

import pytest

pytest.importorskip("torch")  # which the page names


def test_a_run_with_other_marks_is_counted_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "harness"))
    from benchmarks.harness.__main__ import report
    from benchmarks.harness.containers import Took
    from benchmarks.harness.runs import Run

    took = Took(0, "", 41.6, 5.2, 326.4)
    runs = [
        Run("A platform", "Debian", "NumPy alone", "all right", is_so, took) for is_so in (1, 0)
    ]
    page = report(runs, ["| torch | 400 MB | no results.json |"])
    assert "1 of 2 runs gave the marks of `autograder grade`" in page
    rows = [line for line in page.splitlines() if line.startswith("| A platform")]
    assert rows == [
        "| A platform | Debian | NumPy alone | all right | equal | 5 | 42 | 326 |",
        "| A platform | Debian | NumPy alone | all right | **DIFFERENT** | 5 | 42 | 326 |",
    ]
    assert "| torch | 400 MB | no results.json |" in page
