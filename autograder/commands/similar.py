"""`autograder similar`: which submissions share rare things; a reason to look, not a verdict."""

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.options import course_option
from autograder.course import CourseError, load_course

FIRST = 5  # pairs that the terminal names
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("similar")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option(
    "--output",
    metavar="FILE",
    type=FILE,
    help="Where the page goes; similar.html in the course's folder when not given.",
)
@click.option("--json", "json_file", metavar="FILE", type=FILE, help="Also write it as data.")
@course_option
def command(
    names: tuple[str, ...], output: Path | None, json_file: Path | None, root: Path
) -> None:
    """Write a page with the pairs of submissions that share more than chance explains.

    It is a reason to look and no verdict: rare answers, rare mistakes, another's numbers, comments
    and names that few use, side by side and with how rare they are. All assignments are taken
    together, or those named. It names students, so keep it as you keep the gradebook.
    """
    course = load_course(root)
    for name in names:
        course.source(name)  # an unknown one is refused
    page = output or course.root / "similar.html"
    for option, file in (("--output", page), ("--json", json_file)):
        if file and not file.absolute().parent.is_dir():
            raise CourseError(f"{option}: there is no folder {file.absolute().parent}.")
    from autograder.similar import similarity_of
    from autograder.similar.page import as_json, as_page
    from autograder.similar.words import counted, one_in

    found = similarity_of(course, list(dict.fromkeys(names)) or list(course.sources))
    if not found.students:
        raise CourseError(
            f"There is nothing to compare: {course.folder('submitted')} holds no submission that "
            "can be read."
        )
    page.write_text(
        as_page(course, found, datetime.now(UTC).astimezone(course.zone)), encoding="utf-8"
    )
    if json_file:
        json_file.write_text(json.dumps(as_json(course, found), indent=1) + "\n", encoding="utf-8")
    pairs = found.pairs
    click.echo(
        f"{counted(found.compared, 'pair')} of {counted(found.students, 'submitter')} compared; "
        f"{counted(len(pairs), 'pair')} shown"
    )
    for pair in pairs[:FIRST]:
        who = " and ".join(pair.students)
        click.echo(plain(f"  {who}: {one_in(pair.bits)} pairs that work apart, at most"))
    if len(pairs) > FIRST:
        click.echo(f"  and {len(pairs) - FIRST} more")
    click.echo(f"A reason to look, not a verdict: {page}")
