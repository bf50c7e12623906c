"""`check` as students meet it: in a script, in a kernel, in a release folder of its own."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from nbclient import NotebookClient
from student_cells import EXERCISES, solved, with_cell

import autograder.checks
from autograder.build.shipping import files_to_ship
from autograder.checks import CheckFailed, check
from autograder.checks.kit.checking import look
from autograder.judging.answers import namespace_with, reference_source
from solutions.attention_by_hand import reference as attention_by_hand

FOLDER = Path(autograder.checks.__file__).parent
NAME = "01-attention-by-hand"
OWN = sorted(Path(__file__).parents[2].glob("assignments/*/checks/*.py"))
ALLOWED = {"torch", "numpy", "matplotlib", "pytest", "IPython", "ipywidgets"}


@pytest.fixture
def main(monkeypatch):
    """Stands in for the notebook."""
    module = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    return vars(module)


@pytest.fixture
def release(tmp_path, course_root, questions_json):
    """A student's folder under one whose settings would break a careless pytest run."""
    course = tmp_path / "course [2]"
    folder = course / NAME
    for path, source in files_to_ship(course_root, NAME, has_torch=True).items():
        (folder / "checks" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / "checks" / path)
    shutil.copy(questions_json, folder / "checks")
    for place in (course, folder):
        (place / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
        (place / "conftest.py").write_text("raise RuntimeError('not to be read')\n")
    return folder


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_answer_returns_none_and_tells_the_picture_in_words(main, exercise, capsys):
    main.update(solved(exercise))
    assert check(exercise) is None
    told = capsys.readouterr().out
    assert "checks pass." in told
    assert "not yet" not in told


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_stub_is_told_what_to_do_next(main, exercise):
    cell = (
        f"class {exercise}:\n    def __init__(self, *a, **k):\n"
        f"        raise NotImplementedError('{exercise} is not written yet: replace this line')"
    )
    main.update(with_cell(exercise, cell))
    with pytest.raises(CheckFailed, match=f"{exercise} is not written yet. In the cell above"):
        check(exercise)


@pytest.mark.usefixtures("with_questions")
@pytest.mark.parametrize("exercise", [*EXERCISES, "q1"])
def test_an_unbound_name_is_told_to_run_the_cell(main, exercise):
    if exercise in EXERCISES:
        main.update(solved(exercise))
        del main[exercise]
    with pytest.raises(CheckFailed, match="Run the cell above"):
        check(exercise)


def test_a_check_that_needs_another_exercise_says_which(main):
    main.update(with_cell("decode_step", "del FusedMultiHeadAttention"))
    with pytest.raises(CheckFailed, match="FusedMultiHeadAttention is not known here yet"):
        check("decode_step")
    stub = "raise NotImplementedError('FusedMultiHeadAttention is not written yet: replace this')"
    exec(f"def FusedMultiHeadAttention(*sizes, **options):\n    {stub}", main)
    with pytest.raises(CheckFailed, match="FusedMultiHeadAttention is not written yet, and this"):
        check("decode_step")


def test_torchs_own_not_implemented_error_is_not_taken_for_the_stub(main):
    main.update(
        with_cell(
            "causal_mask",
            "def causal_mask(n, device=None):\n"
            "    return torch.ones(n, n, device='meta').tril().bool().to('cpu')",
        )
    )
    with pytest.raises(CheckFailed, match="0 of 3 checks pass"):
        check("causal_mask")


def test_a_failed_check_names_the_line_and_shows_no_traceback(main):
    exec("def softmax(x, axis=-1):\n    y = x\n    return y / z", main)
    with pytest.raises(CheckFailed) as failed:
        check("softmax")
    assert "stopped with NameError in line 3 of your cell" in str(failed.value)
    (line,) = failed.value._render_traceback_()
    assert line == "Not yet: softmax: 0 of 5 checks pass."


def test_an_error_in_another_cell_names_what_that_cell_defines(main):
    exec("\n\nclass Merging:\n    def merge(x):\n        return [y / z for y in x]", main)
    exec("def merge_heads(x):\n    return Merging.merge(x)", main)
    with pytest.raises(CheckFailed, match="in line 5 of the cell that defines `Merging`"):
        check("merge_heads")


@pytest.mark.usefixtures("with_questions")
def test_an_answer_in_letters_that_is_not_bound_is_told_of_quotation_marks(main):
    with pytest.raises(CheckFailed, match='letters need quotation marks, as in `"A"`'):
        check("q1")
    with pytest.raises(CheckFailed) as failed:
        check("k1")
    assert "quotation" not in str(failed.value)


def test_after_a_cell_that_is_no_python_its_older_text_is_not_checked_in_its_place(main):
    main.update(solved("causal_mask"))
    check("causal_mask")
    main["In"] = ["", "def causal_mask(n):\n    return 1", "def causal_mask(n:\n", "check(...)"]
    with pytest.raises(CheckFailed, match=r"the cell that you ran last stops with SyntaxError in"):
        check("causal_mask")
    main["In"] += ["get_ipython().run_cell_magic('time', '', 'x\\ndef causal_mask(n): return 1')"]
    check("causal_mask")  # what a magic ran was Python
    main["In"] += ["def causal_mask_for_cache(n:"]
    check("causal_mask")


def test_code_that_calls_exit_ends_neither_check_nor_notebook(main, capsys):
    main.update(with_cell("causal_mask", "def causal_mask(n, device=None):\n    exit()"))
    with pytest.raises(CheckFailed):
        check("causal_mask")
    assert "SystemExit" in capsys.readouterr().out


def test_an_interrupt_stays_an_interrupt(main):
    main.update(with_cell("causal_mask", "def causal_mask(*a, **k):\n    raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        check("causal_mask")


def test_a_misspelt_exercise_lists_those_that_are_here(main):
    with pytest.raises(ValueError, match="causal_mask"):
        check("casual_mask")


@pytest.mark.usefixtures("with_questions")
def test_the_environment_is_left_as_it_was(main, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    before = dict(os.environ)
    main["q1"] = "A"
    check("q1")
    assert dict(os.environ) == before


@pytest.mark.parametrize("path", [*sorted(FOLDER.rglob("*.py")), *OWN], ids=lambda path: path.stem)
def test_checks_import_nothing_of_ours_but_themselves(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        else:
            continue
        roots = {name.split(".")[0] for name in names}
        ours = {"checks"} if path in OWN else set()
        assert roots <= ALLOWED | ours | sys.stdlib_module_names | {"__future__"}


def test_a_script_in_a_release_folder_prints_a_table_and_leaves_no_file(release):
    script = inspect.getsource(attention_by_hand) + (
        "\nfrom checks import check\ncheck('softmax')\nq1 = 'B'\ncheck('q1')\n"
    )
    (release / "mine.py").write_text(script, encoding="utf-8")
    before = sorted(release.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-B", "mine.py"],
        cwd=release,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "softmax: 5 of 5 checks pass." in done.stdout
    assert "Bar chart: softmax of 2, 1, 0, -1." in done.stdout
    assert sorted(release.rglob("*")) == before


@pytest.mark.slow
def test_a_kernel_shows_a_table_with_a_described_picture_and_a_short_error(release):
    source = inspect.getsource(attention_by_hand)
    wrong = "def attention_weights(scores):\n    return torch.softmax(scores, dim=-2)"
    cells = [source, "from checks import check\ncheck('softmax')", wrong]
    cells += ["check('attention_weights')"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    client = NotebookClient(
        notebook, allow_errors=True, resources={"metadata": {"path": str(release)}}
    )
    client.execute()
    right, failed = notebook.cells[1].outputs, notebook.cells[3].outputs
    page = right[0].data["text/html"]
    assert page.count("<details>") == 5
    assert '<figure role="group" aria-label="Bar chart: softmax' in page
    assert '<th scope="col"' in page
    assert "softmax: 5 of 5" in right[0].data["text/plain"]
    assert "✗ not yet" in failed[0].data["text/html"]
    assert failed[1].output_type == "error"
    assert len("\n".join(failed[1].traceback)) < 300
    assert "Which axis lists the keys?" in failed[1].evalue


HALVED = "def dot_product_scores(q, k):\n    return q @ k.mT / 2"
THROUGH_A_HELPER = """
def scores_of(x):
    return dot_product_scores(x, x)


def simple_attention(x):
    weights = attention_weights(scores_of(x))
    return weighted_values(weights, x), weights
"""


@pytest.mark.parametrize("cell", ["", THROUGH_A_HELPER])
def test_what_an_exercise_calls_and_is_wrong_is_to_be_mended_first(cell):
    namespace = namespace_with("simple_attention", reference_source("simple_attention"))
    exec(f"{HALVED}\n{cell}", namespace)
    found = look("simple_attention", namespace)
    first = "Mend dot_product_scores first: simple_attention calls it"
    assert found.findings[0].says.startswith(first)
    assert f"First to look at: {first}" in found.failure


def test_of_several_that_are_wrong_the_one_that_calls_none_of_them_is_mended_first():
    namespace = namespace_with("simple_attention", reference_source("simple_attention"))
    exec(f"{HALVED}\ndef attention_weights(scores):\n    return scores", namespace)
    exec("def weighted_values(w, v):\n    return dot_product_scores(w, v.mT)", namespace)
    assert look("weighted_values", namespace).findings[0].says.startswith("Mend dot_product_scores")
    del namespace["dot_product_scores"]
    assert "Mend" not in look("weighted_values", namespace).failure


def test_a_mistake_of_its_own_blames_no_other_exercise():
    own = "def scaled_scores(q, k):\n    return dot_product_scores(q, k)"
    found = look("scaled_scores", namespace_with("scaled_scores", own))
    assert "Mend" not in found.failure
    namespace = namespace_with("scaled_scores", own)
    exec(HALVED, namespace)
    assert "Mend" not in look("dot_product_scores", namespace).failure  # it calls nobody
