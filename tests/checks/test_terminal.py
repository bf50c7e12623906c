"""`python -m checks` as students meet it: in their own folder, with a notebook in any state."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from autograder.build.shipping import files_to_ship
from autograder.course.written import UNANSWERED

pytestmark = pytest.mark.slow

NAME = "03-causal-masking"
IMPORTS = "%matplotlib inline\nimport torch\nimport matplotlib.pyplot as plt\n!echo shell-ran"
RIGHT = (
    "def causal_mask(seq_len, device=None):\n"
    "    return torch.ones(seq_len, seq_len, device=device).tril().bool()"
)
WRONG = RIGHT.replace("tril", "triu")
STUB = (
    "def causal_mask(seq_len, device=None):\n"
    '    raise NotImplementedError("causal_mask is not written yet: replace this line")'
)
CHECK = 'from checks import check\n\ncheck("causal_mask")'
CHECKS = '''\
"""Visible checks of an assignment with one exercise."""

import torch

from checks.kit.expectation import exercise, expect


@exercise("causal_mask")
def test_three_positions(student):
    """Row 0 allows key 0, row 1 keys 0 and 1, row 2 all three."""
    wanted = torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
    expect(student.causal_mask(3), wanted, "(queries, keys)")


@exercise("causal_mask")
def test_one_position(student):
    """A single position may attend to itself."""
    expect(student.causal_mask(1), torch.tensor([[True]]), "(queries, keys)")
'''
HINTS = """\
[causal_mask]
question = "Which keys may query 0 see?"
pointer = "A comparison of positions."
miniature = "Think of two words."
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    """The package `checks` as a release has it."""
    root, folder = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("package") / "checks"
    own = root / "assignments" / NAME
    (own / "checks").mkdir(parents=True)
    (own / "checks" / "small.py").write_text(CHECKS, encoding="utf-8")
    (own / "hints.toml").write_text(HINTS, encoding="utf-8")
    for path, source in files_to_ship(root, NAME, has_torch=True).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / path)
    return folder


@pytest.fixture
def folder(package: Path, tmp_path: Path) -> Path:
    """A student's folder, with a space and an umlaut in its path, and no notebook yet."""
    folder = tmp_path / "Ärbeit am Kurs" / NAME
    shutil.copytree(package, folder / "checks")
    return folder


def save(folder: Path, *sources: str, name: str = NAME) -> None:
    notebook = new_notebook(cells=[new_markdown_cell("# Text"), *map(new_code_cell, sources)])
    (folder / f"{name}.ipynb").write_text(writes(notebook), encoding="utf-8")


def checks(folder: Path, *arguments: str, cwd: Path | None = None, module: bool = True):
    """Run the command as a terminal would, with nothing but Python's own settings."""
    what = ["-m", "checks"] if module else [str(folder / "checks")]
    return subprocess.run(
        [sys.executable, "-B", *what, *arguments],
        cwd=cwd or folder,
        capture_output=True,
        encoding="utf-8",
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        check=False,
    )


def test_a_right_notebook_passes_and_nothing_is_left_behind(folder):
    plot = "plt.plot([1]); plt.show()\nprint('chatter')"
    magics = ("%time x = 3\nassert x == 3", "%%html\n<b>")
    source = "import inspect\nassert 'tril' in inspect.getsource(causal_mask)"
    save(folder, IMPORTS, f"%%time\n{RIGHT}", RIGHT, CHECK, plot, *magics, source)
    before = sorted(folder.rglob("*"))
    done = checks(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[✓ passed]" in done.stdout
    assert done.stdout.endswith("causal_mask  2 of 2 checks pass\n")
    assert "chatter" not in done.stdout
    assert "shell-ran" not in done.stdout
    assert done.stderr == ""
    assert sorted(folder.rglob("*")) == before


def test_a_wrong_answer_fails_with_its_table_and_a_way_on(folder):
    save(folder, IMPORTS, WRONG, CHECK)
    done = checks(folder)
    assert done.returncode == 1
    assert "[✗ not yet]" in done.stdout
    assert "you called: causal_mask(3)" in done.stdout
    assert "causal_mask  1 of 2 checks pass   (python -m checks hint causal_mask)" in done.stdout


def test_a_stub_is_told_as_not_begun(folder):
    save(folder, IMPORTS, STUB, CHECK)
    done = checks(folder)
    assert done.returncode == 1
    assert "not begun yet" in done.stdout
    assert "put your code in place of the line" in done.stdout


def test_an_error_is_told_with_its_cell_and_line_and_the_rest_goes_on(folder):
    broken = "x = 1\n\ny = x / 0"
    save(folder, IMPORTS, broken, "def f(:", "exit()", RIGHT, "causal_mask(2)[5]", CHECK)
    done = checks(folder)
    assert done.returncode == 1
    told = re.sub(r"\s+", " ", done.stdout)
    assert "Cell 3, line 3: ZeroDivisionError: division by zero y = x / 0" in told
    assert "Cell 4, line 1: SyntaxError" in told
    assert "Cell 5, line 1: SystemExit" in told
    assert "Cell 7, line 1: IndexError" in told
    assert "2 of 2 checks pass" in told
    assert checks(folder, "causal_mask").returncode == 0  # asked for by name, it passes


def test_the_check_runs_where_the_notebook_calls_it(folder):
    save(folder, IMPORTS, RIGHT, CHECK, WRONG)
    assert checks(folder).returncode == 0


def test_a_notebook_without_check_cells_is_checked_all_the_same(folder):
    save(folder, IMPORTS, WRONG)
    assert checks(folder).returncode == 1


def test_what_cells_print_is_shown_on_demand(folder):
    save(folder, IMPORTS, "print('chatter')\ndisplay(3)", RIGHT)
    assert "chatter\n3\n" in checks(folder, "--output", "causal_mask").stdout


def test_hints_and_questions_in_cells_stay_silent(folder):
    save(folder, IMPORTS, RIGHT, "from checks import hint\nhint('causal_mask')", CHECK)
    done = checks(folder)
    assert "Which keys may query 0 see?" not in done.stdout
    assert done.returncode == 0


def test_it_works_from_elsewhere_and_reads_files_beside_the_notebook(folder):
    (folder / "numbers.txt").write_text("42")
    (folder / "mine.py").write_text("answer = 42")
    save(folder, IMPORTS, "import mine\nassert open('numbers.txt').read() == '42'", RIGHT, CHECK)
    done = checks(Path(folder.name), cwd=folder.parent, module=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_ipython_magics_are_passed_over(folder, tmp_path):
    hidden = folder / "IPython.py"
    hidden.write_text("raise ImportError('not installed')")
    save(folder, IMPORTS, f"if True:\n    %time\n{RIGHT}", CHECK)
    done = checks(folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_written_answers_are_named_without_being_judged(folder):
    mark = {"grade": True, "solution": True, "points": 3}
    cells = [
        new_code_cell(IMPORTS),
        new_code_cell(RIGHT),
        new_markdown_cell("Mine.", metadata={"nbgrader": mark | {"grade_id": "w1"}}),
        new_markdown_cell(UNANSWERED, metadata={"nbgrader": mark | {"grade_id": "w2"}}),
    ]
    text = writes(new_notebook(cells=cells))
    (folder / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    done = checks(folder)
    assert done.returncode == 1  # as `nbgrader validate` has it: w2 is still to be done
    assert done.stdout.endswith("w1: answered\nw2: not answered yet\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["casual_mask"], "There are no checks for 'casual_mask' here; there are for: causal_mask"),
        (["--notebook", "other.ipynb"], "other.ipynb cannot be read"),
        (["hint", "casual_mask"], "There are no hints for 'casual_mask' here"),
        (["hint", "causal_mask", "4"], "numbered 1 to 3"),
        (["--chekc"], "--chekc"),
    ],
)
def test_a_command_that_makes_no_sense_exits_with_2_in_words(folder, arguments, said):
    save(folder, IMPORTS)
    done = checks(folder, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_notebook_is_found_or_asked_for(folder):
    assert "holds no notebook" in checks(folder).stderr
    save(folder, IMPORTS, RIGHT, name="renamed")
    assert "Running renamed.ipynb" in checks(folder).stdout
    save(folder, IMPORTS, WRONG, name="copy")
    assert "holds several notebooks (copy.ipynb, renamed.ipynb)" in checks(folder).stderr
    assert checks(folder, "--notebook", "renamed.ipynb").returncode == 0
    (folder / "copy.ipynb").write_text(json.dumps([1]))
    assert "is no notebook" in checks(folder, "--notebook", "copy.ipynb").stderr


def test_a_python_without_the_requirements_is_told_how_to_get_them(folder):
    missing = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')"
    (folder / "torch.py").write_text(missing)
    save(folder, RIGHT)
    done = checks(folder)
    assert done.returncode == 2
    assert "torch is not installed for" in done.stderr
    assert "pip install -r requirements.txt" in done.stderr
    assert checks(folder, "hint", "causal_mask").returncode == 0


def test_hints_open_one_at_a_time(folder):
    first, third = checks(folder, "hint", "causal_mask"), checks(folder, "hint", "causal_mask", "3")
    assert "Which keys may query 0 see?" in first.stdout
    assert "**" not in first.stdout
    assert "The next hint: `python -m checks hint causal_mask 2`" in first.stdout
    assert "Think of two words." in third.stdout
    assert "This was the last hint" in third.stdout


@pytest.mark.parametrize("arguments", [["--help"], ["hint", "--help"]])
def test_help_says_what_can_be_typed(folder, arguments):
    done = checks(folder, *arguments)
    assert done.returncode == 0
    assert "python -m checks hint" in done.stdout
