"""The cells of a written question: its text, and nbgrader's manually graded answer."""

from collections.abc import Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from autograder.build.references import BEGIN, END
from autograder.course import Assignment, Course, CourseError, Exercise
from autograder.course.errors import did_you_mean
from autograder.course.layout import written_file
from autograder.course.written import ABOVE, read_written
from autograder.notebooks.sanitise import metadata_of

# The rubric goes with the solution's region. Were it ever left standing, nbgrader would refuse to
# make the release, as a mark scheme belongs to another kind of cell.
RUBRIC = """\
### {begin}
### BEGIN MARK SCHEME
{rubric}
### END MARK SCHEME
### {end}"""


def written_cells(
    course: Course, assignment: Assignment, exercise: Exercise
) -> Iterator[NotebookNode]:
    """The question, and the cell that its answer goes into; the instructor's holds the rubric.

    Raises:
        CourseError: there is no such question.
    """
    path = written_file(course.root, assignment.name)
    questions = read_written(path)
    if exercise.name not in questions:
        raise CourseError(
            f"{path} has no question {exercise.name!r}, which the notebook asks for."
            f"{did_you_mean(exercise.name, questions)}"
        )
    question = questions[exercise.name]
    points = f"{exercise.points:g} point{'s' * (exercise.points != 1)}"
    yield new_markdown_cell(ABOVE.format(name=exercise.name, points=points, text=question.text))
    rubric = RUBRIC.format(begin=BEGIN, rubric=question.rubric, end=END)
    yield new_markdown_cell(rubric, metadata={"nbgrader": metadata_of(exercise, graded=True)})
