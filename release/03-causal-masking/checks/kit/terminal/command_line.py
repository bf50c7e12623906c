"""What can be typed after `python -m checks`, and what comes of it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from .process import Process, place_text

PATIENCE_SECONDS = 30
FOLDER = Path(__file__).resolve().parents[3]
DESCRIPTION = "Run your notebook as it was last saved, and its visible checks."
EPILOG = """\
examples:
{examples}

Save the notebook first. Nothing is sent anywhere. Exit status: 0 when all is well, 1 when
something does not pass yet, 2 when the command makes no sense here.
"""
INTERRUPTED = 130


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
        if given[:1] == ["list"]:
            return _list(given[1:])
        return _hint(given[1:]) if given[:1] == ["hint"] else _check(given)
    except KeyboardInterrupt:
        return INTERRUPTED


def _hint(given: Sequence[str]) -> int:
    from ..hinting import hint_text
    from ..showing import without_marks

    parser = argparse.ArgumentParser("python -m checks hint", description="Show one hint.")
    parser.add_argument("exercise", help=f"such as {_some_names()[0]}")
    parser.add_argument("number", nargs="?", type=int, default=1, help="1 (as if left out), 2 or 3")
    wanted = parser.parse_args(given)
    following = f"python -m checks hint {wanted.exercise} {wanted.number + 1}"
    try:
        text = hint_text(wanted.exercise, wanted.number, following)
        sys.stdout.write(without_marks(text) + "\n")
    except ValueError as error:
        return _refuse(str(error))
    return 0


def _list(given: Sequence[str]) -> int:
    from ..notebook import NoNotebook, find_notebook, read_cells
    from .listing import listing
    from .style import style_of

    parser = argparse.ArgumentParser("python -m checks list", description="What is to be done.")
    parser.add_argument("--notebook", type=Path, help="another notebook than the one beside checks")
    wanted = parser.parse_args(given)
    try:
        path = wanted.notebook.resolve() if wanted.notebook else find_notebook(FOLDER)
        lines = listing(path.name, read_cells(path), style_of(sys.stdout))
    except NoNotebook as error:
        return _refuse(str(error))
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _check(given: Sequence[str]) -> int:
    from ..notebook import NoNotebook, find_notebook
    from .once import CannotRun

    parser = _parser()
    wanted = parser.parse_args(given)
    if wanted.watch and (wanted.exercises or wanted.output or wanted.full):
        parser.error("--watch watches the whole notebook: leave the rest of the line out")
    if wanted.hand_in:
        if wanted.exercises or wanted.watch or wanted.output:
            parser.error("--hand-in looks at the whole notebook, and runs nothing of it")
        return _hand_in(wanted.notebook)
    try:
        path = wanted.notebook.resolve() if wanted.notebook else find_notebook(FOLDER)
        return _watch(path, wanted.patience) if wanted.watch else _once(path, wanted)
    except (NoNotebook, CannotRun) as error:
        return _refuse(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m checks",
        description=DESCRIPTION,
        epilog=EPILOG.format(examples=_examples()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("exercises", metavar="EXERCISE", nargs="*", help="all, when none is named")
    parser.add_argument("--watch", action="store_true", help="check again after every save")
    parser.add_argument("--hand-in", action="store_true", help="look at what will be handed in")
    parser.add_argument("--notebook", type=Path, help="another notebook than the one beside checks")
    parser.add_argument("--output", action="store_true", help="show what the cells print, too")
    parser.add_argument("--full", action="store_true", help="all there is to say, on many lines")
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=float,
        default=PATIENCE_SECONDS,
        help=f"how long a cell or a check may compute ({PATIENCE_SECONDS})",
    )
    return parser


def _examples() -> str:
    """What can be typed, with names of this notebook's exercises."""
    first, *others = _some_names()
    also = f" {others[0]}" if others else ""
    both = f"{first} and {others[0]}" if others else first
    told = {
        "": "every check, after the whole notebook",
        f"{first}{also}": f"those of {both}, after the cells that they need",
        "list": "run nothing, and list exercises and questions",
        "--watch": "stay, and check again whenever you save",
        "--hand-in": "run nothing, and say what grading would stumble over",
        f"hint {first}": f"the first hint for {first}",
        f"hint {first} 2": "the second",
    }
    wide = max(map(len, told))
    return "\n".join(f"  python -m checks {typed:<{wide}}   {what}" for typed, what in told.items())


def _some_names() -> list[str]:
    """An exercise of this notebook, and a question where it has one."""
    from ..grading import grading
    from ..hinting import ladders

    there = grading()
    if there is None:
        return [*ladders()][:1] or ["NAME"]
    return [*(there.of_kind("code") or ["NAME"])[:1], *there.of_kind("quiz")[:1]]


def _hand_in(notebook: Path | None) -> int:
    from .hand_in import look_at
    from .style import style_of

    found = look_at(FOLDER, notebook)
    style = style_of(sys.stdout)
    lines = [style.colour(found.heading, "bold")]
    for sign, colour, texts in (("failed", "red", found.wrong), ("open", "bold", found.notes)):
        for text in texts:
            start = f"{style.signs[sign]} "
            first, *more = style.wrapped(text, start)
            lines += [style.colour(start, colour) + first[len(start) :], *more]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(found.wrong))


def _watch(path: Path, patience: float) -> int:
    from .watch import Watch

    return Watch(path, patience).run()


def _once(path: Path, wanted: argparse.Namespace) -> int:
    from ..notebook import read_cells
    from .once import Once, Unknown
    from .report import LINES, report
    from .style import style_of

    began, interrupted = time.monotonic(), ""
    progress = _Progress()
    loud = sys.stdout.write if wanted.output else None
    cells = read_cells(path)
    once = Once(path.parent, cells, wanted.exercises, loud, wanted.patience, progress.tell)
    try:
        once.run()
    except Unknown as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        interrupted = f"; stopped by you{place_text(once.process)}"
    finally:
        progress.clear()
    standing = once.standing
    names = [name for name in standing.order if not wanted.exercises or name in wanted.exercises]
    done, of = standing.tally(names if wanted.exercises else None)
    heading = f"{path.name}: {done} of {of} done in {time.monotonic() - began:.1f} s{interrupted}"
    style = style_of(sys.stdout)
    lines = report(
        heading,
        standing,
        names,
        style,
        is_whole=not wanted.exercises,
        most=None if wanted.full else LINES,
    )
    sys.stdout.write("\n".join(lines) + "\n")
    if interrupted:
        return INTERRUPTED
    return int(done < of or (not wanted.exercises and bool(standing.cell_errors())))


class _Progress:
    """A line that says what is running, where somebody watches; it goes when all is done."""

    def __init__(self) -> None:
        self._is_shown = False
        self._is_watched = sys.stderr.isatty()

    def tell(self, process: Process) -> None:
        """Say what is running, once it takes its time."""
        if self._is_watched and process.seconds > 1:
            self.clear()
            sys.stderr.write(f"Running for {process.seconds:.0f} s{place_text(process)}"[:78])
            sys.stderr.flush()
            self._is_shown = True

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r" + " " * 78 + "\r")
            self._is_shown = False


def _refuse(why: str) -> int:
    sys.stderr.write(why + "\n")
    return 2
