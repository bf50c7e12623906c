"""The instructor's notebook: prose from the percent file, code from `solutions/`, nbgrader's marks.

It is derived and git-ignored; nbgrader reads it to make the student's version.
"""

import hashlib
import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.build.predictions import prediction_cells, told_of
from autograder.build.quiz_cells import (
    PUBLIC_QUESTIONS,
    REFERENCE_ID,
    is_unsigned,
    public_questions,
    question_cells,
    signed,
)
from autograder.build.references import reference_source
from autograder.build.repairs import broken_version
from autograder.build.stubs import give_whole
from autograder.build.written_cells import written_cells
from autograder.checks.kit.predictions import encoded
from autograder.course import Assignment, Course, CourseError, Exercise
from autograder.course.assignments import DECLARED
from autograder.course.errors import did_you_mean
from autograder.course.layout import quiz_file, reference_file
from autograder.course.not_checked import NOT_CHECKED
from autograder.course.points import BONUS
from autograder.course.questions import HOW_IT_STANDS, PROGRESS_CELL, Question
from autograder.course.quiz import read_quiz
from autograder.feedback.words import points
from autograder.notebooks.sanitise import grade_id, metadata_of

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

# Jupyter goes on behind a cell that fails, as unfinished ones do, where the cell has this tag.
MAY_FAIL = "raises-exception"


def percent_path(course: Course, name: str) -> Path:
    """Where an assignment's percent notebook stands."""
    return course.root / "assignments" / name / f"{name}.py"


def source_notebook(
    course: Course, assignment: Assignment, owner: str = REFERENCE_ID
) -> NotebookNode:
    """Expand the percent notebook into nbgrader's source notebook.

    Args:
        course: the course.
        assignment: the assignment.
        owner: whose right answers stand in the personal questions.
    Raises:
        CourseError: an exercise or a question is missing, or a cell is not as it should be.
    """
    import jupytext  # late: 0.1 s that `autograder --help` does not need

    percent = percent_path(course, assignment.name)
    read = jupytext.reads(percent.read_text(encoding="utf-8"), fmt="py:percent")
    questions = _questions(course, assignment)
    cells: list[NotebookNode] = []
    for cell in read.cells:
        name = next((cell.metadata[key] for key in DECLARED if key in cell.metadata), None)
        if name is None:
            cells.append(_plain(cell))
            continue
        if cell.source.strip():
            raise CourseError(
                f"{percent}: the cell of {name!r} must be empty: what students find there comes "
                "from solutions/. Move what stands there to a cell of its own."
            )
        if name in questions:
            _check_prediction(assignment, questions[name], percent)
        if name in assignment.predictions and not assignment.has(name):
            cells += prediction_cells(questions[name])
            continue
        exercise = assignment.exercise(name)
        if exercise.kind == "written":
            cells += written_cells(course, assignment, exercise)
            continue
        if exercise.kind == "code":
            if exercise.bonus:
                cells.append(new_markdown_cell(BONUS.format(points=points(exercise.points))))
            cells.append(_solution_cell(course, assignment, exercise))
        else:
            _check_signature(questions[name], cells, percent)
            cells += question_cells(exercise, questions[name], owner)
        cells.append(_marked_cell(exercise, GRADED_CELL.format(name=name), graded=True))
        cells += [
            new_markdown_cell(NOT_CHECKED.format(says=one.says))
            for one in assignment.not_checked
            if one.exercise == name
        ]
    cells += [new_markdown_cell(HOW_IT_STANDS), _fixed_cell(PROGRESS_CELL)]
    _set_ids(cells)
    _let_fail(cells)
    told = {name: encoded(told_of(questions[name])) for name in assignment.predictions}
    public = {PUBLIC_QUESTIONS: public_questions(questions.values(), told)} if questions else {}
    notebook = new_notebook(cells=cells, metadata=NOTEBOOK_METADATA | public, nbformat_minor=5)
    nbformat.validate(notebook)
    return notebook


def reference_notebook(course: Course, assignment: Assignment, owner: str) -> NotebookNode:
    """The source notebook as its owner would hand it in: all right, and with the owner's id."""
    notebook = source_notebook(course, assignment, owner)
    for cell in notebook.cells:
        if cell.cell_type == "code" and grade_id(cell) is None:
            cell.source = signed(cell.source, owner)
    return notebook


def _plain(cell: NotebookNode) -> NotebookNode:
    make = new_markdown_cell if cell.cell_type == "markdown" else new_code_cell
    return make(cell.source, metadata=cell.metadata)


def _solution_cell(course: Course, assignment: Assignment, exercise: Exercise) -> NotebookNode:
    """The reference; students find a stub there, or what they are to repair."""
    module = reference_file(course.root, assignment.name, exercise.name)
    cell = _marked_cell(exercise, reference_source(module, exercise.name))
    broken = broken_version(course, assignment.name, exercise.name)
    return cell if broken is None else give_whole(cell, broken)


def _marked_cell(exercise: Exercise, source: str, *, graded: bool = False) -> NotebookNode:
    return new_code_cell(source, metadata={"nbgrader": metadata_of(exercise, graded)})


def _fixed_cell(source: str) -> NotebookNode:
    return new_code_cell(source, metadata={"deletable": False, "editable": False})


def _let_fail(cells: list[NotebookNode]) -> None:
    """Tag every code cell, so that *Run all cells* does not stop at the first unfinished one."""
    for cell in cells:
        if cell.cell_type == "code":
            tags = cell.metadata.get("tags", [])
            cell.metadata["tags"] = [*tags, *({MAY_FAIL} - set(tags))]


def _questions(course: Course, assignment: Assignment) -> dict[str, Question]:
    """The questions that the notebook asks, by name."""
    graded = [exercise.name for exercise in assignment.exercises if exercise.kind == "quiz"]
    asked = list(dict.fromkeys([*graded, *assignment.predictions]))
    if not asked:
        return {}
    path = quiz_file(course.root, assignment.name)
    questions = read_quiz(path)
    for name in asked:
        if name not in questions:
            raise CourseError(
                f"{path} has no question {name!r}, which the notebook asks for."
                f"{did_you_mean(name, questions)}"
            )
    return {name: questions[name] for name in questions if name in asked}


def _check_prediction(assignment: Assignment, question: Question, percent: Path) -> None:
    """A prediction's key is the same for everybody, and stays: the release holds it."""
    if question.name in assignment.predictions and question.is_personal:
        raise CourseError(
            f"{percent}: {question.name} has numbers of one's own, so that its key cannot go out "
            f'with the release. Give it points: `# %% quiz="{question.name}" points=1`.'
        )
    if question.name in assignment.predictions and question.answer.accept:
        raise CourseError(
            f"{percent}: {question.name} is a prediction, whose check tells the one right answer, "
            "so that it cannot accept others. Word it so that one answer is right."
        )
    if question.void and not assignment.has(question.name):
        raise CourseError(
            f"{percent}: {question.name} is a prediction without points, so there is nothing to "
            "void. Mend it, or leave it out of the notebook."
        )


def _check_signature(question: Question, above: list[NotebookNode], percent: Path) -> None:
    """A personal question needs a cell above it in which students write their id."""
    if question.is_personal and not any(is_unsigned(cell.source) for cell in above):
        raise CourseError(
            f"{percent}: {question.name} has numbers of one's own, but no cell above it asks for "
            'the id. Put one below the imports: `student_id = ...  # in quotation marks: "ada"`.'
        )


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
