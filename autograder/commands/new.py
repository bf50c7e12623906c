"""`autograder new`: write the files of something new, for an instructor to fill."""

import shlex
from pathlib import Path

import click

from autograder.commands.options import course_option
from autograder.course import load_course

uses_option = click.option(
    "--uses",
    type=click.Choice(["numpy", "torch"]),
    help="What its code works with; what the course's solutions import when not given.",
)


@click.group("new")
def command() -> None:
    """Write the files of something new, for you to fill."""


@command.command("course")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--uses",
    type=click.Choice(["numpy", "torch"]),
    default="numpy",
    show_default=True,
    help="What students install; torch comes with NumPy.",
)
def course(folder: Path, uses: str) -> None:
    """Write a course that runs at once: one assignment, one exercise, one question.

    DIR is a new folder, or an empty one.
    """
    from autograder.scaffolding import new_course

    _tell(f"The course in {folder} has these files:", new_course(folder, uses))  # type: ignore[arg-type]
    if folder.resolve() != Path.cwd():
        click.echo(f"Go there: cd {shlex.quote(str(folder))}")
    click.echo(
        "`autograder release` builds what students get, and `autograder validate` proves all of "
        "it.\n"
        "`autograder grade` grades what lies in submitted/<student>/01-first-steps/.\n"
        "Next: `autograder new assignment NAME`, or `autograder new exercise NAME --assignment "
        "01-first-steps`."
    )


@command.command("assignment")
@click.argument("name")
@uses_option
@course_option
def assignment(name: str, uses: str | None, root: Path) -> None:
    """Write a new assignment: a notebook, a question, and room for exercises.

    NAME is such as 04-layer-norm; without a number it gets the next.
    """
    from autograder.scaffolding import new_assignment

    written = new_assignment(load_course(root), name, uses)  # type: ignore[arg-type]
    _tell("The assignment has these files:", written)
    own = written[0].stem
    click.echo(
        "Write what each TODO asks for, and give it exercises:\n"
        f'`autograder new exercise NAME --assignment {own} --signature "NAME(x, axis=-1)"`.'
    )


@command.command("exercise")
@click.argument("name")
@click.option("--assignment", required=True, metavar="NAME", help="The assignment that gets it.")
@click.option(
    "--signature",
    metavar="TEXT",
    help='What it is called with, such as "layer_norm(x, gamma, beta, eps)"; types and defaults as '
    "in Python. Of a class: what it is made with.",
)
@click.option(
    "--points",
    default=2.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="What full marks are.",
)
@uses_option
@course_option
def exercise(
    name: str,
    assignment: str,
    signature: str | None,
    points: float,
    uses: str | None,
    root: Path,
) -> None:
    """Write a new exercise: cell, solution, hidden tests, checks, hints, mistakes, variants.

    NAME is the function that students are to write; a CamelCase name is a class, an nn.Module.
    Every file that is written says TODO where your words are missing.
    """
    from autograder.scaffolding import new_exercise

    own = load_course(root)
    written = new_exercise(own, assignment, name, points, signature, uses)  # type: ignore[arg-type]
    _tell(f"The exercise {name} of {assignment} stands in these files:", written)
    click.echo(
        "Write what each TODO asks for: first the notebook's cell and the solution, then hidden "
        "tests, checks, hints, mistakes and variants.\n"
        f"`autograder validate {assignment} --no-notebooks` tells what is left to write.\n"
        f"Then `autograder release {assignment}` builds it, and `autograder validate {assignment}` "
        "proves all of it."
    )


def _tell(heading: str, written: list[Path]) -> None:
    """Say what was written, each path as one would type it here."""
    here = Path.cwd()
    click.echo(heading)
    for path in written:
        click.echo(f"    {path.relative_to(here) if path.is_relative_to(here) else path}")
