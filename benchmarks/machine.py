"""Where and when figures were made."""

import datetime
import os
import platform
import subprocess
from pathlib import Path

import torch

ROOT = Path(__file__).parent.parent


def described() -> str:
    """The date, the commit and the machine, in a sentence."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"{datetime.date.today()}, commit {commit()}; {cores} cores ({processor()}), "
        f"Linux {platform.release()}, Python {platform.python_version()}, torch {torch.__version__}"
    )


def processor() -> str:
    """The processor's name, where the system tells it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def commit() -> str:
    """The commit that is checked out, with a sign when files other than results differ from it."""
    try:
        name = _git("rev-parse", "--short", "HEAD")
        changed = _git(
            "status", "--porcelain", "--untracked-files=no", "--", ":!benchmarks/results"
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}-dirty" if changed else name


def _git(*asked: str) -> str:
    command = ["git", *asked]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return answer.stdout.strip()
