"""`autograder release`: build what students receive, and find out whether it is up to date."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.commands.options import course_option
from autograder.course import Course, CourseError, load_course

if TYPE_CHECKING:
    from autograder.build.release import Release

START_PAGE = "README.md"


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
    bytes. An assignment that is refused, with the reason, stays as it was.
    """
    if check and (target or pages):
        asked = "--publish" if target else "--html"
        raise click.UsageError(f"--check changes nothing, so it cannot {asked}. Run them apart.")
    if address and not target:
        raise click.UsageError("--url belongs to --publish: it is where DIR will stand in public.")
    course = load_course(root)
    chosen = _chosen(course, names)
    fine = [_check(course, name) for name in chosen] if check else _build(course, chosen, target)
    if check or any(fine):
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


def _build(course: Course, names: list[str], target: Path | None) -> list[bool]:
    """Build assignments, and write those that are not refused.

    Returns:
        of each whether it was written.
    Raises:
        CourseError: they cannot be published to the target; nothing was written.
    """
    from autograder.build.publish import refuse_foreign
    from autograder.build.release import staged  # late: imports nbgrader

    fine = []
    with ExitStack() as stack:
        built = []
        for name in names:
            try:
                built.append(stack.enter_context(staged(course, name)))
            except CourseError as error:
                click.echo(str(error), err=True)
                fine.append(False)
        if target:
            copies = [path for one in built for path in one.files]
            refuse_foreign(course, [*copies, START_PAGE], target)
        for one in built:
            one.write()
            fine.append(True)
            _say(one.release, "built" if one.release.changed else "up to date")
    return fine


def _check(course: Course, name: str) -> bool:
    """Whether an assignment's release is up to date, with a line for each difference."""
    from autograder.build.release import check_release

    try:
        built = check_release(course, name)
    except CourseError as error:
        click.echo(str(error), err=True)
        return False
    _say(built, "OUT OF DATE" if built.changed else "up to date")
    for change in built.changed:
        click.echo(f"    {change}")
    return not built.changed


def _say(built: "Release", state: str) -> None:
    count = len(built.assignment.exercises)
    marks = f"{count} exercise{'s' * (count != 1)}, {built.assignment.worth} points"
    click.echo(f"{built.assignment.name:<28} {marks:<24} {state}")


def _start_page(course: Course, check: bool) -> bool:
    """Write the page that students read first, or only compare.

    Returns:
        whether all is well: it was written, or it is up to date.
    """
    from autograder.build.start_page import is_up_to_date, write_start_page

    try:
        if not check:
            write_start_page(course)
            return True
        if is_up_to_date(course):
            return True
    except CourseError as error:
        click.echo(f"README.md, the start page: {error}", err=True)
        return False
    click.echo(f"{'README.md':<28} {'the start page':<24} OUT OF DATE")
    return False


def _no_strays(course: Course) -> list[bool]:
    """One False for each folder in release/ that no assignment builds, and a line about it."""
    from autograder.build.release import stray_releases

    strays = stray_releases(course)
    for path in strays:
        click.echo(f"{path.name:<28} belongs to no assignment: delete {path}", err=True)
    return [False for _ in strays]
