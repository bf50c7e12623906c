"""Courses and classes to measure with: many different submissions, half of the answers wrong."""

import random
import shutil
from pathlib import Path

import nbformat

from autograder.bank import mistakes, variants
from autograder.build.quiz_cells import answer_line, right_answer, signed
from autograder.course import Course, load_course
from autograder.course.layout import quiz_file
from autograder.course.own_code import serve
from autograder.course.questions import Question
from autograder.course.quiz import read_quiz
from autograder.judging.answers import reference_source, source_of
from autograder.notebooks.sanitise import grade_id
from autograder.proof.known_values import known_values

ROOT = Path(__file__).parent.parent
serve(ROOT)
SEED = 1


def make_course(folder: Path) -> Course:
    """A course of its own, so that the repository's gradebook stays as it is."""
    for name in ("course_config.py", "nbgrader_config.py"):
        shutil.copy(ROOT / name, folder)
    for name in ("assignments", "solutions", "graders"):
        shutil.copytree(ROOT / name, folder / name)
    return load_course(folder)


def hand_in(course: Course, name: str, count: int) -> None:
    """Hand in `count` different notebooks; every answer is right or wrong with equal chance."""
    released = ROOT / "release" / name / f"{name}.ipynb"
    notebook = nbformat.read(released, as_version=4)  # type: ignore[no-untyped-call]
    texts = [cell.source for cell in notebook.cells]
    exercises = course.assignment(name).exercises
    code = {one.name: code_answers(one.name) for one in exercises if one.kind == "code"}
    questions = read_quiz(quiz_file(course.root, name)).values()
    dice = random.Random(SEED)
    for number in range(count):
        student = f"student{number:04}"
        answers = code | {question.name: values(question, student) for question in questions}
        for cell, text in zip(notebook.cells, texts, strict=True):
            known = answers.get(grade_id(cell) or "")
            if known is not None:
                right = dice.random() < 0.5
                cell.source = f"{dice.choice(known[right])}\n# by {student}"
            else:
                cell.source = signed(text, student)
        folder = course.folder("submitted") / student / name
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / released.name)  # type: ignore[no-untyped-call]


def code_answers(exercise: str) -> dict[bool, list[str]]:
    """Known answers to an exercise: the reference and its variants, and mistakes."""
    right = [reference_source(exercise), *map(source_of, variants(exercise))]
    return {True: right, False: list(map(source_of, mistakes(exercise)))}


def values(question: Question, student: str) -> dict[bool, list[str]]:
    """Known answers to a question as a student is asked it: the key, and mistakes."""
    found = known_values(question, question.sizes_of(student))
    wrong = [answer_line(question, value) for kind, _, value in found if kind == "mistake"]
    return {True: [answer_line(question, right_answer(question, student))], False: wrong}
