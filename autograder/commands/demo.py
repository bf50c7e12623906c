"""`autograder demo`: the main job on the sample class, from release to feedback."""

import shutil
import time
from pathlib import Path

import click

from autograder.commands.feedback import write
from autograder.commands.grade import grade
from autograder.commands.marks_table import show
from autograder.commands.options import course_option
from autograder.course import Course, CourseError, load_course
from autograder.sandbox.inside.versions import importable
from autograder.sandbox.visible import closure
from autograder.verdicts.contract import sandbox_of

MARK = ".autograder-demo"  # only a folder that a demo made is ever replaced
PERFECT = "ada"
COPIED = ("course_config.py", "nbgrader_config.py", "assignments", "solutions", "graders")


@click.command("demo")
@click.option(
    "--into",
    metavar="DIR",
    default="demo",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to make the course; made anew each time. [demo]",
)
@course_option
def command(into: Path, root: Path) -> None:
    """Release, grade and give feedback to the sample class, in a fresh folder.

    The class has a perfect student, a partial one, common mistakes, an endless loop, a crash, an
    unreadable notebook and tampered cells.
    """
    from autograder.gradebook.totals import totals_of

    started = time.perf_counter()
    source = load_course(root)
    closure(importable(**source.packages.names()))  # before it has worked for half a minute
    course = _fresh_copy(source, into)
    for name in course.assignments:
        _release(course, name)
    click.echo("Grading the sample class; one of its students never finishes ...")
    verdicts, _, device = grade(course, (), (), None, None, None)
    _mark_by_hand(course, PERFECT)
    show(verdicts, totals_of(course, verdicts))
    click.echo(f"The demo has marked {PERFECT}'s written answers, as you would in Formgrader.")
    click.echo(f"Student code ran in: {sandbox_of(verdicts)}, on {device}.")
    write(course, (), (), None)
    click.echo(f"\nDone in {time.perf_counter() - started:.0f} s. Open:")
    click.echo(f"  what students receive   {course.folder('release')}")
    for verdict in verdicts:
        if any(one.misconceptions for one in verdict.exercises):
            folder = course.folder("feedback") / verdict.student / verdict.assignment
            click.echo(f"  a mistake, named        {folder / f'{verdict.assignment}.html'}")
    click.echo(f"  all feedback            {course.folder('feedback')}")
    click.echo(f"  the gradebook           cd {course.root} && jupyter lab")
    click.echo("                          then Formgrader in the menu Nbgrader")


def _fresh_copy(source: Course, into: Path) -> Course:
    """A course of its own, with the sample class as its submissions."""
    into = into.resolve()
    sample = source.root / "examples" / "submitted"
    if not sample.is_dir():
        raise CourseError(f"{sample} is missing: it holds the sample class of the demo.")
    if into.is_dir() and (into / MARK).is_file():
        shutil.rmtree(into)
    elif into.exists() and not (into.is_dir() and not any(into.iterdir())):
        raise CourseError(f"{into} holds files that no demo made; name another folder with --into.")
    into.mkdir(parents=True, exist_ok=True)
    (into / MARK).write_text("`autograder demo` made this folder and will replace it.\n")
    for name in COPIED:
        path = source.root / name
        ignored = shutil.ignore_patterns("*.ipynb", "__pycache__")
        if path.is_dir():
            shutil.copytree(path, into / name, ignore=ignored)
        else:
            shutil.copy(path, into / name)
    shutil.copytree(sample, into / "submitted", symlinks=True)
    return load_course(into)


def _mark_by_hand(course: Course, student: str) -> None:
    """Give a student's written answers full marks, as a person does in formgrader."""
    from autograder.gradebook.scores import open_gradebook

    with open_gradebook(course) as gradebook:
        for name in course.assignments:
            for exercise in course.assignment(name).exercises:
                if exercise.kind == "written":
                    grade = gradebook.find_grade(exercise.graded_cell, name, name, student)
                    grade.manual_score, grade.needs_manual_grade = exercise.points, False
        gradebook.db.commit()


def _release(course: Course, name: str) -> None:
    from autograder.build.release import build_release

    built = build_release(course, name)
    click.echo(f"Released {name}, {built.assignment.worth} points")
