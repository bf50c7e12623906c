"""What students do to notebooks without meaning harm: graded, or explained."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, cell_of, hand_in, keep
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from small_curriculum import perfect

from benchmarks.odd_notebooks import KINDS
from benchmarks.odd_notebooks.grading import Marks, graded, unfair
from benchmarks.odd_notebooks.grading import hand_in as hand_in_all
from benchmarks.odd_notebooks.kinds import Kind

STUB = "def normal_equation(x, y):\n    raise NotImplementedError('not yet')"
EXERCISE = "normal_equation"  # the other one, predict, is right in every notebook here


def as_colab_saves_it(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 0
    for cell in notebook.cells:
        cell.pop("id", None)


def without_any_metadata(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata = NotebookNode()


def with_work_around_the_answer(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = f"%time import numpy\n!echo hello\n{cell.source}\nprint(1 / 0)\nexit()"
    notebook.cells.insert(0, new_code_cell("this is no Python"))


def answered_in_another_cell(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    notebook.cells.insert(notebook.cells.index(cell), new_code_cell(cell.source))
    cell.source = ""


def untouched(notebook: NotebookNode) -> None:
    cell_of(notebook, EXERCISE).source = STUB


def deleted(notebook: NotebookNode) -> None:
    notebook.cells.remove(cell_of(notebook, EXERCISE))


def named_otherwise(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = cell.source.replace("normal_equation", "normalEquation")


def with_a_syntax_error(notebook: NotebookNode) -> None:
    cell_of(notebook, EXERCISE).source = "def normal_equation(x, y):\n    return ("


def reading_a_file_beside_it(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = f"from mine import nothing\nassert open('data.txt').read() == '42'\n{cell.source}"


def defining_it_twice(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = f"def normal_equation(x, y):\n    return x\n\n\n{cell.source}"


def import_cell(notebook: NotebookNode) -> NotebookNode:
    return next(cell for cell in notebook.cells if "import numpy as np" in cell.source)


def importing_what_is_not_there(notebook: NotebookNode) -> None:
    cell = import_cell(notebook)
    cell.source = (
        "import pandas as pd\nimport seaborn as sns\nfrom tqdm import tqdm\n"
        "from google.colab import drive\nfrom my_plots import *\n"
        "sns.set_theme()\ndrive.mount('/content/drive')\nprint('pandas', pd.__version__)\n"
        f"{cell.source}"
    )


def annotated_with_what_is_not_there(notebook: NotebookNode) -> None:
    import_cell(notebook).source += "\nimport pandas as pd"
    cell = cell_of(notebook, EXERCISE)
    cell.source = cell.source.replace("x: np.ndarray", "x: 'np.ndarray' | pd.Series")


def with_a_fallback(notebook: NotebookNode) -> None:
    fallback = "try:\n    import cupy as np\nexcept ImportError:\n    import numpy as np"
    cell = import_cell(notebook)
    cell.source = cell.source.replace("import numpy as np", fallback)


def using_what_is_not_there(notebook: NotebookNode) -> None:
    import_cell(notebook).source += "\nimport pandas as pd"
    cell_of(
        notebook, EXERCISE
    ).source = "def normal_equation(x, y):\n    return pd.DataFrame({'x': x, 'y': y}).cov()"


def with_a_typing_slip(notebook: NotebookNode) -> None:
    cell_of(
        notebook, EXERCISE
    ).source = "import nunpy\ndef normal_equation(x, y):\n    return nunpy.polyfit(x, y, 1)"


def without_an_own_module(notebook: NotebookNode) -> None:
    cell_of(
        notebook, EXERCISE
    ).source = "from my_lines import solve\ndef normal_equation(x, y):\n    return solve(x, y)"


def within_the_function(notebook: NotebookNode) -> None:
    cell_of(notebook, EXERCISE).source = (
        "def normal_equation(x, y):\n    from scipy import stats\n"
        "    found = stats.linregress(x, y)\n    return found.slope, found.intercept"
    )


def stopped_above(notebook: NotebookNode) -> None:
    cell = import_cell(notebook)
    cell.source = f"width = 10 / 0\n{cell.source}"
    notebook.cells.insert(1, new_code_cell("def mean(x):\n    return np.mean(x)"))
    cell_of(
        notebook, EXERCISE
    ).source = "def normal_equation(x, y):\n    return mean(x), np.mean(y)"


def with_a_later_python(notebook: NotebookNode) -> None:
    cell_of(
        notebook, EXERCISE
    ).source = (
        'def normal_equation(x, y):\n    print(f"{[f"{one}" for one in x]}")\n    return x, y'
    )


RIGHT: list[Callable[[NotebookNode], None]] = [
    as_colab_saves_it,
    without_any_metadata,
    with_work_around_the_answer,
    answered_in_another_cell,
    reading_a_file_beside_it,
    defining_it_twice,
    importing_what_is_not_there,
    annotated_with_what_is_not_there,
    with_a_fallback,
]
WRONG: dict[Callable[[NotebookNode], None], tuple[str | None, str]] = {
    untouched: (None, "not written yet"),
    deleted: ("missing_cell", ""),
    named_otherwise: (None, "does not define normal_equation"),
    with_a_syntax_error: (None, "SyntaxError"),
    using_what_is_not_there: (None, "the package `pandas` is not there when your notebook is"),
    with_a_typing_slip: (None, "there is no module `nunpy`. Did you mean `numpy`?"),
    without_an_own_module: (None, "hand in `my_lines.py` with the notebook"),
    within_the_function: (None, "the package `scipy` is not there when your notebook is graded."),
}
if sys.version_info < (3, 12):
    WRONG[with_a_later_python] = (None, "cannot read an f-string that uses its own quotation marks")
STOPPED: dict[Callable[[NotebookNode], None], dict[str, Any]] = {
    using_what_is_not_there: {"cell": 1, "line": 3, "error": None, "missing": "pandas"},
    with_a_typing_slip: {"cell": 5, "line": 1, "error": None, "missing": "nunpy"},
    without_an_own_module: {"cell": 5, "line": 1, "error": None, "missing": "my_lines"},
    within_the_function: {"cell": 5, "line": 2, "error": None, "missing": "scipy"},
    stopped_above: {
        "cell": 1,
        "line": 1,
        "error": "ZeroDivisionError: division by zero",
        "missing": None,
    },
}


@pytest.fixture(scope="module")
def forms(
    run: Any,
    make_line_fitting: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, str, dict[str, dict[str, Any]]]:
    """One class, a student for each form: its course, what was printed, and the JSON of each."""
    course = make_line_fitting(tmp_path_factory.mktemp("forms") / "course")
    keep(course, "predict", EXERCISE)
    for form in dict.fromkeys((*RIGHT, *WRONG, *STOPPED)):
        notebook = perfect(course, NAME, form.__name__)
        form(notebook)
        folder = hand_in(course, form.__name__, notebook)
        (folder / "data.txt").write_text("42")
        (folder / "mine.py").write_text("nothing = None")
    done = run("autograder", "grade", "--json", "marks.json", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "its cell defines normal_equation 2 times" in " ".join(done.stdout.split())
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    return course, " ".join(done.stdout.split()), {one["student"]: one for one in listed}


@pytest.fixture(scope="module")
def marks(forms: Any) -> dict[str, dict[str, Any]]:
    """The exercises' marks, by form."""
    return {student: one["exercises"] for student, one in forms[2].items()}


@pytest.mark.parametrize("form", RIGHT, ids=lambda form: form.__name__)
def test_a_right_answer_in_an_odd_notebook_has_full_marks(marks: dict, form: Any) -> None:
    for exercise in marks[form.__name__].values():
        assert exercise["score"] == exercise["max_score"], exercise


@pytest.mark.parametrize("form", WRONG, ids=lambda form: form.__name__)
def test_what_stopped_an_answer_is_said(marks: dict, form: Any) -> None:
    exercises, (reason, told) = marks[form.__name__], WRONG[form]
    assert exercises["predict"]["score"] == 2.0
    assert exercises[EXERCISE]["score"] == 0
    assert exercises[EXERCISE]["reason"] == reason
    assert told in (exercises[EXERCISE]["message"] or "")


@pytest.mark.parametrize("form", STOPPED, ids=lambda form: form.__name__)
def test_what_stopped_a_notebook_is_named_first(forms: Any, form: Any) -> None:
    _, printed, found = forms
    (stopped,) = found[form.__name__]["stopped"]
    failed = [name for name, one in found[form.__name__]["exercises"].items() if not one["score"]]
    assert stopped == {**STOPPED[form], "exercises": failed}
    row = printed.partition(form.__name__)[2]
    where = f"line {stopped['line']} of cell {stopped['cell']}"
    assert where in row[:200]


def test_an_import_that_costs_nothing_stops_nothing(forms: Any) -> None:
    for form in RIGHT:
        assert forms[2][form.__name__]["stopped"] == []


@pytest.mark.slow
def test_page_report_and_explanation_name_first_what_stopped_a_notebook(
    run: Any, forms: Any
) -> None:
    course, _, _ = forms
    assert run("autograder", "feedback", cwd=course).returncode == 0
    page = course / "feedback" / "stopped_above" / NAME / f"{NAME}.html"
    text = " ".join(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")).split())
    first, _, rest = text.partition("What to mend first")[2].partition("All exercises")
    assert first.strip().startswith(
        "Stopped in line 1 of cell 1 (width = 10 / 0): ZeroDivisionError: division by zero. "
        "predict, normal_equation fail for that: mend it first."
    )
    assert "nothing above it defines" not in rest
    assert run("autograder", "report", "--json", "report.json", cwd=course).returncode == 0
    (told,) = json.loads((course / "report.json").read_text())["assignments"]
    assert told["turnout"]["stopped"][0] == {
        "what": "ZeroDivisionError: division by zero",
        "students": ["stopped_above"],
        "where": ["line 1 of the cell that begins `width = 10 / 0`"],
        "answers": 2,
    }
    assert "pandas is not there" in (course / "report.html").read_text(encoding="utf-8")
    said = run("autograder", "explain", "stopped_above", NAME, cwd=course).stdout
    assert "Stopped in line 1 of cell 1 (width = 10 / 0)" in " ".join(said.split())[:200]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Marks:
    """The class of odd notebooks, graded in one run."""
    course = tmp_path_factory.mktemp("odd") / "course"
    hand_in_all(course, KINDS)
    return graded(course)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_odd_notebook_gets_what_a_fair_person_gives(odd: Marks, kind: Kind) -> None:
    assert unfair(kind, odd.get(kind.handed_in_by)) == ""
