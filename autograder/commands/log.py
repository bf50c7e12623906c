"""`autograder log`: what was written into the gradebook, when and why."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.marks_table import points
from autograder.commands.options import console, course_option, print_table
from autograder.course import Course, load_course
from autograder.course.moments import in_words

if TYPE_CHECKING:
    from autograder.gradebook.log import Change

NAMES = {
    "manual_score": "by hand",
    "extra_credit": "extra credit",
    "late_penalty": "late penalty",
    "points": "worth",
}


@click.command("log")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option("--student", "students", metavar="ID", multiple=True, help="Only this student.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also first marks one by one, and what changed none.",
)
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write every line to FILE.",
)
@course_option
def command(
    names: tuple[str, ...],
    students: tuple[str, ...],
    everything: bool,
    json_file: Path | None,
    root: Path,
) -> None:
    """Show what was written into the gradebook: when, from what, to what, and why.

    Marks that people gave, in formgrader or elsewhere, are there with the moment at which a command
    of ours first saw them; this one looks, too. The log is .autograder/log/NAME.jsonl, a line of
    JSON for each change; lines are only added.
    """
    from autograder.gradebook.logged import notice

    course = load_course(root)
    students = course.ids(students)
    for name in names:
        course.source(name)  # an unknown one is refused
    for note in notice(course, names or course.sources):
        click.echo(f"Note: {note}", err=True)
    found = {name: _of(course, name, students) for name in names or course.sources}
    if json_file:
        lines = [one.to_json() for changes in found.values() for one in changes]
        json_file.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")
    for name, changes in found.items():
        _show(name, [one for one in changes if everything or _is_told(one)], course.zone)


def _of(course: Course, name: str, students: tuple[str, ...]) -> list["Change"]:
    from autograder.gradebook.log import Log

    changes = Log(course.root, name).read()
    return [one for one in changes if not students or one.student in students]


def _is_told(change: "Change") -> bool:
    """Whether a mark has changed, or what marks rest on; first marks are told once, as a sum."""
    from autograder.gradebook.logged import PASSING

    if change.student is None:
        return change.old is not None
    if change.exercise is None:
        return change.what == "late_penalty" or change.why not in PASSING
    return change.old is not None or change.by != "autograder"


def _show(name: str, changes: list["Change"], zone: tzinfo | None) -> None:
    from rich.markup import escape
    from rich.table import Table

    to = console()
    if not changes:
        to.print(f"{name}: there is nothing to show.")
        return
    table = Table(title=name, title_justify="left", box=None, header_style="bold")
    table.add_column("When", no_wrap=True)
    for column in ("Student", "Exercise"):
        table.add_column(column, overflow="fold")
    for column in ("From", "To"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("Why", overflow="fold")
    for row in _rows(changes, zone):
        table.add_row(*(escape(plain(text)) for text in row))
    print_table(to, table)


def _rows(changes: Iterable["Change"], zone: tzinfo | None) -> Iterator[tuple[str, ...]]:
    for one in changes:
        moment = in_words(datetime.fromisoformat(one.when), zone)
        what = NAMES.get(one.what)
        exercise = " ".join(filter(None, [one.exercise, what])) or "all"
        numbers = ("", "") if one.what == "rests_on" else (_number(one.old), _number(one.new))
        yield moment, one.student or "everyone", exercise, *numbers, one.why


def _number(value: Any) -> str:
    return "none" if value is None else points(value)
