"""A submitted notebook is put back in order, whatever was done to its cells."""

import html
import re

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from traitlets.config import Config

from autograder.course import Assignment, Exercise
from autograder.notebooks.sanitise import (
    LONGEST_TEXT,
    code_cells,
    grade_id,
    inert,
    metadata_of,
    sanitise,
)

F = Exercise("f", 2.0, "code")
G = Exercise("g", 1.0, "code")
ASSIGNMENT = Assignment("09-example", (F, G))


def cell(exercise: Exercise, graded: bool, source: str) -> NotebookNode:
    return new_code_cell(source, metadata={"nbgrader": metadata_of(exercise, graded)})


def notebook() -> NotebookNode:
    return new_notebook(
        cells=[
            new_markdown_cell("# Text"),
            new_code_cell("import math"),
            cell(F, False, "def f(): return 1"),
            cell(F, True, "check('f')"),
            cell(G, False, "def g(): return 2"),
            cell(G, True, "check('g')"),
        ]
    )


def ids(nb: NotebookNode) -> list[str | None]:
    return [grade_id(one) for one in nb.cells]


def test_an_untouched_notebook_stays_as_it_is() -> None:
    nb = notebook()
    assert sanitise(nb, ASSIGNMENT) == []
    assert ids(nb) == [None, None, "f", "test_f", "g", "test_g"]


def test_only_the_students_code_is_run() -> None:
    assert list(code_cells(notebook(), ASSIGNMENT)) == [
        (None, "import math"),
        ("f", "def f(): return 1"),
        ("g", "def g(): return 2"),
    ]


def test_points_come_from_the_assignment() -> None:
    nb = notebook()
    nb.cells[3].metadata.nbgrader["points"] = 100
    sanitise(nb, ASSIGNMENT)
    assert nb.cells[3].metadata.nbgrader["points"] == 2.0


def test_of_copied_graded_cells_one_stays() -> None:
    nb = notebook()
    nb.cells.append(NotebookNode(nb.cells[3].copy()))
    notes = sanitise(nb, ASSIGNMENT)
    assert ids(nb).count("test_f") == 1
    assert notes == ["cell test_f was there 2 times; the first one counts"]


def test_of_copied_solution_cells_the_last_counts_and_all_run() -> None:
    nb = notebook()
    nb.cells.insert(3, cell(F, False, "def f(): return 11"))
    notes = sanitise(nb, ASSIGNMENT)
    assert [one for one in code_cells(nb, ASSIGNMENT) if "return 1" in one[1]] == [
        (None, "def f(): return 1"),
        ("f", "def f(): return 11"),
    ]
    assert notes == ["cell f was there 2 times; the last one counts"]


def test_missing_cells_are_put_back() -> None:
    nb = notebook()
    del nb.cells[2:4]
    notes = sanitise(nb, ASSIGNMENT)
    assert sorted(filter(None, ids(nb))) == ["f", "g", "test_f", "test_g"]
    assert ids(nb).index("test_f") == ids(nb).index("f") + 1
    assert notes == ["2 cells were missing: f, test_f; they were put back"]


def test_a_solution_cell_turned_into_text_is_code_again() -> None:
    nb = notebook()
    nb.cells[2] = new_markdown_cell("def f(): return 1", metadata=nb.cells[2].metadata)
    sanitise(nb, ASSIGNMENT)
    assert ("f", "def f(): return 1") in list(code_cells(nb, ASSIGNMENT))


def test_marks_of_unknown_cells_are_dropped() -> None:
    nb = notebook()
    nb.cells[1].metadata["nbgrader"] = {"grade_id": "bonus", "grade": True, "points": 50}
    nb.cells[0].metadata["nbgrader"] = "nonsense"
    sanitise(nb, ASSIGNMENT)
    assert ids(nb)[:2] == [None, None]
    assert "nbgrader" not in nb.cells[0].metadata


def test_html_in_text_is_shown_and_not_run() -> None:
    nb = notebook()
    nb.cells[0].source = "<script>x</script> 1 < 2 <details>\n<summary>a</summary> <b onclick=x>"
    sanitise(nb, ASSIGNMENT)
    shown = "&lt;script>x&lt;/script> 1 < 2 <details>\n<summary>a</summary> &lt;b onclick=x>"
    assert nb.cells[0].source == shown


@pytest.mark.parametrize(
    "link",
    [
        "[a](javascript:alert(1))",
        "[a](JavaScript:alert(1))",
        "[a](javascript\\:alert(1))",
        "[a](<javascript:alert(1)>)",
        "[a](javascript&#58;alert(1))",
        "[a](&#106;avascript&colon;alert(1))",
        "[a][d]\n\n[d]: javascript:alert(1)",
        "![a](vbscript:alert(1))",
        "[a](data:text/html,x)",
        "<javascript:alert(1)>",
    ],
)
def test_no_link_runs_code_when_the_text_is_shown(link: str) -> None:
    """As nbconvert renders it, and as a browser then reads the address."""
    nb = new_notebook(cells=[new_markdown_cell(inert(link))])
    page, _ = HTMLExporter(config=Config()).from_notebook_node(nb)
    cell = page[page.index('data-mime-type="text/markdown"') :]
    for address in re.findall(r'(?:href|src)="([^"]*)"', cell):
        scheme = "".join(html.unescape(address).split()).lower().partition(":")[0]
        assert scheme not in ("javascript", "vbscript", "data")


@pytest.mark.parametrize(
    "link",
    [
        "[a](https://b.c?d=1&e=2)",
        "![a](b.png)",
        "![a](data:image/png;base64,AAAA)",
        "![a](attachment:b.png)",
    ],
)
def test_ordinary_links_and_pictures_stay(link: str) -> None:
    assert inert(link) == link


def test_a_formula_makes_no_link() -> None:
    assert inert(r"$\href{javascript:x}{y}$ \\style \styles") == (
        r"$\ href{javascript :x}{y}$ \\ style \styles"
    )


def test_text_is_made_inert_once() -> None:
    once = inert("<script> &lt; &#60; javascript: \\href{}")
    assert inert(once) == once


def test_text_that_would_take_hours_to_show_is_cut() -> None:
    nb = notebook()
    nb.cells[0].source = " " * (LONGEST_TEXT + 1)
    assert sanitise(nb, ASSIGNMENT) == ["the text of cell 1 was cut: it has 20001 characters"]
    assert len(nb.cells[0].source) == LONGEST_TEXT


def test_what_is_attached_stays_with_text_alone() -> None:
    nb = notebook()
    for cell in nb.cells:
        cell["attachments"] = {"a.png": {"image/png": "AAAA"}}
    sanitise(nb, ASSIGNMENT)
    nbformat.validate(nb)
    kept = {cell.cell_type for cell in nb.cells if "attachments" in cell}
    assert kept == {"markdown"}


def test_outputs_are_dropped() -> None:
    nb = notebook()
    nb.cells[3].outputs = [new_output("execute_result", data={"text/plain": "2.0"})]
    sanitise(nb, ASSIGNMENT)
    assert nb.cells[3].outputs == []


def test_a_notebook_that_has_lost_all_marks_is_told_in_one_note() -> None:
    many = Assignment("09-many", tuple(Exercise(f"f{i}", 1.0, "code") for i in range(18)))
    nb = new_notebook(cells=[new_code_cell("x = 1")])
    assert sanitise(nb, many) == [
        "36 cells were missing: f0, test_f0, f1, test_f1 and 32 more; they were put back"
    ]
