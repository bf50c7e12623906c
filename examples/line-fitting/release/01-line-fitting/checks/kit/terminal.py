"""`python -m checks`: the visible checks in a terminal, on the notebook as it was last saved."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .checking import Looked, look

FOLDER = Path(__file__).resolve().parents[2]
DESCRIPTION = "Run your notebook from top to bottom, then its visible checks."
EPILOG = """\
examples:
  python -m checks                   every check
  python -m checks row_sums q1       those of row_sums and q1
  python -m checks hint row_sums     the first hint for row_sums
  python -m checks hint row_sums 2   the second

Save the notebook first. Nothing is sent anywhere. Exit status: 0 when all is well, 1 when
something does not pass yet, 2 when the command makes no sense here.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says.

    Returns:
        the exit status.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console that knows no ✓ shows ? there
    try:
        return _hint(given[1:]) if given[:1] == ["hint"] else _check(given)
    except ModuleNotFoundError as error:
        return _refuse(
            f"{error.name} is not installed for {sys.executable}. In the assignment's folder: "
            "python -m pip install -r requirements.txt"
        )


def _hint(given: Sequence[str]) -> int:
    from .hinting import hint_text
    from .showing import without_marks

    parser = argparse.ArgumentParser("python -m checks hint", description="Show one hint.")
    parser.add_argument("exercise", help="such as row_sums")
    parser.add_argument("number", nargs="?", type=int, default=1, help="1 (as if left out), 2 or 3")
    wanted = parser.parse_args(given)
    following = f"python -m checks hint {wanted.exercise} {wanted.number + 1}"
    try:
        text = hint_text(wanted.exercise, wanted.number, following)
        sys.stdout.write(without_marks(text) + "\n")
    except ValueError as error:
        return _refuse(str(error))
    return 0


def _check(given: Sequence[str]) -> int:
    from .discovery import exercises_here, module_of
    from .notebook import NoNotebook, find_notebook, read_cells, run_notebook

    wanted = _parser().parse_args(given)
    for exercise in wanted.exercises:
        if module_of(exercise) is None:
            here = ", ".join(exercises_here())
            return _refuse(f"There are no checks for {exercise!r} here; there are for: {here}.")
    collected = _Collected(wanted.exercises)
    try:
        path = wanted.notebook.resolve() if wanted.notebook else find_notebook(FOLDER)
        sys.stdout.write(f"Running {path.name} ...\n")
        cells = read_cells(path)
        run = run_notebook(path, collected.replacements, collected.add_missing, wanted.output)
    except NoNotebook as error:
        return _refuse(str(error))
    _show(collected.found, [str(error) for error in run.errors])
    failed = any(one.failure for one in collected.found.values())
    if not wanted.exercises:  # else only they count
        answers = _written(cells)
        for name, answered in answers:
            sys.stdout.write(f"{name}: {'answered' if answered else 'not answered yet'}\n")
        failed = failed or bool(run.errors) or not all(answered for _, answered in answers)
    return int(failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m checks",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("exercises", metavar="EXERCISE", nargs="*", help="all, when none is named")
    parser.add_argument("--notebook", type=Path, help="another notebook than the one beside checks")
    parser.add_argument("--output", action="store_true", help="show what the cells print, too")
    return parser


class _Collected:
    """What the checks found, each run where the notebook itself calls it.

    Args:
        wanted: the exercises to check; all when empty.
    """

    def __init__(self, wanted: Sequence[str]) -> None:
        self.found: dict[str, Looked] = {}
        self._wanted = tuple(wanted)

    @property
    def replacements(self) -> dict[str, Callable[..., Any]]:
        """What the package's functions do while the notebook runs: look, or say nothing."""
        from .discovery import checks_package

        package = checks_package()
        silent = {name: _nothing for name in ("hint", "ask") if hasattr(package, name)}
        return {"check": self._check, **silent}

    def add_missing(self, namespace: dict[str, Any]) -> None:
        """Check what no cell of the notebook checked."""
        from .discovery import exercises_here

        for exercise in self._wanted or exercises_here():
            if exercise.isidentifier() and exercise not in self.found:
                self.found[exercise] = look(exercise, namespace)

    def _check(self, exercise: str) -> None:
        if not self._wanted or exercise in self._wanted:
            self.found[exercise] = look(exercise, vars(sys.modules["__main__"]))


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _show(found: dict[str, Looked], errors: list[str]) -> None:
    from .hinting import ladders
    from .showing import as_text

    for one in found.values():
        sys.stdout.write(f"\n{as_text(one.heading, one.findings, one.drawing)}\n")
    if errors:
        sys.stdout.write("\nCells that stopped with an error:\n")
        sys.stdout.write("".join(f"  {error}\n" for error in errors))
    sys.stdout.write("\n")
    width = max((len(name) for name in found), default=0)
    for name, one in found.items():
        hint = f"   (python -m checks hint {name})" if one.failure and name in ladders() else ""
        sys.stdout.write(f"{name:<{width}}  {_state(one)}{hint}\n")


def _state(one: Looked) -> str:
    """How an exercise or a question stands, in a few words."""
    from .questions import questions_here

    if not one.findings:
        return "not begun yet" if one.failure else "not checked here"
    if one.exercise in questions_here():
        return "no answer of the right form yet" if one.failure else "answered, in the right form"
    passed = sum(finding.passed for finding in one.findings)
    return f"{passed} of {len(one.findings)} checks pass"


def _written(cells: list[dict[str, Any]]) -> list[tuple[str, bool]]:
    """The answers that a person will read, and whether something was written."""
    answers = []
    for cell in cells:
        mark = cell.get("metadata", {}).get("nbgrader", {})
        if cell["cell_type"] == "markdown" and mark.get("grade") and mark.get("solution"):
            text = cell["source"].strip()
            answers.append((mark["grade_id"], text not in ("", "*Write your answer here.*")))
    return answers


def _refuse(why: str) -> int:
    sys.stderr.write(why + "\n")
    return 2
