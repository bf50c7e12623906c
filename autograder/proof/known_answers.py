"""Answers whose marks are known beforehand, each as a notebook that a student could submit."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from nbformat import NotebookNode

from autograder.bank import mistakes, variants
from autograder.build.quiz_cells import REFERENCE_ID, answer_line
from autograder.build.source_notebook import reference_notebook
from autograder.build.stubs import ExerciseStubs
from autograder.course import Assignment, Course, Exercise
from autograder.course.exercise_cell import definitions_of
from autograder.course.layout import grader_files, quiz_file
from autograder.course.own_code import import_file, served
from autograder.course.quiz import read_quiz
from autograder.judging.answers import source_of
from autograder.judging.parts import named_by, parts_of
from autograder.notebooks.sanitise import code_cells
from autograder.proof.equivalents import Equivalent, equivalents
from autograder.proof.known_values import Kind, known_values
from autograder.proof.mutants import Mutant, mutants
from autograder.student.session import Cell
from autograder.verdicts import Submission

Cells = tuple[tuple[str | None, str], ...]

RETURNS_NONE = "answer that returns None"
CONSTRUCTOR = "__init__"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class KnownAnswer:
    """One answer to one exercise, the rest of the notebook as in the reference.

    The reference's own answers stand in the whole notebook; the others in what it needs of it.

    Attributes:
        exercise: what is answered.
        kind: `reference` and `variant` deserve full marks, `stub` none, `mistake` fewer than full,
            and so does a `mutant` without a reason; a `remark` is a mistake that costs nothing.
            What returns None is of the stub's kind.
        name: the variant's name, the mistake's slug or the mutant's change; `RETURNS_NONE`; the
            kind itself otherwise.
        cells: the notebook's code cells: (exercise or None, source).
        written: the written questions that are answered, with each answer's hash.
        reason: why a mutant does what the reference does; None where it does not.
    """

    exercise: Exercise
    kind: Kind
    name: str
    cells: Cells
    written: dict[str, str] = field(default_factory=dict)
    reason: str | None = None


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
    asked = any(exercise.kind == "quiz" for exercise in assignment.exercises)
    questions = read_quiz(quiz_file(course.root, assignment.name)) if asked else {}
    void = {name for name, question in questions.items() if question.void}
    for exercise in assignment.exercises:
        if exercise.void:  # any answer earns the points
            yield KnownAnswer(exercise, "reference", "reference", solved)
            continue
        if exercise.kind == "written":
            yield KnownAnswer(exercise, "reference", "reference", solved, answered)
            yield KnownAnswer(exercise, "stub", "stub", solved, unanswered)
            continue
        yield KnownAnswer(exercise, "reference", "reference", solved)
        if exercise.name not in void:  # there, no answer earns the points, too
            yield _with(exercise, "stub", "stub", stubs[exercise.name], solved)
        bank = [_with(exercise, *one, solved) for one in _bank(course, assignment, exercise, owner)]
        yield from bank
        if exercise.kind == "code":
            source = dict(solved)[exercise.name]
            yield _with(exercise, "stub", RETURNS_NONE, returning_none(source, exercise), solved)
            right = _with(exercise, "reference", "reference", source, solved)
            kept = (one for one in bank if one.kind == "variant")
            yield from _on_right_parts(assignment, exercise, [right, *kept], stubs)


def mutant_answers(
    course: Course, assignment: Assignment, share: float = 1.0
) -> Iterator[KnownAnswer]:
    """The mutants of an assignment's references, as answers.

    Args:
        course: the course.
        assignment: the assignment.
        share: how many of them, 0 to 1; the same ones every time.
    """
    solved = _solved(course, assignment)
    known = equivalents(course.root, assignment.name)
    for exercise, mutant in _all_mutants(course, assignment, solved):
        if _place_of(exercise, mutant) < share:
            equal = known.get((exercise.name, mutant.line, mutant.becomes))
            answer = _with(exercise, "mutant", str(mutant), mutant.source, solved)
            yield replace(answer, reason=equal.reason if equal else None)


def outdated(course: Course, assignment: Assignment) -> list[Equivalent]:
    """The equivalents that no mutant of an assignment's references is any more."""
    made = {
        (exercise.name, mutant.line, mutant.becomes)
        for exercise, mutant in _all_mutants(course, assignment, _solved(course, assignment))
    }
    there = {exercise.name for exercise in assignment.exercises}
    return [
        one
        for key, one in equivalents(course.root, assignment.name).items()
        if key not in made and one.exercise in there
    ]


def _all_mutants(
    course: Course, assignment: Assignment, solved: Cells
) -> Iterator[tuple[Exercise, Mutant]]:
    sources = dict(solved)
    families = tuple(map(tuple, course.vocabulary.families))
    modules = tuple(course.vocabulary.modules)
    for exercise in assignment.exercises:
        if exercise.kind == "code" and not exercise.void:
            for mutant in mutants(sources[exercise.name], families, modules):
                yield exercise, mutant


def _place_of(exercise: Exercise, mutant: Mutant) -> float:
    """Where a mutant stands among all, from 0 to 1: by its content, and in no order."""
    told = "\n".join((exercise.name, mutant.line, mutant.becomes))
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big") / 2**64


def _solved(course: Course, assignment: Assignment, owner: str = REFERENCE_ID) -> Cells:
    return tuple(code_cells(reference_notebook(course, assignment, owner), assignment))


def _bank(
    course: Course, assignment: Assignment, exercise: Exercise, owner: str
) -> Iterator[tuple[Kind, str, str]]:
    if exercise.kind == "quiz":
        path = quiz_file(course.root, assignment.name)
        question = read_quiz(path)[exercise.name]
        for kind, name, value in known_values(question, question.sizes_of(owner)):
            # Any prediction earns the points of taking part; any answer earns a void question's.
            earns = exercise.taking_part or question.void
            yield "variant" if earns else kind, name, answer_line(question, value)
        return
    for mistake in mistakes(exercise.name):
        wrong: Kind = "remark" if mistake.costs_nothing else "mistake"
        yield wrong, mistake.slug, source_of(mistake)
    for variant in variants(exercise.name):
        yield "variant", variant.name, source_of(variant)


def _on_right_parts(
    assignment: Assignment, exercise: Exercise, right: Iterable[KnownAnswer], stubs: dict
) -> Iterator[KnownAnswer]:
    """Right answers that call earlier ones, where those are not written: they keep every mark."""
    code = [one.name for one in assignment.exercises if one.kind == "code"]
    for file in grader_files(served(), assignment.name):  # they declare what stays the student's
        import_file(file)
    parts = parts_of(exercise.name, code[: code.index(exercise.name)])
    for answer in right:
        cells = [Cell(own or "", source, own) for own, source in answer.cells]
        if named := named_by(cells, exercise.name, parts):
            name = f"{answer.name}, on {', '.join(sorted(named))} not written"
            unwritten = tuple(
                (own, stubs[own] if own in named else source) for own, source in answer.cells
            )
            yield replace(answer, kind="variant", name=name, cells=unwritten)


def _with(
    exercise: Exercise,
    kind: Kind,
    name: str,
    source: str,
    solved: Cells,
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


def returning_none(source: str, exercise: Exercise) -> str:
    """A reference whose function, or every method of whose class but the constructor, gives None.

    A class keeps its constructor: what is made of it is a module with all its layers.
    """
    tree = ast.parse(source)
    *_, own = definitions_of(tree, exercise.name)
    inside: list[ast.stmt] = own.body if isinstance(own, ast.ClassDef) else [own]
    for node in inside:
        if isinstance(node, FUNCTIONS) and node.name != CONSTRUCTOR:
            node.body = [ast.Return(ast.Constant(None))]
    return ast.unparse(ast.fix_missing_locations(tree))


def _with_stubs(notebook: NotebookNode) -> NotebookNode:
    stubbed, _ = ExerciseStubs().preprocess(NotebookNode(notebook.copy()), {})
    return stubbed
