"""Runs the visible checks on a submission, and looks at its form: nothing here is secret.

A result of it is no mark: each check that passes is 1, and the form of the notebook is 1.
"""

import importlib
import io
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.harness.on_classroom50.result import (
    LEFT_OUT,
    Outcome,
    Row,
    fenced,
    publish,
    where_handed_in,
)

FORM = "form of the notebook"
PATIENCE_SECONDS = 30.0
NO_MARK = "These are the visible checks and the form of the notebook. They are not the mark."
FORGOTTEN = ("GITHUB_", "ACTIONS_", "RUNNER_")
"""How variables begin that a notebook has no business with."""


class CannotCheck(Exception):
    """The checks themselves cannot run here, whatever was handed in."""


def main(here: Path, checkout: Path, given: dict[str, str]) -> int:
    """Check what lies in a checkout; gives the exit status.

    Args:
        here: the folder that the harness wrote: `settings.json` and the release's `checks`.
        checkout: the student's repository; the result is written there.
        given: the runner's variables.
    """
    settings = json.loads((here / "settings.json").read_text(encoding="utf-8"))
    try:
        outcome = check(here, checkout, settings["assignment"], settings["answers"])
    except CannotCheck as fault:
        sys.stdout.write(f"::error::The checks could not run; this is no result: {fault}\n")
        return 1
    publish(outcome, checkout, given)
    sys.stdout.write(outcome.page)
    return 0


def check(here: Path, checkout: Path, name: str, answers: list[str]) -> Outcome:
    """What the visible checks say of a submission.

    Args:
        here: holds the release's `checks`; those in the checkout are not used.
        checkout: the student's repository.
        name: the assignment's.
        answers: the names of the answers that the released notebook asks for.
    Raises:
        CannotCheck: Python ends by itself, or lacks a package that the checks need.
    """
    with tempfile.TemporaryDirectory(prefix="checked-") as scratch:
        work = Path(scratch) / name
        folder = where_handed_in(checkout, name)
        shutil.copytree(folder, work, ignore=LEFT_OUT, symlinks=True)
        shutil.copytree(here / "checks", work / "checks")
        notebook = work / f"{name}.ipynb"
        odd = odd_form(notebook, answers)
        done, said = ({}, odd) if odd and not _is_notebook(notebook) else _run(work, notebook)
    rows = [Row(FORM, int(not odd), 1, not odd, odd)]
    rows += [
        Row(answer, int(done.get(answer, False)), 1, done.get(answer, False)) for answer in answers
    ]
    passed = sum(row.score for row in rows)
    summary = f"{passed} of {len(rows)} visible checks pass (this is not the mark)"
    head = f"### {summary}\n\n{NO_MARK}\n\n" + (f"**Form**: {odd}\n\n" if odd else "")
    return Outcome(rows, summary, f"{head}{fenced(said)}\n", passed == len(rows))


def odd_form(notebook: Path, answers: list[str]) -> str:
    """What is wrong with a notebook's form; empty where it can be graded as it is."""
    if not notebook.is_file():
        return f"There is no {notebook.name} in the repository."
    if not _is_notebook(notebook):
        return "The notebook cannot be read. Open it in Jupyter, save it, and hand it in again."
    here = _answers(notebook)
    lost = [name for name in answers if name not in here]
    if lost:
        return f"Cells are missing: {', '.join(lost)}. Copy them from a fresh download."
    twice = sorted({name for name in here if here.count(name) > 1})
    return f"These cells stand there more than once: {', '.join(twice)}." if twice else ""


def answers_of(notebook: Path) -> list[str]:
    """The names of the answers that a notebook asks for, in order."""
    return _answers(notebook)


def _is_notebook(path: Path) -> bool:
    try:
        _answers(path)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False
    return True


def _answers(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    return [mark["grade_id"] for mark in marks if mark.get("solution")]


def _run(work: Path, notebook: Path) -> tuple[dict[str, bool], str]:
    """Which answers pass their checks, and what there is to say, in lines."""
    for name in [name for name in os.environ if name.startswith(FORGOTTEN)]:
        del os.environ[name]
    sys.path.insert(0, str(work))
    kit: dict[str, Any] = {
        name: importlib.import_module(f"checks.kit.{name}")
        for name in ("notebook", "terminal.once", "terminal.report", "terminal.style")
    }
    sys.path.remove(str(work))
    try:
        cells = kit["notebook"].read_cells(notebook)
        once = kit["terminal.once"].Once(
            work, cells, (), None, PATIENCE_SECONDS, lambda process: None
        )
        once.run()
    except kit["notebook"].NoNotebook as refused:
        return {}, str(refused)
    except kit["terminal.once"].CannotRun as fault:
        raise CannotCheck(fault) from fault
    standing = once.standing
    done = {name: outcome.is_done for name, outcome in standing.outcomes().items()}
    style = kit["terminal.style"].style_of(io.StringIO())
    lines = kit["terminal.report"].report(
        notebook.name, standing, standing.order, style, is_whole=True, most=None
    )
    return done | standing.written, "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path.cwd(), dict(os.environ)))
