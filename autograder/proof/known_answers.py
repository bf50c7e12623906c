"""Answers whose marks are known beforehand, each as a notebook that a student could submit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from nbformat import NotebookNode

from autograder.build.source_notebook import source_notebook
from autograder.build.stubs import ExerciseStubs
from autograder.course import Assignment, Course, Exercise
from autograder.course.quiz import read_quiz
from autograder.judging.answers import source_of
from autograder.misconceptions import mistakes
from autograder.notebooks import code_cells
from autograder.variants import variants

Kind = Literal["reference", "stub", "mistake", "variant"]


@dataclass(frozen=True)
class KnownAnswer:
    """One answer to one exercise, the rest of the notebook as in the reference.

    Attributes:
        exercise: what is answered.
        kind: `reference` and `variant` deserve full marks, `stub` none, `mistake` fewer than full.
        name: the variant's name or the mistake's slug; the kind itself otherwise.
        cells: the notebook's code cells: (exercise or None, source).
    """

    exercise: Exercise
    kind: Kind
    name: str
    cells: tuple[tuple[str | None, str], ...]


def known_answers(course: Course, assignment: Assignment) -> Iterator[KnownAnswer]:
    """Every answer to an assignment's exercises that the course knows the marks of."""
    notebook = source_notebook(course, assignment)
    solved = tuple(code_cells(notebook, assignment))
    stubs = dict(code_cells(_with_stubs(notebook), assignment))
    for exercise in assignment.exercises:
        yield KnownAnswer(exercise, "reference", "reference", solved)
        yield _with(exercise, "stub", "stub", stubs[exercise.name], solved)
        for kind, name, source in _bank(course, assignment, exercise):
            yield _with(exercise, kind, name, source, solved)


def _bank(
    course: Course, assignment: Assignment, exercise: Exercise
) -> Iterator[tuple[Kind, str, str]]:
    if exercise.kind == "quiz":
        path = course.root / "solutions" / "quiz" / f"{assignment.name}.toml"
        for letter, option in read_quiz(path)[exercise.name].options.items():
            if option.misconception is not None:
                yield "mistake", option.misconception, f'{exercise.name} = "{letter}"'
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
    cells = tuple((own, source if own == exercise.name else text) for own, text in solved)
    return KnownAnswer(exercise, kind, name, cells)


def _with_stubs(notebook: NotebookNode) -> NotebookNode:
    stubbed, _ = ExerciseStubs().preprocess(NotebookNode(notebook.copy()), {})
    return stubbed
