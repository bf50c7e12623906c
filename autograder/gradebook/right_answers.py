"""Right answers on feedback pages: once the course says so, and nobody can hand in any more.

The course names a moment, `c.FeedbackPolicy.solutions_from`. Before it no page has any. Nor has one
while nbgrader's due date, or any student's extension of it, lies ahead: who has read an answer can
pass it on. They are put in when a page is written, so that nothing else of a submission holds them.
"""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.course import Course, load_course
from autograder.course.layout import quiz_file
from autograder.course.own_code import serve
from autograder.course.quiz import read_quiz
from autograder.feedback.right_answer import right_choice, right_code
from autograder.gradebook import nbgrader_patches
from autograder.gradebook.granted import due_of
from autograder.notebooks.sanitise import grade_id

nbgrader_patches.patch_sqlalchemy()

Converted = tuple[NotebookNode, ResourcesDict]
SHOWN = "right_answer"


class ShowRightAnswers(NbGraderPreprocessor):
    """Puts right answers where the feedback page looks for them; comes after GetGrades."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Add them to the marks of a notebook, where it is time."""
        if self.config.FeedbackPolicy.get("solutions_from"):
            names = resources["nbgrader"]
            course = load_course(Path(self.config.CourseDirectory.get("root", ".")))
            with Gradebook(names["db_url"]) as gradebook:
                show_right_answers(course, gradebook, nb, names["assignment"], names["student"])
        return nb, resources


def show_right_answers(
    course: Course, gradebook: Gradebook, nb: NotebookNode, assignment: str, student: str
) -> None:
    """Put right answers into the marks of a notebook, in place, where it is time; else none.

    Args:
        course: says from when on.
        gradebook: says who may still hand in.
        nb: a notebook that holds its marks.
        assignment: the assignment's name.
        student: who handed it in.
    """
    if not is_time(course, gradebook, assignment, datetime.now(UTC)):
        return
    serve(course.root)
    cells = {grade_id(cell): cell for cell in nb.cells}
    exercises = course.assignment(assignment).exercises
    asked = any(one.kind == "quiz" for one in exercises)
    questions = read_quiz(quiz_file(course.root, assignment)) if asked else {}
    for one in exercises:
        marked, answer = cells.get(one.graded_cell), cells.get(one.name)
        if marked is None or one.kind == "written":
            continue
        if one.void or (one.kind == "quiz" and questions[one.name].void):
            continue  # its page says so; no answer to it is called right
        written = answer.source if answer is not None else ""
        shown = (
            right_choice(questions[one.name], student)
            if one.kind == "quiz"
            else right_code(course.root, assignment, one.name, written)
        )
        marked.metadata["nbgrader"][SHOWN] = asdict(shown)


def is_time(course: Course, gradebook: Gradebook, assignment: str, now: datetime) -> bool:
    """Whether right answers to an assignment may be seen: the moment has come, for everybody."""
    moment = course.feedback.solutions_moment(assignment)
    if moment is None or now < moment:
        return False
    last = _last_moment(course, gradebook, assignment)
    return last is None or now >= last


def _last_moment(course: Course, gradebook: Gradebook, assignment: str) -> datetime | None:
    """When the last student's time is up; None where nothing says so.

    Of those who have not handed in yet the roster alone knows an extension.
    """
    due = due_of(course, gradebook, assignment)
    found = course.roster.extensions.items()
    untils = [one.until for (_, name), one in found if name == assignment and one.until]
    if due is None:
        return max(untils, default=None)
    given = (
        gradebook.db.query(SubmittedAssignment.extension)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(Assignment.name == assignment, SubmittedAssignment.extension.is_not(None))
    )
    return max([due, *untils, *(due + extension for (extension,) in given)])
