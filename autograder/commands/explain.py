"""`autograder explain`: why a mark was lost, with the call, the input and both results."""

from pathlib import Path

import click

from autograder.commands.options import NO_SANDBOX, course_option, sandbox_option
from autograder.course import CourseError, load_course


@click.command("explain")
@click.argument("student")
@click.argument("assignment")
@click.argument("exercise", required=False)
@click.option(
    "--cell",
    "cell",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write Python to paste below the student's code, which shows it; - prints it.",
)
@click.option(
    "--html",
    "html",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it as a page, and print nothing else.",
)
@click.option(
    "--for-student",
    is_flag=True,
    help="Show other inputs than those that were graded with, so that it can be sent on.",
)
@sandbox_option
@course_option
def command(
    student: str,
    assignment: str,
    exercise: str | None,
    cell: Path | None,
    html: Path | None,
    for_student: bool,
    sandbox: str | None,
    root: Path,
) -> None:
    """Say why a student lost points in an assignment, or in one exercise of it.

    The hidden tests that failed run again, on the same hidden inputs, and what they found is
    compared with what is recorded. What is shown has hidden numbers in it: it is for you.
    """
    from autograder.disputes.cells import cells
    from autograder.disputes.desk import explained
    from autograder.disputes.page import page
    from autograder.disputes.terminal import show

    for option, file in (("--cell", cell), ("--html", html)):
        if file is not None and not file.absolute().parent.is_dir():
            raise CourseError(f"{option}: there is no folder {file.absolute().parent}.")
    course = load_course(root)
    (student,) = course.ids([student])
    if (sandbox or course.sandbox.mode) == "none":
        click.echo(NO_SANDBOX, err=True)
    dispute = explained(course, student, assignment, exercise, sandbox, for_student)
    if html is None:
        show(dispute)
    for file, write in ((cell, cells), (html, page)):
        if file is None:
            continue
        if str(file) == "-":
            click.echo(write(dispute))
        else:
            file.write_text(write(dispute), encoding="utf-8")
            click.echo(f"Written: {file}")
