"""Written answers in nbgrader's two pages: the rubric in the grader's, what waits in the student's.

An answer that stands beside its question and not in its own cell is quoted to the grader, too.

The rubric is never written into a notebook. Formgrader gets it while it shows one, straight from
`solutions/`; so nothing that is made for students can hold it.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

from autograder.course import CourseError, load_course
from autograder.course.layout import written_file
from autograder.course.written import WrittenQuestion, read_written
from autograder.feedback.overview import waits_for_person
from autograder.gradebook import nbgrader_patches
from autograder.gradebook.formgrader_page import is_formgraders, put_above
from autograder.notebooks.sanitise import inert
from autograder.notebooks.written_answers import Passage, passages

nbgrader_patches.patch_sqlalchemy()

Converted = tuple[NotebookNode, ResourcesDict]


class ShowRubrics(Preprocessor):
    """Puts each written question's rubric above its answer, where formgrader shows a submission."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Add a cell before each answer; leave every page alone that is not formgrader's."""
        if not is_formgraders(resources):
            return nb, resources
        root = Path(self.config.CourseDirectory.get("root", "."))
        name = str(resources["assignment_id"])
        questions = _questions(root, name)
        assignment = load_course(root).assignment(name) if questions else None

        def rubric(cell: NotebookNode) -> str | None:
            mark = cell.metadata.get("nbgrader", {})
            question = questions.get(mark.get("grade_id")) if mark.get("grade") else None
            if question is None or assignment is None or not assignment.has(question.name):
                return None
            beside = passages(nb, assignment, assignment.exercise(question.name))
            return "\n\n".join([_rubric(question, mark.get("points")), *_quoted(beside)])

        put_above(nb, rubric)
        return nb, resources


class MarkWaiting(NbGraderPreprocessor):
    """Tells the feedback page which answers wait for a person: written ones, and unsure ones."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Set `waiting` in nbgrader's mark of each such cell; comes after GetGrades."""
        names = resources["nbgrader"]
        place = names["notebook"], names["assignment"], names["student"]
        with Gradebook(names["db_url"]) as gradebook:
            mark_waiting(nb, lambda cell: gradebook.find_grade(cell, *place))
        return nb, resources


def mark_waiting(nb: NotebookNode, grade_of: Callable[[str], Any]) -> None:
    """Set `waiting` and `blank` in nbgrader's mark of each cell that is for a person to mark.

    An answer that is as it was released gets an automatic 0, and nobody reads it.

    Args:
        nb: a notebook that holds its marks.
        grade_of: gives nbgrader's grade of a cell by its name.
    """
    for cell in nb.cells:
        unsure = is_grade(cell) and waits_for_person(cell)
        if not unsure and not (is_grade(cell) and is_solution(cell)):
            continue
        mark = cell.metadata["nbgrader"]
        grade = grade_of(mark["grade_id"])
        unread = grade.auto_score is None and grade.manual_score is None
        mark["waiting"] = grade.needs_manual_grade if unsure else unread
        mark["blank"] = not unsure and grade.auto_score == 0 and grade.manual_score is None


def _questions(root: Path, assignment: str) -> dict[str, WrittenQuestion]:
    """The written questions of an assignment; none where it has none, so that its page is shown."""
    try:
        return read_written(written_file(root, assignment))
    except CourseError:
        return {}


def _quoted(beside: Sequence[Passage]) -> Iterator[str]:
    """What stands beside the question, and where; code as code, and nothing that could act."""
    if beside:
        yield (
            "**The cell below is empty. This stands elsewhere**, between the question and the next "
            "heading. If it is no answer, give 0, or leave it: `autograder waiting "
            "--close-unanswered` gives 0 to all that are left."
        )
    for one in beside:
        place = f"{one.below} below the question" if one.below else "the question's own"
        indent = "> " if one.kind == "markdown" else ">     "
        yield f"*Cell {one.number}, {one.kind}, {place}:*"
        yield "\n".join(indent + line for line in inert(one.text).splitlines())
    if beside:
        yield "---"


def _rubric(question: WrittenQuestion, points: float | None) -> str:
    worth = "" if points is None else f" ({points:g} points)"
    heading = f"**Rubric of {question.name}{worth}, shown to graders alone**"
    return f"{heading}\n\n{question.rubric}\n\n---"
