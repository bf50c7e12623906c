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
@click.option(
    "--base",
    metavar="IMAGE",
    help="What to build on: an image of Linux with a python3 of the version that runs the "
    "autograder. Docker Hub's Python when not given.",
)
@click.option(
    "--wheels",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Take packages from this folder, and nothing from the network. Fill it on a Linux machine "
    "that has one: `autograder image --pins > pins.txt`, then `pip download --dest DIR pip "
    "--requirement pins.txt` (for torch without CUDA, with `--extra-index-url "
    "https://download.pytorch.org/whl/cpu`).",
)
@course_option
@click.option("--show", is_flag=True, help="Print the command instead of running it.")
@click.option("--pins", "lists", is_flag=True, help="Print the packages that it holds instead.")
def command(
    engine: str,
    name: str,
    base: str | None,
    wheels: Path | None,
    root: Path,
    show: bool,
    lists: bool,
) -> None:
    """Build the image of the containers that student code runs in.

    Needed once where there is no Linux, such as on macOS, and again when packages are upgraded. In
    a course it holds what the course's Packages name. Where there is no network, give --base, an
    image that is there, and --wheels.
    """
    from autograder.course.errors import MachineError
    from autograder.course.packages import Packages
    from autograder.sandbox.backend import Refused
    from autograder.sandbox.containers.engine import engines_here
    from autograder.sandbox.containers.image import build_command, pins
    from autograder.sandbox.errors import SandboxUnavailable
    from autograder.sandbox.inside.versions import importable

    for one in (name, base):
        if one is not None and not IMAGE_NAME.fullmatch(one):
            raise click.UsageError(f"{one!r} cannot be an image's name.")
    if wheels is not None and not any(wheels.glob("*.whl")):
        raise click.UsageError(f"{wheels} holds no wheels; `autograder image --help` fills it.")
    course = course_if_any(root)
    packages = importable(**(course.packages if course else Packages()).names())
    try:
        if lists:
            click.echo("\n".join(pins(packages)))
            return
        build = build_command(engines_here(engine)[0], name, packages, base, wheels)
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
