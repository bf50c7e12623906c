"""The instructor's notebook: prose from the percent file, code from `solutions/`, nbgrader's marks.

It is derived and git-ignored; nbgrader reads it to make the student's version.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.build.references import BEGIN, END, reference_source
from autograder.build.stubs import give_stub
from autograder.course import Assignment, Course, CourseError, Exercise
from autograder.course.errors import did_you_mean
from autograder.course.quiz import Question, read_quiz
from autograder.notebooks.sanitise import metadata_of

# Fixed, so that the machine that builds leaves no trace.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")

# Without our configuration nbgrader runs the visible check alone, and would give full marks to
# whoever deletes it. The raise gives 0 then; nbgrader strips it from the student's version.
GRADED_CELL = """\
from checks import check

check("{name}")
### BEGIN HIDDEN TESTS
raise RuntimeError(
    "hidden tests run in `autograder grade`; without course_config.py this cell earns nothing"
)
### END HIDDEN TESTS"""


def percent_path(course: Course, name: str) -> Path:
    """Where an assignment's percent notebook stands."""
    return course.root / "assignments" / name / f"{name}.py"


def source_notebook(course: Course, assignment: Assignment) -> NotebookNode:
    """Expand the percent notebook into nbgrader's source notebook.

    Raises:
        CourseError: an exercise or a question is missing, or a cell is not as it should be.
    """
    import jupytext  # late: 0.1 s that `autograder --help` does not need

    percent = percent_path(course, assignment.name)
    read = jupytext.reads(percent.read_text(encoding="utf-8"), fmt="py:percent")
    cells = [made for cell in read.cells for made in _expand(cell, course, assignment)]
    _set_ids(cells)
    notebook = new_notebook(cells=cells, metadata=NOTEBOOK_METADATA, nbformat_minor=5)
    nbformat.validate(notebook)
    return notebook


def _expand(cell: NotebookNode, course: Course, assignment: Assignment) -> Iterator[NotebookNode]:
    name = cell.metadata.get("exercise") or cell.metadata.get("quiz")
    if name is None:
        yield _plain(cell)
        return
    exercise = assignment.exercise(name)
    if cell.source.strip():
        raise CourseError(
            f"{percent_path(course, assignment.name)}: the cell of {name!r} must be empty: its "
            "code comes from solutions/. Move what stands there to a cell of its own."
        )
    if exercise.kind == "code":
        module = course.root / "solutions" / f"{assignment.module}.py"
        yield _marked_cell(exercise, reference_source(module, name))
    else:
        question = _question(course, assignment, name)
        yield new_markdown_cell(_question_text(question))
        answer = f'### {BEGIN}\n{name} = "{question.key}"\n### {END}'
        yield give_stub(_marked_cell(exercise, answer), _answer_stub(question))
    yield _marked_cell(exercise, GRADED_CELL.format(name=name), graded=True)


def _plain(cell: NotebookNode) -> NotebookNode:
    make = new_markdown_cell if cell.cell_type == "markdown" else new_code_cell
    return make(cell.source, metadata=cell.metadata)


def _marked_cell(exercise: Exercise, source: str, *, graded: bool = False) -> NotebookNode:
    return new_code_cell(source, metadata={"nbgrader": metadata_of(exercise, graded)})


def _question(course: Course, assignment: Assignment, name: str) -> Question:
    path = course.root / "solutions" / "quiz" / f"{assignment.name}.toml"
    questions = read_quiz(path)
    if name not in questions:
        raise CourseError(
            f"{path} has no question {name!r}, which the notebook asks for."
            f"{did_you_mean(name, questions)}"
        )
    return questions[name]


def _question_text(question: Question) -> str:
    options = (f"- **{letter}.** {o.text.strip()}" for letter, o in question.options.items())
    return f"**{question.name}.** {question.text.strip()}\n\n" + "\n".join(options)


def _answer_stub(question: Question) -> str:
    """The line that students fill in: it says which answers it takes, and runs as it is."""
    *others, last = (f'"{letter}"' for letter in question.options)
    return f"{question.name} = ...  # {', '.join(others)} or {last}"


def _set_ids(cells: list[NotebookNode]) -> None:
    """Name each cell by its grade id, or else by its content: a new cell renames no other."""
    used: set[str] = set()
    for cell in cells:
        wanted = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if not CELL_ID.fullmatch(wanted):
            wanted = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        unique, copies = wanted, 1
        while unique in used:
            copies += 1
            unique = f"{wanted[:58]}-{copies}"
        used.add(unique)
        cell.id = unique
