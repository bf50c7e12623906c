"""Each harness run as its platform would: marks as at home, results as its schema wants, the cost.

`python -m benchmarks.harness [PLATFORM ...] [--write FILE]` needs Podman, mmdebstrap, root, and a
network for systems and wheels. Every container has half a processor, as Gradescope's have.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from gradescope_container import DEBIAN, UBUNTU, why_not

from benchmarks.harness.containers import Machine
from benchmarks.harness.handed_in import KINDS, Home
from benchmarks.harness.runs import (
    Run,
    classroom50,
    github_script,
    gitlab_script,
    gradescope,
    gradescope_run,
    prairielearn,
    workflow,
)
from benchmarks.machine import described

NUMPY, TORCH = range(len(KINDS))
GITHUB = partial(workflow, platform="github", script_of=github_script)
GITLAB = partial(workflow, platform="gitlab", script_of=gitlab_script)
Case = tuple[str, int, Callable[[Machine, Home, Path], Iterator[Run]]]
# Torch for Ubuntu's Python would come with CUDA from where this can reach.
CASES: tuple[Case, ...] = (
    ("gradescope", NUMPY, partial(gradescope, base=DEBIAN)),
    ("prairielearn", TORCH, prairielearn),
    ("classroom50", NUMPY, classroom50),
    ("github", NUMPY, GITHUB),
    ("gitlab", NUMPY, GITLAB),
    ("gradescope", TORCH, partial(gradescope, base=DEBIAN)),
    ("gradescope", NUMPY, partial(gradescope, base=UBUNTU)),
)
# What right work holds beside, and how much memory the container has.
BOUNDS = {
    NUMPY: (("nothing", "768m"), ("nothing", "200m"), ("600 MB", "768m"), ("600 MB", "1536m")),
    TORCH: (("nothing", "768m"), ("nothing", "400m")),
}


def main() -> None:
    """Measure, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("platforms", metavar="PLATFORM", nargs="*")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    if why := why_not():
        options.exit(1, f"This runs in containers: {why}.\n")
    with tempfile.TemporaryDirectory(prefix="harness-") as place:
        folder = Path(place)
        machine = Machine(folder)
        homes = [Home(kind, folder / f"course-{number}") for number, kind in enumerate(KINDS)]
        print("released", flush=True)
        runs: list[Run] = []
        for number, (platform, kind, measure) in enumerate(CASES):
            if not chosen.platforms or platform in chosen.platforms:
                own = folder / f"case-{number}"
                own.mkdir()
                for run in measure(machine, homes[kind], own):
                    print(row(run), flush=True)
                    runs.append(run)
        bounds = [] if chosen.platforms else little_memory(machine, homes, folder)
    text = report(runs, bounds)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def little_memory(machine: Machine, homes: list[Home], folder: Path) -> list[str]:
    """What Gradescope's harness does in containers of less and less memory, a line each."""
    lines = []
    student = "ada@uni.example"
    for number, (_, kind, measure) in enumerate(CASES):
        if getattr(measure, "keywords", {}).get("base") != DEBIAN:
            continue
        home = homes[kind]
        image = f"localhost/attention-autograder-bench-gradescope-case-{number}"
        own = folder / f"case-{number}"
        for holds, memory in BOUNDS[kind]:
            right = home.notebooks(student)["all right"]
            notebook = right if holds == "nothing" else home.right_and_large(student)
            took, marks = gradescope_run(machine, image, home, notebook, student, own, memory)
            told = next((line for line in took.said.splitlines() if "memory" in line.lower()), "")
            came = f"{marks['score']:g} points" if marks else f"no results.json. {told}"
            lines.append(f"| {home.kind.name} | {holds} | {memory[:-1]} MB | {came} |")
            print(lines[-1], flush=True)
    return lines


def row(run: Run) -> str:
    """One run as a line of the table."""
    equal = "equal" if run.equal else "**DIFFERENT**"
    took = run.took
    cost = f"{took.processor_seconds:.0f} | {took.seconds:.0f} | {took.megabytes:.0f}"
    return f"| {run.platform} | {run.where} | {run.course} | {run.handed} | {equal} | {cost} |"


HEAD = """\
| platform | in | course | handed in | marks | processor s | s | MB |
|---|---|---|---|---|--:|--:|--:|"""
LITTLE = """
## Where there is little memory

Gradescope's harness. What right work holds beside what it needs is below what the course allows:

| course | it holds | container | what came out |
|---|--:|--:|---|
"""


def report(runs: list[Run], bounds: list[str]) -> str:
    """The page."""
    equal = sum(run.equal for run in runs)
    parts = [
        "# Harnesses in containers\n",
        f"By `make harness`: {described()}. Podman, half a processor for each container, no "
        f"network while grading. {equal} of {len(runs)} runs gave the marks of `autograder grade`, "
        "exercise by exercise; each results file was held against its platform's schema.\n",
        "Seconds of a processor that all processes had together, and by the clock, from a "
        "container that does not exist yet to its end, on a machine with a load of "
        f"{os.getloadavg()[2]:.0f}; MB are the most that its processes held at a time, with the "
        "files that they read. An endless loop waits for the course's limits. Classroom 50 and the "
        "workflows install all packages first, from local wheels.\n",
        HEAD,
        *map(row, runs),
    ]
    return "\n".join(parts) + "\n" + (LITTLE + "\n".join(bounds) + "\n" if bounds else "")


if __name__ == "__main__":
    main()
