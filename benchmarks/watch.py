"""How long a student waits in a terminal: for `python -m checks`, and after a save in watch mode.

`python -m benchmarks.watch [--repeat 5] [--write FILE]` takes released notebooks with the
reference's answers pasted in. Watch mode is measured in a real terminal, tmux: from the moment
before the notebook is written to the moment when its answer is on the screen.
"""

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from autograder.build.quiz_cells import REFERENCE_ID
from autograder.build.source_notebook import reference_notebook
from autograder.course import Course, load_course
from autograder.proof.notebooks import paste
from benchmarks.machine import ROOT, described
from benchmarks.tmux import Tmux

SECOND = ROOT / "examples" / "line-fitting"
# An early exercise that others rest on.
MEASURED = (
    (ROOT, "01-attention-by-hand", "softmax"),
    (ROOT, "03-causal-masking", "causal_mask"),
    (ROOT, "06-seeing-attention", "plot_attention"),
    (ROOT, "07-attention-vs-recurrence", "recall_batch"),
    (SECOND, "01-line-fitting", "predict"),
)
HEAD = """\
# How long a student waits in a terminal

Seconds, the median and the spread of {repeat} turns (of one, where no spread is told), on notebooks
answered as the reference does. *After a save* is watch mode in tmux, from just before the notebook
is written until the answer is on the screen: that of the changed exercise itself, then of all that
rests on it. *Green* is what a save takes that makes everything right, with the fresh run of the
whole notebook.
"""
CHECKS = [sys.executable, "-m", "checks"]


@dataclass
class Measured:
    """What was measured of one notebook: seconds by what took them, and the lines printed."""

    exercise: str
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    lines: int = 0


def main() -> None:
    """Measure, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    load = os.getloadavg()[0]
    found = {}
    for root, name, exercise in MEASURED:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, name)
            course = load_course(root)
            shutil.copytree(course.folder("release") / name, folder)
            answer(course, name, folder)
            found[name] = measure(folder, exercise, chosen.repeat)
    text = report(found, chosen, load)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def answer(course: Course, name: str, folder: Path) -> None:
    """Paste the reference's answers into a released notebook."""
    path = folder / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    paste(notebook, reference_notebook(course, course.assignment(name), REFERENCE_ID))
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def measure(folder: Path, exercise: str, repeat: int) -> Measured:
    """Measure a notebook, turn by turn."""
    measured = Measured(exercise)
    for _ in range(repeat):
        seconds, measured.lines = timed(folder)
        measured.seconds["all"].append(seconds)
        measured.seconds["one"].append(timed(folder, exercise)[0])
    watch(folder, exercise, repeat, measured.seconds)
    return measured


def timed(folder: Path, *arguments: str) -> tuple[float, int]:
    """Seconds that the command takes, and how many lines it prints."""
    began = time.perf_counter()
    done = subprocess.run(
        [*CHECKS, *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return time.perf_counter() - began, len(done.stdout.splitlines())


def watch(folder: Path, exercise: str, repeat: int, seconds: dict[str, list[float]]) -> None:
    """Start watch mode; save the notebook again and again with another mistake in the exercise."""
    path = folder / f"{folder.name}.ipynb"
    right = path.read_text(encoding="utf-8")
    for _ in range(repeat):
        began = time.perf_counter()
        with Tmux(f"{shlex.join(CHECKS)} --watch", folder, columns=100, lines=40) as terminal:
            terminal.wait_for(" stale,")
            terminal.wait_for("done")
            while " 0 of " in terminal.screen():
                time.sleep(0.02)
            seconds["watch, first"].append(time.perf_counter() - began)
    with Tmux(f"{shlex.join(CHECKS)} --watch", folder, columns=100, lines=40) as terminal:
        began = time.perf_counter()
        terminal.wait_for("All green")
        seconds["watch, all"].append(time.perf_counter() - began)
        for attempt in range(repeat):
            began = time.perf_counter()
            path.write_text(spoilt(right, exercise, f"try {attempt}"), encoding="utf-8")
            terminal.wait_for(f"try {attempt}")
            seconds["watch, own"].append(time.perf_counter() - began)
            while "stale" in terminal.screen():
                time.sleep(0.02)
            seconds["watch, dependent"].append(time.perf_counter() - began)
        began = time.perf_counter()
        path.write_text(right, encoding="utf-8")
        terminal.wait_for("All green")
        seconds["watch, green"].append(time.perf_counter() - began)


def spoilt(notebook: str, exercise: str, says: str) -> str:
    """The notebook with an error in the exercise's own cell that a check shows."""
    changed = json.loads(notebook)
    for cell in changed["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == exercise:
            cell["source"] = [
                *cell["source"],
                f"\n\n\ndef {exercise}(*args, **kwargs):\n    raise ValueError({says!r})",
            ]
    return json.dumps(changed)


def report(found: dict[str, Measured], chosen: argparse.Namespace, load: float) -> str:
    """Everything as a table."""
    rows = []
    for name, measured in found.items():
        cells = [told(measured.seconds[key]) for key in _COLUMNS]
        rows.append(f"| {name}, `{measured.exercise}` | {' | '.join(cells)} |")
    lines = [f"{name}: {measured.lines}" for name, measured in found.items()]
    return "\n".join(
        [
            HEAD.format(repeat=chosen.repeat),
            f"| notebook, exercise | {' | '.join(_COLUMNS.values())} |",
            f"|---|{'--:|' * len(_COLUMNS)}",
            *rows,
            "",
            f"Lines that `python -m checks` prints: {'; '.join(lines)}.",
            "",
            f"{described()}. Load of the machine: {load:.1f} at the start, "
            f"{os.getloadavg()[0]:.1f} at the end.",
            "",
        ]
    )


_COLUMNS = {
    "all": "`checks`",
    "one": "`checks NAME`",
    "watch, first": "watch: first result",
    "watch, all": "watch: all",
    "watch, own": "after a save: own check",
    "watch, dependent": "after a save: what rests on it",
    "watch, green": "after a save: green",
}


def told(seconds: list[float]) -> str:
    """The median, and the spread."""
    median = f"{statistics.median(seconds):.2f}"
    return median if len(seconds) == 1 else f"{median} ({min(seconds):.2f} to {max(seconds):.2f})"


if __name__ == "__main__":
    main()
