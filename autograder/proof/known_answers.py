"""Answers whose marks are known beforehand, each as a notebook that a student could submit."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograder.build.quiz_cells import REFERENCE_ID, answer_line
from autograder.build.source_notebook import reference_notebook
from autograder.build.stubs import ExerciseStubs
from autograder.course import Assignment, Course, Exercise
from autograder.course.quiz import read_quiz
from autograder.judging.answers import source_of
from autograder.misconceptions import mistakes
from autograder.notebooks import code_cells
from autograder.proof.known_values import Kind, known_values
from autograder.variants import variants
from autograder.verdicts import Submission


@dataclass(frozen=True)
class KnownAnswer:
    """One answer to one exercise, the rest of the notebook as in the reference.

    The reference's own answers stand in the whole notebook; the others in what it needs of it.

    Attributes:
        exercise: what is answered.
        kind: `reference` and `variant` deserve full marks, `stub` none, `mistake` fewer than full.
        name: the variant's name or the mistake's slug; the kind itself otherwise.
        cells: the notebook's code cells: (exercise or None, source).
        written: the written questions that are answered, with each answer's hash.
    """

    exercise: Exercise
    kind: Kind
    name: str
    cells: tuple[tuple[str | None, str], ...]
    written: dict[str, str] = field(default_factory=dict)


def known_answers(
    course: Course, assignment: Assignment, owner: str = REFERENCE_ID
) -> Iterator[KnownAnswer]:
    """Every answer to an assignment's exercises that the course knows the marks of.

    Args:
        course: the course.
        assignment: the assignment.
        owner: the id under which the answers are handed in, which decides personal questions.
    """
    notebook = reference_notebook(course, assignment, owner)
    solved = tuple(code_cells(notebook, assignment))
    answered = Submission.of(notebook, assignment, owner, {}).written
    stubbed = _with_stubs(notebook)
    unanswered = Submission.of(stubbed, assignment, owner, {}).written
    stubs = dict(code_cells(stubbed, assignment))
    for exercise in assignment.exercises:
        if exercise.kind == "written":
            yield KnownAnswer(exercise, "reference", "reference", solved, answered)
            yield KnownAnswer(exercise, "stub", "stub", solved, unanswered)
            continue
        yield KnownAnswer(exercise, "reference", "reference", solved)
        yield _with(exercise, "stub", "stub", stubs[exercise.name], solved)
        for kind, name, source in _bank(course, assignment, exercise, owner):
            yield _with(exercise, kind, name, source, solved)


def _bank(
    course: Course, assignment: Assignment, exercise: Exercise, owner: str
) -> Iterator[tuple[Kind, str, str]]:
    if exercise.kind == "quiz":
        path = course.root / "solutions" / "quiz" / f"{assignment.name}.toml"
        question = read_quiz(path)[exercise.name]
        for kind, name, value in known_values(question, question.sizes_of(owner)):
            yield kind, name, answer_line(question, value)
        return
    for mistake in mistakes(exercise.name):
        yield "mistake", mistake.slug, source_of(mistake)
    for variant in variants(exercise.name):
        yield "variant", variant.name, source_of(variant)


def _with(
    exercise: Exercise,
    kind: Kind,
    name: str,
    source: str,
    solved: tuple[tuple[str | None, str], ...],
) -> KnownAnswer:
    names = [own for own, _ in solved]
    graded = [place for place, own in enumerate(names) if own is not None]
    # What the notebook draws or trains later says nothing about this answer, and takes its time.
    last = graded[0] if exercise.kind == "quiz" else names.index(exercise.name)
    cells = tuple(
        (own, source if own == exercise.name else text)
        for place, (own, text) in enumerate(solved)
        if own is not None or place < last
    )
    return KnownAnswer(exercise, kind, name, cells)


def _with_stubs(notebook: NotebookNode) -> NotebookNode:
    stubbed, _ = ExerciseStubs().preprocess(NotebookNode(notebook.copy()), {})
    return stubbed
