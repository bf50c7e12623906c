"""Makes examples/submitted/: a small class whose marks are known, from release/ and the banks.

Run it from the course's folder after `autograder release`: `python examples/make_sample_class.py`.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.bank import mistakes, variants
from autograder.build.predictions import KEY
from autograder.build.quiz_cells import answer_line, right_answer, signed
from autograder.course import Course, load_course
from autograder.course.layout import quiz_file
from autograder.course.own_code import serve
from autograder.course.quiz import read_quiz
from autograder.judging.answers import reference_source, source_of
from autograder.notebooks.sanitise import grade_id

ROOT = Path(__file__).parent.parent
serve(ROOT)
OUT = Path(__file__).parent / "submitted"

NEVER_ENDS = """def causal_mask(seq_len, device=None):
    mask = torch.zeros(seq_len, seq_len, dtype=torch.bool, device=device)
    row = 0
    while row < seq_len:
        mask[row, : row + 1] = True
    return mask
"""
CRASHES = """import ctypes


def merge_heads(x):
    return ctypes.string_at(0)
"""
WRITTEN = (
    "Every query compares itself with every key, and the better a key fits, the more of its value "
    "the query takes. The weights are shares, so what comes out is an average of the values."
)
CHEATS = 'check = lambda name: None\nprint("10 points")\n10.0'

Edit = Callable[[NotebookNode], None]


def main() -> None:
    """Write every student's folder anew."""
    course = load_course(ROOT)
    if OUT.exists():
        shutil.rmtree(OUT)
    for assignment in course.assignments:
        submit(course, "ada", assignment, full_marks(course, assignment, "ada"))

    partial = full_marks(course, "01-attention-by-hand", "ben")
    partial |= {name: another(name) for name in partial if variants(name)}
    for name in ("attention_weights", "simple_attention", "q5", "w1"):
        del partial[name]
    partial["q4"] = 'q4 = "' + wrong_letter(course, "01-attention-by-hand", "q4") + '"'
    submit(course, "ben", "01-attention-by-hand", partial)
    submit(course, "ben", "04-multi-head-attention", {"split_heads": another("split_heads")})

    submit(
        course,
        "chloe",
        "01-attention-by-hand",
        full_marks(course, "01-attention-by-hand", "chloe")
        | {
            "scaled_scores": mistake("scaled_scores", "no-scale"),
            "attention_weights": mistake("attention_weights", "softmax-over-queries"),
        },
    )
    transposed = {"causal_mask": mistake("causal_mask", "mask-transposed")}
    submit(course, "chloe", "03-causal-masking", transposed)

    submit(course, "dmitri", "03-causal-masking", {"causal_mask": NEVER_ENDS})
    crashing = {"split_heads": ref("split_heads"), "merge_heads": CRASHES}
    submit(course, "emeka", "04-multi-head-attention", crashing)

    submit(course, "fatima", "03-causal-masking", full_marks(course, "03-causal-masking", "fatima"))
    broken = OUT / "fatima" / "03-causal-masking" / "03-causal-masking.ipynb"
    broken.write_text(broken.read_text(encoding="utf-8")[:-400], encoding="utf-8")

    one_right = {"softmax": ref("softmax")}
    submit(course, "goran", "01-attention-by-hand", one_right, tamper)


def full_marks(course: Course, assignment: str, student: str) -> dict[str, str]:
    """The source of every solution cell of a student at full marks."""
    quiz = read_quiz(quiz_file(ROOT, assignment))
    answers = {
        name: answer_line(quiz[name], right_answer(quiz[name], student))
        for name in course.assignment(assignment).predictions
    }
    for exercise in course.assignment(assignment).exercises:
        if exercise.kind == "quiz":
            question = quiz[exercise.name]
            answers[exercise.name] = answer_line(question, right_answer(question, student))
        elif exercise.kind == "written":
            answers[exercise.name] = WRITTEN
        else:
            answers[exercise.name] = ref(exercise.name)
    return answers


def ref(exercise: str) -> str:
    """The reference as a student would have written it: without the markers."""
    lines = reference_source(exercise).splitlines()
    return "\n".join(line for line in lines if "### " not in line) + "\n"


def another(exercise: str) -> str:
    """A right answer in another style than the reference."""
    return source_of(variants(exercise)[0])


def mistake(exercise: str, slug: str) -> str:
    """A known mistake's source."""
    entries = {entry.slug: entry for entry in mistakes(exercise)}
    source = source_of(entries[slug])
    return "\n".join(line for line in source.splitlines() if "### " not in line) + "\n"


def wrong_letter(course: Course, assignment: str, question: str) -> str:
    """The first wrong option of a question."""
    quiz = read_quiz(quiz_file(ROOT, assignment))[question]
    return next(letter for letter in quiz.answer.options if letter != quiz.answer.key)


def submit(
    course: Course, student: str, assignment: str, answers: dict[str, str], edit: Edit | None = None
) -> None:
    """Fill a released notebook and put it where nbgrader collects it."""
    released = course.folder("release") / assignment / f"{assignment}.ipynb"
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        name = grade_id(cell) or cell.metadata.get(KEY)
        if name in answers:
            cell.source = answers[name].rstrip()
        elif grade_id(cell) is None:
            cell.source = signed(cell.source, student)
    if edit is not None:
        edit(notebook)
    folder = OUT / student / assignment
    folder.mkdir(parents=True)
    path = folder / f"{assignment}.ipynb"
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def tamper(notebook: NotebookNode) -> None:
    """Raise points, rewrite a check, copy a graded cell, delete another, hide one in Markdown."""
    cells = {grade_id(cell): cell for cell in notebook.cells}
    cells["test_softmax"].metadata.nbgrader["points"] = 100
    cells["test_scaled_scores"].source = CHEATS
    copied = json.loads(json.dumps(cells["test_softmax"]))
    notebook.cells.append(NotebookNode(copied | {"id": "copied-cell"}))
    notebook.cells.remove(cells["test_attention_weights"])
    hidden = cells["test_q1"]
    hidden.cell_type = "markdown"
    del hidden["outputs"], hidden["execution_count"]


if __name__ == "__main__":
    main()
