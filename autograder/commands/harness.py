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
@course_option
def command(platform: str, output: Path, names: tuple[str, ...], root: Path) -> None:
    """Write what PLATFORM needs to grade this course there.

    docs/ci.md has a page for each platform. What is written for gradescope, classroom50 and
    prairielearn holds the solutions, the graders and the course secret.
    """
    from autograder.harness.platforms import write

    course = load_course(root)
    for name in names:
        course.source(name)  # an unknown one is refused
    for line in write(platform, course, list(names), output):
        click.echo(line)
