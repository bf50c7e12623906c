"""`autograder image`: builds the image of the containers that student code runs in."""

import shlex
import subprocess
import sys

import click

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
@click.option("--show", is_flag=True, help="Print the command instead of running it.")
def command(engine: str, name: str, show: bool) -> None:
    """Build the image of the containers that student code runs in.

    Needed once where there is no Linux, such as on macOS, and again when packages are upgraded.
    """
    from autograder.course.errors import MachineError
    from autograder.sandbox.backend import Refused
    from autograder.sandbox.containers.engine import engines_here
    from autograder.sandbox.containers.image import build_command
    from autograder.sandbox.errors import SandboxUnavailable

    if not IMAGE_NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} cannot be an image's name.")
    try:
        build = build_command(engines_here(engine)[0], name)
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
