"""Other files and names, ids, forms of quiz answers, and written answers elsewhere."""

import io
import zipfile

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from benchmarks.odd_notebooks.kinds import KINDS, LINE, NAME, PERSONAL, HandIn, Kind, each, odd

WORDS = "The rate is too large, so that every step jumps over the bottom and further up."


def named(given: HandIn, name: str) -> None:
    """Hand in the notebook under another name."""
    given.name = name


each(
    {
        "downloaded a second time": f"{NAME} (1).ipynb",
        "named by the student": "homework.ipynb",
        "with a name behind": f"{NAME}_Ada_Lovelace.ipynb",
        "spelled with underscores": f"{NAME.replace('-', '_')}.ipynb",
        "in capitals": f"{NAME.upper()}.ipynb",
        "named in another alphabet": "Задание.ipynb",
    },
    named,
)


def beside(given: HandIn, path: str) -> None:
    """Something else beside the notebook."""
    given.files[path] = b"nothing"


each(
    {
        "a module beside it": "mine.py",
        "data beside it": "data/mine.csv",
        "leavings of a Mac beside it": f"__MACOSX/._{NAME}.ipynb",
        "a folder's view of a Mac beside it": ".DS_Store",
        "a page beside it": f"{NAME}.html",
        "a module named as one of Python's": "random.py",
        "a folder of checks": "checks/__init__.py",
        "settings of pytest": "conftest.py",
    },
    beside,
)


@odd("an older save beside it")
def _checkpoint(given: HandIn) -> None:
    given.files[f".ipynb_checkpoints/{NAME}-checkpoint.ipynb"] = given.written()


@odd("the work in a copy, the named one untouched")
def _work_in_a_copy(given: HandIn) -> None:
    given.files[f"{NAME}-Copy1.ipynb"] = given.written()
    given.notebook = given.released


@odd("a copy beside it, untouched")
def _copy_untouched(given: HandIn) -> None:
    right, given.notebook = given.notebook, given.released
    given.files[f"{NAME}-Copy1.ipynb"] = given.written()
    given.notebook = right


@odd("an older copy with work beside it")
def _older_copy(given: HandIn) -> None:
    right = given.cell("predict").source
    given.cell("predict").source = "def predict(x, slope, intercept):\n    return x"
    given.files[f"{NAME}-Copy1.ipynb"] = given.written()
    given.cell("predict").source = right


def only(name: str, reason: str, file: str, content: bytes = b"nothing") -> None:
    """A kind that has no notebook, and stays ungraded."""

    def make(given: HandIn) -> None:
        given.name = None
        given.files[file] = content or given.written()

    KINDS.append(Kind(name, make, reason=reason))


only("a module only", "only_python", f"{NAME}.py", LINE.encode())
only("saved by marimo", "only_python", f"{NAME}.py", b"import marimo\napp = marimo.App()\n")
only("a text file only", "wrong_ending", f"{NAME}.ipynb.txt", b"")
only("a page only", "only_pdf", f"{NAME}.html", b"<html></html>")
only("a PDF only", "only_pdf", f"{NAME}.pdf", b"%PDF-1.4")
only("an empty file", "bad_notebook", f"{NAME}.ipynb", b"\n")
only("no JSON", "bad_notebook", f"{NAME}.ipynb", b"hello")
only("JSON that is no notebook", "bad_notebook", f"{NAME}.ipynb", b"[1, 2]")
only("a notebook of the future", "bad_notebook", f"{NAME}.ipynb", b'{"nbformat": 9, "cells": []}')


@odd("a zip only", reason="only_archive")
def _zipped(given: HandIn) -> None:
    with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
        archive.writestr(f"{NAME}.ipynb", given.written())
    given.name, given.files[f"{NAME}.zip"] = None, packed.getvalue()


@odd("cut off", reason="bad_notebook")
def _cut_off(given: HandIn) -> None:
    data = given.written()
    given.instead(data[: len(data) // 2])


@odd("a conflict of git", reason="bad_notebook")
def _conflict(given: HandIn) -> None:
    given.instead(b"<<<<<<< HEAD\n" + given.written() + b"=======\n>>>>>>> mine\n")


@odd("two with work, none named", reason="several_notebooks")
def _two_with_work(given: HandIn) -> None:
    given.name, given.files["one.ipynb"] = None, given.written()
    given.cell("predict").source = LINE
    given.files["two.ipynb"] = given.written()


def answers(given: HandIn, line: str) -> None:
    """Another text in the cell of the question that it answers."""
    given.cell(line.split()[0]).source = line


each(
    {
        "a letter that is small": 'q1 = "b"',
        "a letter with blanks": 'q1 = " B "',
        "a comment behind": 'q1 = "B"  # I think',
        "single quotation marks": "q1 = 'B'",
        "answered by a variable": 'q1 = (answer := "B")',
        "answered twice, the last right": 'q1 = "A"\nq1 = "B"',
    },
    answers,
)
each({"a letter without quotation marks": "q1 = B", "no answer": "q1 = ..."}, answers, "q1")


@odd("letters that are small")
def _small_letters(given: HandIn) -> None:
    given.cell("q3").source = given.cell("q3").source.lower()


@odd("a question answered in a cell below")
def _question_below(given: HandIn) -> None:
    given.stub("q1")
    given.after("q1", 'q1 = "B"')


def told_id(given: HandIn, line: str) -> None:
    """Another line that says whose the numbers are."""
    for cell in given.notebook.cells:
        if cell.source.startswith("student_id ="):
            cell.source = line


def with_id(name: str, line: str, waits: tuple[str, ...], student: str | None = None) -> None:
    """A kind that says its id so; where that is another, a person decides."""

    def make(given: HandIn) -> None:
        if line:
            told_id(given, line)

    KINDS.append(Kind(name, make, waits=("w1", *waits), student=student))


with_id("its id left out", "student_id = ...", PERSONAL)
with_id("its id deleted", "# nothing", PERSONAL)
with_id("another's id", 'student_id = "ben"', PERSONAL)
with_id("an apostrophe in the id", "", (), "o'brien")
with_id("an accent in the id", "", (), "josé")
with_id("an accent of two characters in the id", "", (), "zoe\u0301")
with_id("a mail address as the id", "", (), "ada@school.example")


def says(given: HandIn, where: str) -> None:
    """The written answer somewhere else than in its cell."""
    written = given.cell("w1")
    place = given.notebook.cells.index(written)
    if where == "untyped":
        written.metadata = NotebookNode()
        return
    given.stub("w1")
    if where == "question":
        given.notebook.cells[place - 1].source += f"\n\n{WORDS}"
    elif where == "code":
        given.after("w1", "".join(f"# {line}\n" for line in WORDS.split(", ")))
    else:
        given.notebook.cells.insert(place + 1, new_markdown_cell(WORDS))


each(
    {
        "words in a cell below": "below",
        "words in the question's cell": "question",
        "words in comments": "code",
        "words whose metadata is lost": "untyped",
    },
    says,
)
