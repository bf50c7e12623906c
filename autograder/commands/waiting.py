"""`autograder waiting`: what waits for a person, and what is decided for all of a kind at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.marks_table import points
from autograder.commands.options import course_option
from autograder.course import load_course

if TYPE_CHECKING:
    from autograder.gradebook.waiting import Waiting

QUOTED = 200  # characters of what stands beside a question
WHY = {
    "written": "an answer in sentences",
    "elsewhere": "its own cell is empty, and this stands near the question:",
    "unsigned": "no student_id in the notebook; the answer fits its owner's numbers",
    "another id": "answered under another student_id",
    "check failed": "a hidden test failed by itself",
    "changed": "you have marked it, and the answer has changed since",
}


@click.command("waiting")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option("--student", "students", metavar="ID", multiple=True, help="Only this student.")
@click.option("--exercise", "exercises", metavar="NAME", multiple=True, help="Only this exercise.")
@click.option(
    "--close-unanswered",
    is_flag=True,
    help="Give 0 for written questions whose own cell is empty: what is near them is no answer.",
)
@click.option(
    "--accept-unsigned",
    is_flag=True,
    help="Give all points for personal answers that fit their owner's numbers and lack only an id.",
)
@course_option
def command(
    names: tuple[str, ...],
    students: tuple[str, ...],
    exercises: tuple[str, ...],
    close_unanswered: bool,
    accept_unsigned: bool,
    root: Path,
) -> None:
    """List what waits for you to mark, in all assignments or those named.

    Answers are marked one by one in formgrader, under *Manual Grading*. Two kinds can be decided at
    once here, as if you had typed the marks there. Look at the list first: mark in formgrader what
    is an answer after all, and then close the others. What you have marked is never touched.
    """
    from autograder.gradebook.waiting import decide, waiting

    course = load_course(root)
    for name in names:
        course.source(name)  # an unknown one is refused
    found = waiting(course, names or tuple(course.sources), course.ids(students))
    found = [one for one in found if not exercises or one.exercise in exercises]
    decisions = {"elsewhere": (close_unanswered, 0.0), "unsigned": (accept_unsigned, 1.0)}
    decided = []
    for kind, (wanted, share) in decisions.items():
        asked = [one for one in found if wanted and one.why == kind]
        done = decide(course, asked, share) if asked else []
        decided += done
        if wanted:
            each = "all points" if share else "0 points"
            click.echo(f"{len(done)} given {each}{': ' + _named(done) if done else '.'}")
    left = [one for one in found if one not in decided]
    for line in (text for one in left for text in _lines(one)):
        click.echo(plain(line))
    click.echo(f"{len(left)} wait for you." if left else "Nothing waits for you.")


def _named(done: list["Waiting"]) -> str:
    return plain(", ".join(f"{one.student} ({one.exercise})" for one in done))


def _lines(one: "Waiting") -> Iterator[str]:
    worth = f"{points(one.points)} point{'s' * (one.points != 1)}"
    yield f"{one.assignment}  {one.student}  {one.exercise}  {worth}: {WHY[one.why]}"
    for passage in one.beside:
        text = " ".join(passage.text.split())
        cut = text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"
        yield f"    cell {passage.number} ({passage.kind}): {cut}"
