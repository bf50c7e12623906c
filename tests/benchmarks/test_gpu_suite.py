"""The suite for a GPU, where there is none: it says so, and its table counts what was skipped."""

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox.gpu import why_no_gpu

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(why_no_gpu() is None, reason="a GPU is here")]

AS_IF_THERE_WERE_ONE = """
import sys
sys.argv = ["gpu_suite"]
from benchmarks import gpu_suite
gpu_suite.why_no_gpu = lambda: None
gpu_suite.first_contact = lambda: "not tried"
raise SystemExit(gpu_suite.main())
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=300
    )


def test_without_a_gpu_it_says_so_and_runs_nothing() -> None:
    done = run("-m", "benchmarks.gpu_suite")
    assert done.returncode == 1
    assert "Nothing was run: This machine has no NVIDIA GPU" in done.stderr
    assert done.stdout == ""


def test_its_table_counts_each_test_once() -> None:
    done = run("-c", AS_IF_THERE_WERE_ONE)
    assert done.returncode == 0, done.stdout + done.stderr
    *parts, whole = [
        line.split("|")[1:6] for line in done.stdout.splitlines() if "| 0 | 0 |" in line
    ]
    assert len(parts) == 3
    skipped = [int(part[3]) for part in parts]
    assert all(skipped)
    assert int(whole[3]) == sum(skipped)
    assert f"{sum(skipped)} skipped" in done.stdout
