"""`autograder feedback`: the page of every graded submission, into feedback/."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.options import course_option
from autograder.course import Course, CourseError, load_course
from autograder.course.errors import did_you_mean

if TYPE_CHECKING:
    from autograder.notebooks.submitted import Submitted


@click.command("feedback")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option("--student", "students", metavar="ID", multiple=True, help="Only this student.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Processes that write pages; one a core when not given.",
)
@course_option
def command(
    names: tuple[str, ...], students: tuple[str, ...], workers: int | None, root: Path
) -> None:
    """Write the feedback page of every graded submission, of all assignments or those named.

    Whoever handed in what cannot be graded gets a page with the reason and what to do. The pages
    are those of `nbgrader generate_feedback --force`, in feedback/STUDENT/NAME/NAME.html.
    What is there of submissions that are no longer graded is removed.
    """
    course = load_course(root)
    if write(course, names, course.ids(students), workers):
        sys.exit(1)


def write(
    course: Course, names: tuple[str, ...], students: tuple[str, ...], workers: int | None
) -> int:
    """Write feedback pages and say what was done; gives the number of those that failed."""
    from autograder.gradebook.feedback_pages import remove_stale, write_feedback
    from autograder.gradebook.logged import notice
    from autograder.notebooks.submitted import find_submitted
    from autograder.verdicts import default_workers

    chosen = [course.assignment(name).name for name in names] or list(course.assignments)
    everyone = find_submitted(course.folder("autograded"), chosen)
    graded = [one for one in everyone if not students or one.student in students]
    ungraded = _ungraded(course, chosen, students, graded)
    if everyone or ungraded:  # else nothing says that what is in feedback/ is stale
        shown = find_submitted(course.folder("feedback"), chosen, students)
        remove_stale(course, [*everyone, *ungraded], shown)
    told = {one.student for one in (*graded, *ungraded)}
    _refuse_nothing(course.folder("autograded"), chosen, students, told)
    failed = 0
    for one, reason in write_feedback(course, graded, ungraded, workers or default_workers()):
        if reason is not None:
            failed += one not in ungraded
            click.echo(plain(f"{one.student}, {one.assignment}: no page: {reason}"), err=True)
    for note in notice(course, chosen):
        click.echo(f"Note: {note}", err=True)
    click.echo(f"{len(graded) - failed} feedback pages written, {failed} failed")
    if ungraded:
        click.echo(f"{len(ungraded)} more say why a hand-in is not graded, and what to do")
    return failed


def _ungraded(
    course: Course, names: list[str], students: tuple[str, ...], graded: list["Submitted"]
) -> dict["Submitted", tuple[str, str | None]]:
    """What was handed in and cannot be graded, with why; what was not tried yet is left out."""
    from autograder.gradebook.submission import why_unreadable
    from autograder.marks.findings import Findings
    from autograder.notebooks.choosing import REASONS
    from autograder.notebooks.names import odd_name
    from autograder.notebooks.submitted import find_submitted

    found = {}
    known = {(one.student, one.assignment) for one in graded}
    findings = {name: Findings(course, name) for name in names}
    for one in find_submitted(course.folder("submitted"), names, students):
        if (one.student, one.assignment) in known or odd_name(one.student):
            continue  # nobody has an odd name as an id, so nobody would find the page
        said = findings[one.assignment].why_ungraded(one.student)
        ours = said if said is not None and said[0] not in REASONS else None
        why = why_unreadable(course, one) or ours
        if why is not None:
            found[one] = why
    return found


def _refuse_nothing(
    folder: Path, names: list[str], students: tuple[str, ...], graded: set[str]
) -> None:
    absent = sorted(set(students) - graded)
    if graded and not absent:
        return
    present = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    near = "".join(did_you_mean(student, present) for student in absent)
    raise CourseError(
        f"There is nothing to write about: {folder} holds no graded submission"
        f"{' of ' + ', '.join(absent) if absent else ''} for {', '.join(names)}.{near} "
        "Run `autograder grade` first, which says what it could not grade."
    )
