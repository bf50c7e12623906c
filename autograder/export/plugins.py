"""The exports as nbgrader's: `nbgrader export --exporter=autograder.export.plugins.Canvas`.

What the command takes as options are traits here, for course_config.py or the command line:
`--Canvas.template=exported.csv`. `--to`, `--assignment` and `--student` are nbgrader's own.
"""

from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Bool, Dict, Enum, Unicode

from autograder.course import CourseError, load_course
from autograder.export.choices import Choices
from autograder.export.exporting import Request, export


class _Exporter(ExportPlugin):
    """Exports as one of our formats."""

    form = ""
    default_file = ""

    pending: Any = Enum(("refuse", "zero", "omit"), "refuse", help="Marks that are not whole.").tag(
        config=True
    )
    missing: Any = Enum(
        ("omit", "zero"), "omit", help="Students who handed nothing in and are not excused."
    ).tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write the file; what does not fit is said, and ends nbgrader with status 1."""
        app: Any = self.parent
        course = load_course(Path(app.coursedir.root))
        course.config.CourseDirectory.db_url = app.coursedir.db_url
        request = Request(
            self.form,
            Path(self.to or self.default_file),
            [str(one) for one in self.assignment],
            [str(one) for one in self.student],
            **self._request(),
        )
        try:
            for line in export(course, request):
                self.log.info("%s", line)
        except CourseError as error:
            app.fail(str(error))

    def _request(self) -> dict[str, Any]:
        return {"choices": Choices(self.pending, self.missing)}


class _Filled(_Exporter):
    """Fills the file that a system exported."""

    template = Unicode(help="The file that the system exported.").tag(config=True)
    columns = Dict(help="The column of each assignment, where titles do not tell.").tag(config=True)
    match = Unicode(help="The column of the students' ids; found out where empty.").tag(config=True)
    unmatched: Any = Enum(
        ("refuse", "omit"), "refuse", help="Marks that the system has no place for."
    ).tag(config=True)
    scale = Bool(False, help="Whether to write shares of the system's maximum.").tag(config=True)
    cap = Bool(False, help="Whether to cap what the system would drop.").tag(config=True)

    def _request(self) -> dict[str, Any]:
        return {
            "choices": Choices(self.pending, self.missing, self.unmatched, self.scale, self.cap),
            "template": Path(self.template) if self.template else None,
            "columns": dict(self.columns),
            "match": self.match or None,
        }


class Canvas(_Filled):
    """The gradebook file that Canvas exported, filled."""

    form, default_file = "canvas", "canvas-filled.csv"


class Moodle(_Filled):
    """The grading worksheet that Moodle exported, filled."""

    form, default_file = "moodle", "moodle-filled.csv"


class Json(_Exporter):
    """Marks as JSON."""

    form, default_file = "json", "marks.json"


class Csv(_Exporter):
    """Marks as tidy CSV."""

    form, default_file = "csv", "marks.csv"

    by_student = Bool(False, help="Whether it has one row a student.").tag(config=True)
    for_excel = Bool(False, help="Whether it is marked as UTF-8 for Excel.").tag(config=True)

    def _request(self) -> dict[str, Any]:
        return super()._request() | {"by_student": self.by_student, "for_excel": self.for_excel}
