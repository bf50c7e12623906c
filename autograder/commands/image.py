"""`autograder image`: builds the image of the containers that student code runs in."""

import shlex
import subprocess
import sys
from pathlib import Path

import click

from autograder.commands.options import course_if_any, course_option
from autograder.course.settings import ENGINES, IMAGE, IMAGE_NAME


@click.command("image")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    help="What builds and keeps it; the first that is installed when not given.",
)
@click.option(
    "--name",
    metavar="NAME",
    default=IMAGE,
    help=f"What to call it; as SandboxPolicy.image in the course. [{IMAGE}]",
)
@course_option
@click.option("--show", is_flag=True, help="Print the command instead of running it.")
def command(engine: str, name: str, root: Path, show: bool) -> None:
    """Build the image of the containers that student code runs in.

    Needed once where there is no Linux, such as on macOS, and again when packages are upgraded. In
    a course it holds what the course's Packages name.
    """
    from autograder.course.errors import MachineError
    from autograder.course.packages import Packages
    from autograder.sandbox.backend import Refused
    from autograder.sandbox.containers.engine import engines_here
    from autograder.sandbox.containers.image import build_command
    from autograder.sandbox.errors import SandboxUnavailable
    from autograder.sandbox.inside.versions import importable

    if not IMAGE_NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} cannot be an image's name.")
    course = course_if_any(root)
    packages = importable(**(course.packages if course else Packages()).names())
    try:
        build = build_command(engines_here(engine)[0], name, packages)
    except (Refused, SandboxUnavailable) as error:
        raise MachineError(f"The image cannot be built here: {error}.") from error
    if show:
        click.echo(shlex.join(build))
        return
    status = subprocess.run(build, check=False).returncode
    if status:
        click.echo("autograder: the image was not built; the message stands above.", err=True)
        sys.exit(1)
    click.echo(f"Built {name}. Try it: autograder grade --sandbox container")
