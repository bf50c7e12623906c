"""`autograder grade`: what is in submitted/, into the gradebook."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.commands.marks_table import show
from autograder.commands.options import (
    NO_SANDBOX,
    course_option,
    device_option,
    sandbox_option,
    workers_option,
)
from autograder.course import Course, CourseError, load_course
from autograder.course.errors import did_you_mean
from autograder.course.hand_ins import SUBMITTED

if TYPE_CHECKING:
    from autograder.notebooks.submitted import Submitted
    from autograder.verdicts import Grader, SubmissionVerdict


def _file_option(name: str, what: str) -> Callable[[Any], Any]:
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option(f"--{name}", f"{name}_file", metavar="FILE", type=kind, help=what)


@click.command("grade")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Say whose marks would move, and by how much, and write none of them.",
)
@click.option("--student", "students", metavar="ID", multiple=True, help="Only this student.")
@_file_option("json", "Also write every mark and reason to FILE; with --dry-run, every move.")
@_file_option("junit", "Also write what every hidden test found to FILE, as JUnit XML for CI.")
@_file_option("summary", "Also write a summary of the class to FILE, as Markdown for CI.")
@device_option
@workers_option
@sandbox_option
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Grade on the workers of this Dask cluster, such as tcp://10.0.0.1:8786.",
)
@course_option
def command(
    names: tuple[str, ...],
    dry_run: bool,
    students: tuple[str, ...],
    json_file: Path | None,
    junit_file: Path | None,
    summary_file: Path | None,
    device: str | None,
    workers: int | None,
    sandbox: str | None,
    cluster: str | None,
    root: Path,
) -> None:
    """Grade assignments, all or those named, into gradebook.db.

    Every submission is graded or listed with the reason why not; one never stops the others. Marks
    are those that count in the gradebook, marks by hand and late penalties included.

    What was written, and why, stands in a log: see `autograder log`. Once graders, keys or points
    have changed, `--dry-run` says first what grading again would do.
    """
    course = load_course(root)
    students = course.ids(students)
    files = {"json": json_file, "junit": junit_file, "summary": summary_file}
    wanted = {form: file for form, file in files.items() if file}
    for form, file in wanted.items():
        if not file.absolute().parent.is_dir():
            raise CourseError(f"--{form}: there is no folder {file.absolute().parent}.")
    if dry_run:
        if junit_file or summary_file:
            raise click.UsageError("--dry-run gives no marks, so that --json alone can tell of it.")
        _dry_run(course, names, students, device, workers, sandbox, cluster, json_file)
        return
    verdicts, totals, used = grade(course, names, students, device, workers, sandbox, cluster)
    from autograder.commands.class_list import oddities, told_misplaced, with_class
    from autograder.marks.absent import absent_of
    from autograder.notebooks.misplaced import find_misplaced

    present = dict.fromkeys(verdict.assignment for verdict in verdicts)
    absent = absent_of(course, names or present, verdicts, students)
    misplaced = find_misplaced(course.folder("submitted"), course.sources, students)
    if wanted:
        from autograder.feedback.told import as_told, message_of, with_hints
        from autograder.verdicts.contract import as_contract

        told = partial(as_told, reveal=course.feedback.reveal(datetime.now().astimezone()))
        hinted = [with_hints(course.root, verdict) for verdict in verdicts]
        contract = as_contract(hinted, totals, used, told, message_of)
        contract = with_class(contract, course.roster, absent, misplaced)
        for form, file in wanted.items():
            file.write_text(_written_as(form, contract), encoding="utf-8")
    show(verdicts, totals, course.roster, absent)
    for line in told_misplaced(misplaced):
        click.echo(line, err=True)
    for note in oddities(course.roster, {verdict.student for verdict in verdicts}):
        click.echo(f"Note: {note}", err=True)
    if misplaced or any(verdict.reason or verdict.faults for verdict in verdicts):
        sys.exit(1)


def _written_as(form: str, contract: dict[str, Any]) -> str:
    """The contract's marks in one of the forms that other programs read."""
    if form == "junit":
        from autograder.commands.junit import as_junit

        return as_junit(contract)
    if form == "summary":
        from autograder.commands.summary import as_summary

        return as_summary(contract)
    return json.dumps(contract, indent=1) + "\n"


def grade(
    course: Course,
    names: tuple[str, ...],
    students: tuple[str, ...],
    device: str | None,
    workers: int | None,
    policy: str | None,
    cluster: str | None = None,
) -> tuple[list, list, str]:
    """Grade and give the verdicts, sorted, what counts of each, and the device that was used."""
    chosen = _named(course, names)
    several = []
    if course.hand_ins.counts != SUBMITTED:
        from autograder.gradebook.counting import take_in

        several = take_in(course, chosen, students)
    submitted = _submitted(course, chosen, students)
    assignments = {one.assignment for one in submitted}
    grader = _grader(course, submitted, device, workers, policy, cluster)
    try:
        # What this command needs is imported late: it takes seconds, and grading's process starts.
        autograded = course.folder("autograded")
        if not any((autograded / one.student).exists() for one in submitted):
            grader.begin()
        from autograder.gradebook.submission import expect

        expect(grader, submitted)
        from autograder.build.register import register
        from autograder.commands.progress import with_bar
        from autograder.gradebook.grade_class import grade_class
        from autograder.gradebook.totals import totals_of
        from autograder.marks.standing import keep_findings

        register(course, assignments)
        counting: dict[tuple[str, str], str] = {}
        if several:
            from autograder.gradebook.counting import choose

            counting = choose(grader, several)
        verdicts = list(with_bar(grade_class(grader, submitted), submitted))
        if course.packages.another_python:
            grader.add_note(course.packages.another_python)
        for note in grader.notes:
            click.echo(f"Note: {note}", err=True)
    finally:
        grader.close()
    verdicts.sort(key=lambda verdict: (verdict.assignment, verdict.student))
    verdicts = [_with_note(one, counting.get((one.student, one.assignment))) for one in verdicts]
    try:
        keep_findings(course, verdicts)
    except OSError as error:  # a report reads them from the verdicts then
        click.echo(f"Note: findings are not kept for reports: {error.strerror}.", err=True)
    return verdicts, totals_of(course, verdicts), grader.device


def _dry_run(
    course: Course,
    names: tuple[str, ...],
    students: tuple[str, ...],
    device: str | None,
    workers: int | None,
    policy: str | None,
    cluster: str | None,
    json_file: Path | None,
) -> None:
    """Show what grading would do; exits with 1 where something would have no marks, or fails."""
    submitted = _submitted(course, _named(course, names), students)
    assignments = sorted({one.assignment for one in submitted})
    grader = _grader(course, submitted, device, workers, policy, cluster)
    try:
        from autograder.build.register import check_registration
        from autograder.commands.moves_table import as_moves, show_moves
        from autograder.gradebook.dry_run import changed_in_course, dry_run

        check_registration(course, assignments)
        causes = changed_in_course(grader, assignments)
        moves = list(dry_run(grader, submitted))
        for note in grader.notes:
            click.echo(f"Note: {note}", err=True)
    finally:
        grader.close()
    moves.sort(key=lambda move: (move.assignment, -abs(move.change), move.student))
    if json_file:
        json_file.write_text(json.dumps(as_moves(causes, moves), indent=1) + "\n", encoding="utf-8")
    show_moves(causes, moves)
    if any(move.stops for move in moves):
        sys.exit(1)


def _named(course: Course, names: tuple[str, ...]) -> list[str]:
    """The assignments that were named, or all.

    Raises:
        CourseError: one of them is none.
    """
    for name in names:
        course.source(name)
    return list(names or course.sources)


def _submitted(course: Course, names: list[str], students: tuple[str, ...]) -> list["Submitted"]:
    """The submissions to grade; names that look alike are told.

    Raises:
        CourseError: there are none, or none of a student who was named.
    """
    from autograder.notebooks.names import look_alikes
    from autograder.notebooks.submitted import find_submitted

    submitted = find_submitted(course.folder("submitted"), names, students)
    _refuse_nothing(course, names, students, submitted)
    for group in look_alikes(one.student for one in submitted):
        alike = " and ".join(map(ascii, group))  # ASCII shows the difference
        click.echo(f"Note: {alike} look alike; they are graded as different students.", err=True)
    return submitted


def _grader(
    course: Course,
    submitted: list["Submitted"],
    device: str | None,
    workers: int | None,
    policy: str | None,
    cluster: str | None,
) -> "Grader":
    from autograder.verdicts import Grader, default_workers

    workers = min(workers or default_workers(), len(submitted))
    assignments = {one.assignment for one in submitted}
    grader = Grader(course, workers, device, policy, assignments, cluster)
    if grader.policy == "none":
        click.echo(NO_SANDBOX, err=True)
    return grader


def _with_note(verdict: "SubmissionVerdict", note: str | None) -> "SubmissionVerdict":
    return verdict if note is None else replace(verdict, notes=(*verdict.notes, note))


def _refuse_nothing(
    course: Course, names: list[str], students: tuple[str, ...], submitted: list
) -> None:
    from autograder.commands.class_list import told_misplaced
    from autograder.notebooks.misplaced import find_misplaced

    folder = course.folder("submitted")
    if submitted:
        absent = set(students) - {one.student for one in submitted}
        if absent:
            raise CourseError(f"{folder} holds no submission of {', '.join(sorted(absent))}.")
        return
    present = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    near = "".join(did_you_mean(student, present) for student in students)
    misplaced = find_misplaced(folder, course.sources, students)
    raise CourseError(
        f"There is nothing to grade: no {folder}/STUDENT/ASSIGNMENT folder"
        f"{' of ' + ', '.join(students) if students else ''} for {', '.join(names)}.{near} "
        "Collect submissions with `nbgrader collect`, or copy them there."
        + "".join(f"\n{line}" for line in told_misplaced(misplaced))
    )
