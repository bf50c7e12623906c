"""`autograder report`: how a class is doing, as one page and as data."""

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.options import course_option
from autograder.course import CourseError, load_course

FIRST = 3  # misconceptions that the terminal names
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("report")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option(
    "--output",
    metavar="FILE",
    type=FILE,
    help="Where the page goes; report.html in the course's folder when not given.",
)
@click.option(
    "--json", "json_file", metavar="FILE", type=FILE, help="Also write all of it as data."
)
@course_option
def command(
    names: tuple[str, ...], output: Path | None, json_file: Path | None, root: Path
) -> None:
    """Write a page about the class: who handed in, what was hard, which misconceptions it holds.

    It is about all assignments of which something was handed in, or those named. Nothing is graded:
    it shows what `autograder grade` and formgrader left. It names students, so keep it as you keep
    the gradebook.
    """
    course = load_course(root)
    for name in names:
        course.source(name)  # an unknown one is refused
    page = output or course.root / "report.html"
    for option, file in (("--output", page), ("--json", json_file)):
        if file and not file.absolute().parent.is_dir():
            raise CourseError(f"{option}: there is no folder {file.absolute().parent}.")
    from autograder.report import as_json, as_page, report_on

    report = report_on(course, names)
    if not report.assignments:
        raise CourseError(
            f"There is nothing to report on: nobody has handed in anything in "
            f"{course.folder('submitted')}, and the gradebook has no marks."
        )
    page.write_text(as_page(report, datetime.now(UTC).astimezone(course.zone)), encoding="utf-8")
    if json_file:
        json_file.write_text(json.dumps(as_json(report), indent=1) + "\n", encoding="utf-8")
    for one in report.assignments:
        turnout = one.turnout
        waiting = sum(len(them.students) for them in turnout.waiting)
        click.echo(
            f"{one.name}: {turnout.graded} of {turnout.expected} students graded, "
            f"{len(turnout.ungraded)} submissions ungraded, {len(turnout.missing)} students "
            f"missing, {waiting} answers waiting"
        )
    for held in report.misconceptions[:FIRST]:
        click.echo(plain(f"{len(held.students)} of {held.of} students: {held.slug}. {held.say}"))
    click.echo(f"Written: {page}")
