"""Every test that needs a GPU, with a closing table.

`python -m benchmarks.gpu_suite [--write FILE]` first tries whether the driver answers inside the
sandbox at all. It ends with 1 where a test fails, and where there is no GPU, which it says.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch

from autograder.sandbox import Sandbox, SandboxUnavailable
from autograder.sandbox.gpu import find_gpu, why_no_gpu
from autograder.sandbox.inside.layers import (
    ALL,
    CLOSED,
    LANDLOCK,
    LIMITS,
    NAMESPACES,
    SECCOMP,
    USER,
)
from benchmarks.machine import ROOT, described

SUITES = {
    "tests/sandbox/test_on_gpu.py": "the sandbox reaches the GPU, and holds who uses it",
    "graders/tests/test_graders_on_cuda.py": "graders on known answers, in this process",
    "tests/verdicts/test_graded_on_gpu.py": "grading as a class is graded, in the sandbox",
}


@dataclass
class Tally:
    """What a suite's tests gave.

    Attributes:
        outcomes: how many passed, failed, and were skipped.
        seconds: how long they took in all.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


class Counting:
    """The pytest plugin that counts outcomes by file."""

    def __init__(self) -> None:
        self.tallies = {name: Tally() for name in SUITES}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test once, where it was decided."""
        tally = self.tallies[report.nodeid.partition("::")[0]]
        tally.seconds += report.duration
        if report.when == "call" or report.outcome != "passed":
            tally.outcomes[report.outcome] += 1


def main() -> int:
    """Run them, and print or write the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    why = why_no_gpu()
    if why is not None:
        print(f"Nothing was run: {why}", file=sys.stderr)
        return 1
    contact = first_contact()
    print(contact)
    counting, start = Counting(), time.monotonic()
    code = pytest.main(
        [f"--rootdir={ROOT}", *(str(ROOT / name) for name in SUITES)], plugins=[counting]
    )
    text = f"{table(counting.tallies, time.monotonic() - start)}\n{contact}\n"
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")
    return int(code)


def first_contact() -> str:
    """Whether the driver answers inside the sandbox; if not, which layer alone keeps it from that.

    The driver tells no more than a number, whatever it is refused.
    """
    gpu, said = find_gpu(), []
    for left_out in (None, SECCOMP, LANDLOCK, LIMITS, CLOSED, USER, NAMESPACES):
        layers = ALL - {left_out}
        name = "with every layer" if left_out is None else f"without {left_out}"
        try:
            with Sandbox(packages=("torch", "numpy", "ipython"), gpu=gpu, layers=layers) as sandbox:
                said.append(" ".join([f"The GPU answers {name}.", *sandbox.notes]))
        except SandboxUnavailable as why:
            said.append(f"The GPU does not answer {name}: {why}")
        if left_out is None and said[0].startswith("The GPU answers"):
            break
    return "\n".join(said)


def table(tallies: dict[str, Tally], seconds: float) -> str:
    """The closing table, as Markdown."""
    card = torch.cuda.get_device_properties(0) if torch.cuda.is_available() else None
    name = f"{card.name}, {card.total_memory >> 30} GiB" if card else "no GPU"
    lines = [
        f"{described()}; {name}, driver {driver()}, CUDA {torch.version.cuda}.",
        "",
        "| what | passed | failed | skipped | seconds |",
        "|---|--:|--:|--:|--:|",
    ]
    total: Counter[str] = Counter()
    for suite, tally in tallies.items():
        total += tally.outcomes
        lines.append(_row(SUITES[suite], tally.outcomes, tally.seconds))
    return "\n".join([*lines, _row("all", total, seconds)]) + "\n"


def driver() -> str:
    """The version of NVIDIA's driver, where one is loaded."""
    version = Path("/sys/module/nvidia/version")
    return version.read_text().strip() if version.is_file() else "none"


def _row(what: str, outcomes: Counter[str], seconds: float) -> str:
    counts = " | ".join(str(outcomes[one]) for one in ("passed", "failed", "skipped"))
    return f"| {what} | {counts} | {seconds:.0f} |"


if __name__ == "__main__":
    raise SystemExit(main())
