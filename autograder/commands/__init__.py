"""The `autograder` command. Each subcommand is a file here, imported when it is asked for."""

import atexit
import gc
import importlib
import sys

import click

COMMANDS = {
    "release": "Build what students receive into release/, or check that it is up to date.",
    "new": "Write the files of a new course, assignment or exercise, for you to fill.",
    "validate": "Prove the graders on right and wrong answers, and the released notebooks.",
    "grade": "Grade what is in submitted/ into gradebook.db.",
    "waiting": "List what waits for you to mark, and decide all of a kind at once.",
    "feedback": "Write the feedback page of everyone who handed in.",
    "report": "Write a page about the class: who handed in, what was hard, what it misunderstands.",
    "comment": "Comment on a whole family of answers, those that are the same but for names.",
    "explain": "Say why a student lost points, with the call and the numbers that show it.",
    "log": "Show what was written into the gradebook: when, from what, to what, and why.",
    "similar": "Show pairs of submissions that share rare things: a reason to look, not a verdict.",
    "export": "Write marks as CSV or JSON, or into the file that Canvas or Moodle exported.",
    "harness": "Write what a platform needs to grade there: Gradescope, GitHub and others.",
    "doctor": "Say which isolation works on this machine, and how to get what does not.",
    "image": "Build the image that student code runs in, where there is no Linux.",
    "demo": "The main job on a sample class, from release to feedback, in a fresh folder.",
}


class _Lazy(click.Group):
    """A group that imports a command's file only to run it: `--help` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"autograder.commands.{cmd_name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from autograder.course.errors import did_you_mean

            ctx.fail(f"No such command {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Lazy)
@click.version_option(package_name="attention-autograder", prog_name="autograder")
def cli() -> None:
    """Turn submitted notebooks into grades."""


def main() -> None:
    """Run the command line.

    Exit status: 0 done; 1 something was found wrong; 2 wrong usage.
    """
    from autograder.course.errors import CourseError, MachineError

    gc.set_threshold(100_000)  # modules and a class's records stay: looking for garbage finds none
    atexit.register(gc.freeze)  # nor would it at the end, for a quarter of a second
    try:
        cli.main(prog_name="autograder", standalone_mode=False)
    except CourseError as error:
        click.echo(f"autograder: {error}", err=True)
        sys.exit(2)
    except MachineError as error:
        click.echo(f"autograder: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"autograder: {where}{error.strerror or error}", err=True)
        sys.exit(1)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped. The same command goes on where this one ended.", err=True)
        sys.exit(130)
    except Exception as error:
        if not type(error).__module__.startswith("sqlalchemy."):
            raise
        said = str(getattr(error, "orig", None) or error).splitlines()[0]
        click.echo(
            f"autograder: the gradebook cannot be used: {said}. Is gradebook.db nbgrader's, whole "
            "and writable? Verdicts so far are kept: the same command goes on from them.",
            err=True,
        )
        sys.exit(1)
