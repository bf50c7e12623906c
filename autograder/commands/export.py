"""`autograder export`: marks for other systems."""

from pathlib import Path
from typing import Any

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.options import course_option
from autograder.course import CourseError, load_course

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("export")
@click.argument("form", metavar="FORMAT", type=click.Choice(["csv", "canvas", "moodle", "json"]))
@click.option("--output", required=True, metavar="FILE", type=FILE, help="The file to write.")
@click.option("--template", metavar="FILE", type=FILE, help="The file that the LMS exported.")
@click.option("--assignment", "names", metavar="NAME", multiple=True, help="Only this assignment.")
@click.option("--student", "students", metavar="ID", multiple=True, help="Only this student.")
@click.option(
    "--column",
    "columns",
    metavar="NAME=TITLE",
    multiple=True,
    help="Put assignment NAME into this column: its title, its id, or the whole first cell.",
)
@click.option("--match", metavar="COLUMN", help="The LMS's column that says who is who.")
@click.option(
    "--pending",
    type=click.Choice(["zero", "omit"]),
    help="Marks that are not whole: export the points so far, or leave them out.",
)
@click.option(
    "--missing",
    type=click.Choice(["omit", "zero"]),
    default="omit",
    help="Students who handed nothing in and are not excused: no mark, or 0 once it is due.",
)
@click.option(
    "--unmatched",
    type=click.Choice(["refuse", "omit"]),
    default="refuse",
    help="Marks that the LMS has no place for.",
)
@click.option("--scale", is_flag=True, help="Write shares of the LMS's maximum.")
@click.option("--cap", is_flag=True, help="Moodle: write its maximum where a bonus is above it.")
@click.option(
    "--by",
    type=click.Choice(["exercise", "student"]),
    default="exercise",
    help="csv: one row a student and exercise, or one a student.",
)
@click.option("--for-excel", is_flag=True, help="csv: mark it as UTF-8, as Excel wants it.")
@course_option
def command(
    form: str,
    output: Path,
    template: Path | None,
    names: tuple[str, ...],
    students: tuple[str, ...],
    columns: tuple[str, ...],
    match: str | None,
    pending: Any,
    missing: Any,
    unmatched: Any,
    scale: bool,
    cap: bool,
    by: str,
    for_excel: bool,
    root: Path,
) -> None:
    """Write marks as FORMAT: csv, json, or the file that canvas or moodle exported, filled.

    Marks are those that count in the gradebook; a group's are those of all its members. What the
    other system would drop, or take for something else, is refused with the reason.
    """
    from autograder.export.choices import Choices
    from autograder.export.exporting import Request, export

    course = load_course(root)
    request = Request(
        form,
        output,
        names,
        course.ids(students),
        Choices(pending or "refuse", missing, unmatched, scale, cap),
        template,
        dict(_named(one) for one in columns),
        match,
        by == "student",
        for_excel,
    )
    try:
        said = export(course, request)
    except CourseError as error:  # it may show what stands in the template
        raise CourseError("\n".join(map(plain, str(error).split("\n")))) from error
    for line in said:
        click.echo(plain(line))


def _named(option: str) -> tuple[str, str]:
    name, equals, title = option.partition("=")
    if not equals or not title.strip():
        raise CourseError(f"--column {option}: it is NAME=TITLE, such as 01-first-steps=12345.")
    return name, title
