"""Records `python -m checks --watch` as text: a student's hour with a notebook, screen by screen.

`python -m benchmarks.record_watch [--write docs/watching.md]` starts it in tmux on a copy of the
released notebook, saves what a student might write, presses keys, and keeps the screens.
"""

import argparse
import json
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.machine import ROOT
from benchmarks.tmux import Tmux

NAME = "03-causal-masking"
COMMAND = f"{shlex.quote(sys.executable)} -m checks --watch"
WRONG = """\
def causal_mask(seq_len, device=None):
    place = torch.arange(seq_len, device=device)
    return place[:, None] > place
"""
ENDLESS = WRONG.replace("    return", "    while seq_len:\n        place = place + 1\n    return")
RIGHT = WRONG.replace(">", ">=")
BROKEN = """\
def padding_mask(lengths, max_len):
    return torch.arange(max_len < torch.as_tensor(lengths)[:, None]
"""
HEAD = f"""\
# `python -m checks --watch`, recorded

Start it once, leave it beside the notebook, and save: it says how the exercise stands that you have
just written. These are the screens of a real terminal, in order, on `{NAME}`. They are
made by `make watching`, which saves the notebook as an editor does and presses the keys.

`python -m checks` runs the whole notebook once. `python -m checks list` and `python -m checks
--hand-in` run nothing: the one lists what is to be done, the other says what grading would stumble
over, and exits with 1 where there is something.
"""


def main() -> None:
    """Record, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, NAME)
        shutil.copytree(ROOT / "release" / NAME, folder)
        parts = [f"## {what}\n\n```text\n{screen}\n```\n" for what, screen in recorded(folder)]
    text = "\n".join([HEAD, *parts])
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def recorded(folder: Path) -> Iterator[tuple[str, str]]:
    """What the student does, and what is then on the screen."""
    path = folder / f"{NAME}.ipynb"
    with Tmux(COMMAND, folder) as terminal:
        terminal.wait_for("next: k1")
        yield "Nothing is written yet", settled(terminal)
        write(path, "causal_mask", WRONG)
        terminal.wait_for("causal_mask: 1 of 3")
        yield "`causal_mask` is written, with `>` where `>=` belongs, and saved", settled(terminal)
        terminal.press("h")
        terminal.wait_for("Hint 1 of 3")
        yield "The key h", terminal.screen()
        write(path, "causal_mask", ENDLESS)
        terminal.wait_for("running for 3 s in cell")
        yield "A loop that does not end is saved", terminal.screen()
        write(path, "causal_mask", RIGHT)
        terminal.wait_for("causal_mask: 3 of 3")
        yield "The right mask is saved, while the loop still runs", settled(terminal)
        write(path, "padding_mask", BROKEN)
        terminal.wait_for("SyntaxError")
        yield "A bracket is missing in the next exercise", settled(terminal)
        terminal.press("l")
        terminal.wait_for("any other key")
        yield "The key l", terminal.screen()


def write(path: Path, exercise: str, source: str) -> None:
    """Put a text into an exercise's cell, and save the notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == exercise:
            cell["source"] = source.rstrip().splitlines(keepends=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def settled(terminal: Tmux) -> str:
    """The screen once nothing runs any more."""
    while " stale" in terminal.screen() or "running" in terminal.screen():
        time.sleep(0.1)
    return terminal.screen()


if __name__ == "__main__":
    main()
