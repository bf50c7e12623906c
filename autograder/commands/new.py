"""`autograder new`: write the files of something new, for an instructor to fill."""

from pathlib import Path

import click

from autograder.commands.options import course_option
from autograder.course import load_course


@click.group("new")
def command() -> None:
    """Write the files of something new, for you to fill."""


@command.command("exercise")
@click.argument("name")
@click.option("--assignment", required=True, metavar="NAME", help="The assignment that gets it.")
@click.option(
    "--points",
    default=2.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="What full marks are.",
)
@course_option
def exercise(name: str, assignment: str, points: float, root: Path) -> None:
    """Write a new exercise: cell, solution, graders, checks, hints, mistakes, variants, a test.

    NAME is the function that students are to write. Every file that is written says TODO
    where your words are missing.
    """
    from autograder.scaffolding import new_exercise

    course = load_course(root)
    written = new_exercise(course, assignment, name, points)
    click.echo(f"The exercise {name} of {assignment} stands in these files:")
    for path in written:
        click.echo(f"    {_short(path)}")
    click.echo(
        "Write what each TODO asks for: first the notebook's cell and the solution, then graders, "
        "checks, hints, mistakes and variants.\n"
        f"`autograder validate {assignment} --no-notebooks` tells what is left to write.\n"
        f"Then `autograder release {assignment}` builds it, and `autograder validate {assignment}` "
        "proves all of it."
    )


def _short(path: Path) -> str:
    """A path as one would type it here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
