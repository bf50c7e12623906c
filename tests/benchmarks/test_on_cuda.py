"""The benchmark on a GPU tries itself on the CPU: its contestants agree, and its table is whole."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
SMALL = ("--batch=2", "--heads=2", "--length=12", "--d-head=8", "--square=32", "--repeat=3")


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.on_cuda", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_it_compares_all_contestants_in_every_case(dtype: str, tmp_path: Path) -> None:
    done = run("--device", "cpu", "--dtype", dtype, *SMALL, "--write", str(tmp_path / "cuda.md"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "cuda.md").read_text(encoding="utf-8").strip() == done.stdout.strip()
    rows = [line.split(" | ") for line in done.stdout.splitlines() if "ward | " in line]
    assert len(rows) == 4 * 3
    ratios = [float(row[4]) for row in rows if row[4].strip()]
    assert len(ratios) == 4 * 2
    assert all(ratio > 0 for ratio in ratios)


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
def test_without_a_gpu_it_says_so() -> None:
    done = run(*SMALL)
    assert done.returncode == 1
    assert "sees no GPU" in done.stderr
