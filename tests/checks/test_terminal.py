"""`python -m checks` as students meet it: in their own folder, with a notebook in any state."""

import json
import re
import shutil
from pathlib import Path
from textwrap import indent

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes
from nbgrader.utils import compute_checksum
from small_release import (
    CHECK,
    CHECK_COUNT,
    COUNT,
    IMPORTS,
    NAME,
    RIGHT,
    STUB,
    WRONG,
    checks,
    make_package,
    save,
)

from autograder.checks.kit.predictions import encoded
from autograder.checks.kit.terminal.outcome import FAILED, NOT_BEGUN, Outcome
from autograder.checks.kit.terminal.screen import current
from autograder.checks.kit.terminal.standing import Standing
from autograder.course.written import UNANSWERED

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package `checks` as a release has it."""
    folder = tmp_path_factory.mktemp("package") / "checks"
    return make_package(tmp_path_factory.mktemp("course"), folder)


@pytest.fixture
def folder(package: Path, tmp_path: Path) -> Path:
    """A student's folder, with a space and an umlaut in its path, and no notebook yet."""
    folder = tmp_path / "Ärbeit am Kurs" / NAME
    shutil.copytree(package, folder / "checks")
    return folder


def test_a_right_notebook_passes_and_nothing_is_left_behind(folder):
    plot = "plt.plot([1]); plt.show()\nprint('chatter')"
    magics = ("%time x = 3\nassert x == 3", "%%html\n<b>")
    source = "import inspect\nassert 'np.tri' in inspect.getsource(causal_mask)"
    save(folder, IMPORTS, f"%%time\n{RIGHT}", RIGHT, CHECK, plot, *magics, source, COUNT)
    before = sorted(folder.rglob("*"))
    done = checks(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{NAME}.ipynb: 2 of 2 done in ")
    assert done.stdout.splitlines()[1:] == ["✓ done     causal_mask, allowed"]
    assert done.stderr == ""
    assert sorted(folder.rglob("*")) == before


def test_what_lacks_a_package_is_optional_and_not_done_however_it_stands(folder):
    own = folder / "checks" / "small.py"
    lacking = 'from checks.kit.packages import needs\nneeds("allowed", "no_such_package", "1.0")\n'
    own.write_text(own.read_text("utf-8") + lacking, encoding="utf-8")
    for answer in (COUNT, STUB.replace("causal_mask", "allowed")):
        save(folder, IMPORTS, RIGHT, CHECK, answer, CHECK_COUNT)
        done = checks(folder)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.startswith(f"{NAME}.ipynb: 1 of 1 done in ")
        assert "✓ done     causal_mask\n· optional allowed" in done.stdout
        alone = checks(folder, "allowed")
        assert "✓" not in alone.stdout
        assert "· allowed: not checked here" in alone.stdout


def test_the_summary_stands_first_and_then_what_fails_with_the_sentence_that_helps(folder):
    save(folder, IMPORTS, WRONG, CHECK)
    done = checks(folder)
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:8] == [
        "✗ not yet  causal_mask",
        "· to do    allowed",
        "",
        "✗ causal_mask: 0 of 2 checks pass",
        "  ✗ Row 0 allows key 0, row 1 keys 0 and 1, row 2 all three.",
        "    ➜ 9 of 9 numbers differ, the first at index (0, 0).",
        "      called     causal_mask(3)",
    ]
    assert "Next: causal_mask (cell 3), 0 of 2 checks pass" in done.stdout
    assert "Hint: python -m checks hint causal_mask" in done.stdout


def test_a_stub_is_told_as_not_begun_and_a_cell_that_needs_it_as_waiting(folder):
    save(folder, IMPORTS, STUB, CHECK, "causal_mask(3)")
    done = checks(folder)
    assert done.returncode == 1
    assert "· to do    causal_mask, allowed" in done.stdout
    assert "Cell 5 needs causal_mask first." in done.stdout
    assert "In cell 3, put your code in place" in checks(folder, "causal_mask").stdout


def test_an_error_is_told_with_its_cell_and_line_and_the_rest_goes_on(folder):
    broken = "x = 1\n\ny = x / 0"
    save(folder, IMPORTS, broken, "def f(:", "exit()", RIGHT, "causal_mask(2)[5]", CHECK, COUNT)
    done = checks(folder)
    assert done.returncode == 1
    told = re.sub(r"\s+", " ", done.stdout)
    assert "Cell 3, line 3: ZeroDivisionError: division by zero y = x / 0" in told
    assert "Cell 4, line 1: SyntaxError" in told
    assert "Cell 5, line 1: SystemExit" in told
    assert "Cell 7, line 1: IndexError" in told
    assert "✓ done causal_mask, allowed" in told
    assert checks(folder, "causal_mask").returncode == 0  # asked for by name, it passes


def test_an_exercise_whose_cell_is_no_python_says_so_and_others_wait_for_it(folder):
    save(folder, IMPORTS, RIGHT + ")", CHECK, COUNT, CHECK_COUNT)
    done = checks(folder)
    assert "✗ causal_mask: its cell stops with an error\n  Cell 3, line 2: Synt" in done.stdout
    assert "needs causal_mask first" in checks(folder, "allowed").stdout


def test_a_prediction_is_answered_and_a_question_waits_for_its_answer(folder):
    fields = {"key": ["A"], "why": {"A": "It is so.", "B": "It is not so."}}
    question = {"name": "k1", "kind": "choices", "letters": ["A", "B"], "told": encoded(fields)}
    (folder / "checks" / "questions.json").write_text(json.dumps([question]), encoding="utf-8")
    ask = CHECK.replace("causal_mask", "k1")
    save(folder, "k1 = ...", ask)
    told = checks(folder, "k1").stdout
    assert 'In cell 2, put your answer in place of the dots, as in `k1 = ["A"' in told
    save(folder, 'k1 = ["A", "B"]', ask)
    told = checks(folder, "k1").stdout
    assert "✗ k1: not right\n  B, which you chose: It is not so." in told
    assert "✓ done     k1 (not right)" in checks(folder).stdout
    save(folder, 'k1 = ["A"]', ask)
    assert "✓ k1: right\n  A: It is so." in checks(folder, "k1").stdout


def test_a_cell_that_was_deleted_is_told(folder):
    save(folder, IMPORTS, CHECK)
    assert "No cell binds causal_mask. Was its cell deleted" in checks(folder, "causal_mask").stdout


def test_whatever_fails_the_answer_fits_one_screen_unless_all_of_it_is_asked_for(folder):
    errors = [f"x{number} = {number} / 0" for number in range(30)]
    save(folder, IMPORTS, WRONG, CHECK, COUNT, CHECK_COUNT, *errors)
    done, full = checks(folder), checks(folder, "--full")
    assert len(done.stdout.splitlines()) <= 40 < len(full.stdout.splitlines())
    assert "allowed: 0 of 2 checks pass" in done.stdout  # and causal_mask is to be mended first
    assert "There is more about these cells" in done.stdout


def test_the_check_runs_where_the_notebook_calls_it(folder):
    save(folder, IMPORTS, RIGHT, CHECK, f"if True:\n{indent(WRONG, '    ')}")
    assert "✓ done     causal_mask" in checks(folder).stdout
    assert checks(folder, "causal_mask").returncode == 0


def test_a_notebook_without_check_cells_is_checked_all_the_same(folder):
    save(folder, IMPORTS, WRONG)
    assert "✗ not yet  causal_mask" in checks(folder).stdout
    assert checks(folder, "causal_mask").returncode == 1


def test_one_exercise_runs_the_cells_that_it_needs_and_no_other(folder):
    mark = "from pathlib import Path\nPath('ran').touch()"
    save(folder, IMPORTS, mark, RIGHT, CHECK, "import math", COUNT, f"{CHECK_COUNT}\n1 / 0")
    done = checks(folder, "allowed")
    assert "✓ allowed: 1 of 1 checks pass" in done.stdout
    assert not (folder / "ran").exists()
    checks(folder)
    assert (folder / "ran").exists()


def test_what_cells_print_is_shown_on_demand_and_kept_nowhere_else(folder):
    printing = "for line in range(100_000):\n    print('chatter', line)"
    save(folder, IMPORTS, RIGHT, CHECK, COUNT, printing)
    assert "chatter 99999\n" in checks(folder, "--output").stdout
    assert "chatter" not in checks(folder).stdout


def test_hints_and_questions_in_cells_stay_silent(folder):
    save(folder, IMPORTS, RIGHT, "from checks import hint\nhint('causal_mask')", CHECK, COUNT)
    done = checks(folder)
    assert "Which keys may query 0 see?" not in done.stdout
    assert done.returncode == 0


def test_input_gets_an_answer_at_once_and_a_cell_may_go_elsewhere(folder):
    elsewhere = "import os\nos.chdir('/')"
    save(folder, IMPORTS, "name = input('Your name? ')", elsewhere, RIGHT, CHECK, COUNT)
    done = checks(folder)
    assert "Cell 3, line 1: EOFError: input() gets no answer here" in done.stdout
    assert "✓ done     causal_mask, allowed" in done.stdout


def test_what_does_not_end_costs_itself_alone(folder):
    loop = "x = 0\nwhile True:\n    x += 1"
    endless = RIGHT.replace("    return", "    while seq_len:\n        pass\n    return")
    save(folder, IMPORTS, loop, endless, CHECK, "def allowed(seq_len):\n    return 6")
    done = checks(folder, "--patience", "1")
    assert done.returncode == 1
    assert "✗ causal_mask: does not end\n  Cell 4, line " in done.stdout
    assert re.search(r"✗ Cell 3, line \d: still running after \d+ s, and stopped", done.stdout)
    assert "✓ done     allowed" in done.stdout


def test_a_cell_that_ends_python_itself_costs_itself_alone(folder):
    save(folder, IMPORTS, "import os\nos._exit(3)", RIGHT, CHECK, COUNT)
    done = checks(folder)
    assert "Cell 3: Python ended itself with status 3." in done.stdout
    assert "✓ done     causal_mask, allowed" in done.stdout


def test_a_check_over_which_python_crashes_costs_itself_alone(folder):
    crashing = "import ctypes\ndef causal_mask(seq_len):\n    return ctypes.string_at(0)"
    save(folder, IMPORTS, crashing, CHECK, "def allowed(seq_len):\n    return 6")
    done = checks(folder)
    assert "✗ causal_mask: cannot be checked\n  Python was ended by signal SIGSEGV." in done.stdout
    assert "✓ done     allowed" in done.stdout


def test_torch_is_not_imported_where_the_notebook_does_not(folder):
    (folder / "torch.py").write_text("raise SystemExit('torch was imported')")
    save(folder, IMPORTS, RIGHT, CHECK, COUNT)
    assert checks(folder).returncode == 0


def test_it_works_from_elsewhere_and_reads_files_beside_the_notebook(folder):
    (folder / "numbers.txt").write_text("42")
    (folder / "mine.py").write_text("answer = 42")
    reading = "import mine\nassert open('numbers.txt').read() == '42'"
    save(folder, IMPORTS, reading, RIGHT, CHECK, COUNT)
    done = checks(Path(folder.name), cwd=folder.parent, module=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_ipython_magics_are_passed_over(folder):
    hidden = folder / "IPython.py"
    hidden.write_text("raise ImportError('not installed')")
    save(folder, IMPORTS, f"if True:\n    %time\n{RIGHT}", CHECK, COUNT)
    done = checks(folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_written_answers_are_named_without_being_judged(folder):
    mark = {"grade": True, "solution": True, "points": 3}
    cells = [
        *map(new_code_cell, (IMPORTS, RIGHT, COUNT)),
        new_markdown_cell("Mine.", metadata={"nbgrader": mark | {"grade_id": "w1"}}),
        new_markdown_cell(UNANSWERED, metadata={"nbgrader": mark | {"grade_id": "w2"}}),
    ]
    text = writes(new_notebook(cells=cells))
    (folder / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    done = checks(folder)
    assert done.returncode == 1  # as `nbgrader validate` has it: w2 is still to be done
    assert "✓ done     causal_mask, allowed, w1\n· to write w2\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["casual_mask"], "There are no checks for 'casual_mask' here; there are for: allowed, c"),
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
    assert checks(folder).stdout.startswith("renamed.ipynb")
    save(folder, IMPORTS, WRONG, name="copy")
    assert "holds several notebooks (copy.ipynb, renamed.ipynb)" in checks(folder).stderr
    assert checks(folder, "causal_mask", "--notebook", "renamed.ipynb").returncode == 0
    (folder / "copy.ipynb").write_text(json.dumps([1]))
    assert "is no notebook" in checks(folder, "--notebook", "copy.ipynb").stderr


def test_a_python_without_the_requirements_is_told_how_to_get_them(folder):
    missing = "raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')"
    (folder / "numpy.py").write_text(missing)
    save(folder, RIGHT)
    done = checks(folder)
    assert done.returncode == 2
    assert "numpy is not installed for" in done.stderr
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
def test_help_says_what_can_be_typed_with_names_of_this_notebook(folder, arguments):
    done = checks(folder, *arguments)
    assert done.returncode == 0
    assert "python -m checks hint" in done.stdout
    assert "causal_mask" in done.stdout
    assert "row_sums" not in done.stdout


def released(*sources):
    """Cells for answers as nbgrader releases them: nothing is changed."""
    cells = []
    for source in sources:
        cell = new_code_cell(source)
        cell.metadata["nbgrader"] = {
            "grade_id": source.split()[1].partition("(")[0],
            "grade": False,
            "solution": True,
            "locked": False,
        }
        cell.metadata["nbgrader"]["checksum"] = compute_checksum(cell)
        cells.append(cell)
    return cells


def test_the_list_says_what_there_is_to_do_and_what_was_begun(folder):
    cells = released(STUB, COUNT)
    cells[1].source += "\n"
    (folder / f"{NAME}.ipynb").write_text(writes(new_notebook(cells=cells)), encoding="utf-8")
    done = checks(folder, "list")
    assert done.returncode == 0, done.stderr
    heading, mask, count = done.stdout.splitlines()
    assert heading == f"{NAME}.ipynb: 1 of 2 begun"
    assert mask == "· causal_mask  cell   1, no points, with hints, not begun"
    assert count == "✓ allowed      cell   2, no points"


def test_watching_opens_on_the_start_and_not_on_code_that_is_given_to_be_repaired():
    cells = released(STUB, COUNT)
    standing = Standing(("causal_mask", "allowed"), ())
    standing.read(cells)
    standing.take(Outcome("causal_mask", NOT_BEGUN, False, ""))
    standing.take(Outcome("allowed", FAILED, False, ""))
    assert current(standing, []) == "causal_mask"
    cells[1].source += " + 1"
    standing.read(cells)
    standing.take(Outcome("allowed", FAILED, False, ""))
    assert current(standing, []) == "allowed"
