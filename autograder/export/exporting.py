"""One export, from the gradebook to a file: what the command and nbgrader's exporters do alike."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, CourseError
from autograder.export.as_json import as_json
from autograder.export.canvas import fill_canvas
from autograder.export.choices import Choices
from autograder.export.marks import Mark, handed_in, marks_of
from autograder.export.moodle import fill_moodle
from autograder.export.tidy import by_exercise, by_student
from autograder.export.wording import told

FORMATS = ("csv", "canvas", "moodle", "json")
FILLED = {"canvas": fill_canvas, "moodle": fill_moodle}
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Request:
    """What is to be exported, and how.

    Attributes:
        form: one of `FORMATS`.
        output: the file to write.
        assignments: names; all of which anything was handed in, where empty.
        students: ids of students or groups; everyone where empty.
        choices: what to do with marks that are not plain.
        template: for canvas and moodle, the file that the system exported.
        columns: for them, the column of each assignment, where titles do not tell.
        match: for them, the column of the students' ids; found out where None.
        by_student: for csv, whether it has one row a student.
        for_excel: for csv, whether it begins with the mark by which Excel knows UTF-8.
    """

    form: str
    output: Path
    assignments: Collection[str] = ()
    students: Collection[str] = ()
    choices: Choices = field(default_factory=Choices)
    template: Path | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    match: str | None = None
    by_student: bool = False
    for_excel: bool = False


def export(course: Course, request: Request) -> list[str]:
    """Write the file and give what an instructor should know of it.

    Raises:
        CourseError: something does not fit, or is not settled; nothing is written.
    """
    _check(request)
    for name in (*request.assignments, *request.columns):
        course.source(name)  # an unknown one is refused
    names = [one for one in course.sources if one in request.assignments] or handed_in(course)
    if not names:
        raise CourseError(
            f"There is nothing to export: nothing was handed in into {course.folder('submitted')}."
        )
    marks = marks_of(course, names, request.choices, request.students)
    if not marks:
        raise CourseError(f"Nobody has a mark for {', '.join(names)}, and there is no roster.csv.")
    if request.form in FILLED and request.template is not None:
        fill = FILLED[request.form]
        content, said = fill(
            request.template, marks, request.choices, request.columns, request.match
        )
    else:
        content, said = _own(course, request, marks).encode(), []
    _write(request.output, content)
    return [f"{request.output} written: {_counted(marks)}.", *said, *told(marks)]


def _check(request: Request) -> None:
    fills = request.form in FILLED
    if fills and request.template is None:
        raise CourseError(
            f"{request.form} fills the file that the system exported: name it with --template."
        )
    if not fills and (request.template or request.columns or request.match):
        raise CourseError(f"{request.form} is written anew: it takes no template, column or match.")
    if request.form != "csv" and (request.by_student or request.for_excel):
        raise CourseError("--by and --for-excel are choices of csv alone.")
    folder = request.output.absolute().parent
    if not folder.is_dir():
        raise CourseError(f"There is no folder {folder}.")
    if request.template and request.output.resolve() == request.template.resolve():
        raise CourseError(
            f"{request.output} is the template itself. Write elsewhere, so that the file of the "
            "other system stays to compare with."
        )


def _own(course: Course, request: Request, marks: list[Mark]) -> str:
    if request.form == "json":
        course_id = str(course.config.CourseDirectory.get("course_id", ""))
        return json.dumps(as_json(course_id, marks), indent=1, ensure_ascii=False) + "\n"
    text = by_student(marks) if request.by_student else by_exercise(marks)
    return BYTE_ORDER_MARK + text if request.for_excel else text


def _counted(marks: list[Mark]) -> str:
    students = len({one.person.id for one in marks})
    assignments = len({one.assignment.name for one in marks})
    return f"{_many(students, 'student')}, {_many(assignments, 'assignment')}"


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _write(path: Path, content: bytes) -> None:
    """Write it all or nothing."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)
