"""`autograder release`: build what students receive, and find out whether it is up to date."""

import sys
from pathlib import Path

import click

from autograder.commands.options import course_option
from autograder.course import Course, CourseError, load_course


@click.command("release")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if release/ is out of date.")
@click.option(
    "--publish",
    "target",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Then copy what was built to DIR, for a public repository, a zip or an exchange.",
)
@click.option(
    "--url",
    "address",
    metavar="URL",
    help="With --publish: where DIR will stand in public. From GitHub, Colab opens the notebooks.",
)
@click.option(
    "--html",
    "pages",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Then write each notebook to DIR as a page to read in a browser or to print.",
)
@course_option
def command(
    names: tuple[str, ...],
    check: bool,
    target: Path | None,
    address: str | None,
    pages: Path | None,
    root: Path,
) -> None:
    """Build the students' version of assignments: all of them, or those named.

    Fills release/NAME from assignments/NAME and solutions/, writes the start page
    release/README.md, and registers the assignment in the gradebook. Building twice gives the same
    bytes.
    """
    if check and (target or pages):
        asked = "--publish" if target else "--html"
        raise click.UsageError(f"--check changes nothing, so it cannot {asked}. Run them apart.")
    if address and not target:
        raise click.UsageError("--url belongs to --publish: it is where DIR will stand in public.")
    course = load_course(root)
    chosen = _chosen(course, names)
    fine = [_build(course, name, check) for name in chosen]
    fine.append(_start_page(course, check))
    fine += [] if names else _no_strays(course)
    if check and not all(fine):
        again = " ".join(["autograder release", *names])
        click.echo(f"release/ is not what the sources give. Run `{again}`, and commit the result.")
    if not all(fine):
        sys.exit(1)
    if target:
        from autograder.build.publish import publish

        count = publish(course, chosen, target, address)
        click.echo(f"{count} files published to {target}")
    if pages:
        from autograder.build.reading_page import write_pages

        count = write_pages(course.folder("release"), chosen, pages)
        click.echo(f"{count} pages written to {pages}")


def _chosen(course: Course, names: tuple[str, ...]) -> list[str]:
    """The assignments named; or else all, those without a percent notebook too."""
    if names:
        for name in names:
            if not (course.root / "assignments" / name).is_dir():
                course.assignment(name)  # raises, and says which is nearest
        return list(dict.fromkeys(names))
    from autograder.course.assignments import ASSIGNMENT_NAME

    folder = course.root / "assignments"
    found = sorted(path.name for path in folder.glob("*/") if ASSIGNMENT_NAME.fullmatch(path.name))
    if not found:
        raise CourseError(f"{folder} holds no assignment, such as 01-first-steps/.")
    return found


def _build(course: Course, name: str, check: bool) -> bool:
    """Build one assignment, or only compare, and say so in a line.

    Returns:
        whether all is well: it was built, or it is up to date.
    """
    from autograder.build.release import build_release, check_release  # late: imports nbgrader

    try:
        built = (check_release if check else build_release)(course, name)
    except CourseError as error:
        click.echo(str(error), err=True)
        return False
    count = len(built.assignment.exercises)
    marks = f"{count} exercise{'s' * (count != 1)}, {built.assignment.worth} points"
    state = "up to date" if not built.changed else "OUT OF DATE" if check else "built"
    click.echo(f"{name:<28} {marks:<24} {state}")
    if check:
        for change in built.changed:
            click.echo(f"    {change}")
    return not (check and built.changed)


def _start_page(course: Course, check: bool) -> bool:
    """Write the page that students read first, or only compare.

    Returns:
        whether all is well: it was written, or it is up to date.
    """
    from autograder.build.start_page import is_up_to_date, write_start_page

    if not check:
        write_start_page(course)
        return True
    if not is_up_to_date(course):
        click.echo(f"{'README.md':<28} {'the start page':<24} OUT OF DATE")
        return False
    return True


def _no_strays(course: Course) -> list[bool]:
    """One False for each folder in release/ that no assignment builds, and a line about it."""
    from autograder.build.release import stray_releases

    strays = stray_releases(course)
    for path in strays:
        click.echo(f"{path.name:<28} belongs to no assignment: delete {path}", err=True)
    return [False for _ in strays]
