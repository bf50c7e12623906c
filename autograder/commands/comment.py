"""`autograder comment`: one comment for all answers that are the same up to names and layout."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from autograder.checks.kit.plain_text import plain
from autograder.commands.options import course_option
from autograder.course import Course, CourseError, load_course
from autograder.course.errors import did_you_mean

FEWEST_LETTERS = 4
NAMED = 12  # students that are named


@dataclass(frozen=True)
class _Family:
    """What a command needs to know of a family: where it is, whose, and one of its answers."""

    id: str
    assignment: str
    exercise: str
    students: tuple[str, ...]
    source: str | None


@click.command("comment")
@click.argument("family", metavar="[FAMILY]", required=False)
@click.option("--text", metavar="TEXT", help="The comment, in Markdown; - reads it from the input.")
@click.option("--remove", is_flag=True, help="Take the comment back.")
@course_option
def command(family: str | None, text: str | None, remove: bool, root: Path) -> None:
    """Comment on a whole family of answers: those that are the same up to names and layout.

    FAMILY is the id that `autograder report` shows, or how it begins. The comment stands on the
    feedback page of every answer in the family, and of those that join it later; one that changes
    its answer loses it. Another --text takes its place. Without one, shows the family. Without
    FAMILY, lists all comments.
    """
    course = load_course(root)
    if family is None:
        if text is not None or remove:
            raise CourseError("Say which family: autograder comment FAMILY --text TEXT")
        _list(course)
        return
    if text is not None and remove:
        raise CourseError("Give --text or --remove, not both.")
    found = _named(course, family)
    if text is None and not remove:
        _show(course, found)
    elif _write(course, found, None if remove else _read(text or "")):
        sys.exit(1)


def _read(text: str) -> str:
    return sys.stdin.read() if text == "-" else text


def _write(course: Course, family: _Family, text: str | None) -> int:
    """Keep a comment, or take it back, and write the pages that are there again."""
    from autograder.gradebook.family_comments import write_comment

    before = write_comment(course, family.assignment, family.id, family.exercise, text)
    if text is None and before is None:
        raise CourseError(f"There is no comment on {family.id}.")
    what = "taken back" if text is None else "replaced" if before else "kept"
    click.echo(f"Comment on {_title(family)} {what}; it has {_students(family)}.")
    written, failed = _write_pages(course, family)
    absent = len(family.students) - written - failed
    click.echo(f"{written} feedback pages written again, {failed} failed")
    if absent:
        click.echo(f"{absent} of its students have no page yet: `autograder feedback` writes it.")
    return failed


def _write_pages(course: Course, family: _Family) -> tuple[int, int]:
    """Write those pages of a family again that are there; gives how many, and how many failed."""
    from autograder.gradebook.feedback_pages import write_feedback
    from autograder.notebooks.submitted import find_submitted
    from autograder.verdicts import default_workers

    pages = course.folder("feedback")
    there = [one for one in family.students if os.path.isdir(pages / one / family.assignment)]
    if not there:
        return 0, 0
    graded = find_submitted(course.folder("autograded"), [family.assignment], there)
    written = failed = 0
    for one, reason in write_feedback(course, graded, {}, default_workers()):
        if reason is None:
            written += 1
        else:
            failed += 1
            click.echo(plain(f"{one.student}, {one.assignment}: no page: {reason}"), err=True)
    return written, failed


def _show(course: Course, family: _Family) -> None:
    from autograder.gradebook.family_comments import read_comments

    click.echo(f"{_title(family)}: {_students(family)}")
    if family.students:
        more = ", ..." if len(family.students) > NAMED else ""
        click.echo(plain(", ".join(family.students[:NAMED]) + more))
    for line in (family.source or "").splitlines():
        click.echo(f"    {plain(line)}")
    comment = read_comments(course.root, family.assignment).get(family.id)
    if comment is None:
        click.echo(f"No comment: autograder comment {family.id} --text TEXT")
    else:
        click.echo(f"Comment of {comment.written}:")
        for line in comment.text.splitlines():
            click.echo(f"    {plain(line)}")


def _list(course: Course) -> None:
    from autograder.gradebook.family_comments import read_comments

    shown = 0
    for assignment in course.sources:
        comments = read_comments(course.root, assignment)
        if not comments:
            continue
        families = {one.id: one for one in _families(course, assignment)}
        for name, comment in comments.items():
            shown += 1
            gone = _Family(name, assignment, comment.exercise, (), None)
            family = families.get(name, gone)
            click.echo(f"{_title(family)}: {_students(family)}")
            click.echo(f"    {plain(comment.text.splitlines()[0])}")
    if not shown:
        click.echo("There are no comments on families of answers.")


def _named(course: Course, name: str) -> _Family:
    """The family of that id, or whose id begins so: one that is handed in, or commented on.

    Raises:
        CourseError: there is none, or several, or too little of the id is given.
    """
    name = name.strip().lower()
    if len(name) < FEWEST_LETTERS:
        raise CourseError(f"Give the family's id, or at least {FEWEST_LETTERS} letters of it.")
    everything = [one for assignment in course.sources for one in _families(course, assignment)]
    found = [one for one in everything if one.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(_title(one) for one in found[:5])
        raise CourseError(f"Several families of answers begin with {name!r}: {ids}.")
    near = did_you_mean(name, [one.id for one in everything])
    raise CourseError(
        f"There is no family of answers {plain(repr(name))}.{near} `autograder report` shows "
        "all of an assignment."
    )


def _families(course: Course, assignment: str) -> Iterator[_Family]:
    """All families of an assignment, and those that are commented on and have no answers now."""
    from autograder.gradebook.family_comments import read_comments
    from autograder.marks.answers import Answers

    students: dict[tuple[str, str], list[str]] = defaultdict(list)
    sources: dict[str, str] = {}
    for student, theirs in Answers(course, assignment).handed_in().items():
        for exercise, answer in theirs.items():
            students[answer.family, exercise].append(student)
            sources.setdefault(answer.family, answer.source)
    for (family, exercise), who in students.items():
        yield _Family(family, assignment, exercise, tuple(who), sources[family])
    for family, comment in read_comments(course.root, assignment).items():
        if family not in sources:
            yield _Family(family, assignment, comment.exercise, (), None)


def _title(family: _Family) -> str:
    return f"{family.id} ({family.exercise}, {family.assignment})"


def _students(family: _Family) -> str:
    count = len(family.students)
    return "no answer now" if not count else "1 answer" if count == 1 else f"{count} answers"
