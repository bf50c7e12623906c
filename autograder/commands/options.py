"""Options that several commands share, and how they talk to a person."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.course import Course, load_course
from autograder.course.course import CONFIG

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDEST = 100_000  # characters of a line where no terminal ends it

course_option = click.option(
    "--course",
    "root",
    metavar="DIR",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="The course's folder, if it is not this one.",
)
sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(["required", "fallback", "container", "none"]),
    help="How much isolation to insist on; the course's own policy when not given.",
)
device_option = click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    help="Where graders run; the course's own choice when not given.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    help="Submissions graded at once; one a core when not given.",
)

NO_SANDBOX = (
    "WARNING: --sandbox none. Student code runs on this machine without isolation: it can read "
    "the solutions, change grades and delete files. Use it only on code that you trust."
)


def course_if_any(root: Path) -> Course | None:
    """The course that `--course` names; None where it is not given, and this folder holds none."""
    return None if root == Path() and not Path(CONFIG).exists() else load_course(root)


def console() -> "Console":
    """Where tables go: as wide as the terminal, and where there is none, a line a row."""
    from rich.console import Console

    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=WIDEST)


def print_table(to: "Console", table: "Table") -> None:
    """Print a table without the spaces that fill its last column."""
    with to.capture() as captured:
        to.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
