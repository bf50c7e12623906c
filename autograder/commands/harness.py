"""`autograder harness`: what a platform needs to grade there."""

from pathlib import Path

import click

from autograder.commands.options import course_option
from autograder.course import load_course
from autograder.harness.platforms import PLATFORMS


@click.command("harness")
@click.argument("platform", type=click.Choice(list(PLATFORMS)))
@click.option(
    "--output",
    required=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The file or folder to write.",
)
@click.option(
    "--assignment", "names", metavar="NAME", multiple=True, help="Only for this assignment."
)
@click.option(
    "--with-graders",
    is_flag=True,
    help="classroom50: grade in the student's repository, where graders and secret can be read.",
)
@course_option
def command(
    platform: str, output: Path, names: tuple[str, ...], with_graders: bool, root: Path
) -> None:
    """Write what PLATFORM needs to grade this course there.

    docs/ci.md has a page for each platform. What is written for gradescope and prairielearn holds
    the solutions, the graders and the course secret; for classroom50 with --with-graders alone.
    """
    from autograder.harness.platforms import write

    if with_graders and platform != "classroom50":
        raise click.UsageError("--with-graders is a choice of classroom50 alone.")
    options = {"with_graders": True} if with_graders else {}
    course = load_course(root)
    for name in names:
        course.source(name)  # an unknown one is refused
    for line in write(platform, course, list(names), output, **options):
        click.echo(line)
