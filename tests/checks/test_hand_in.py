"""`python -m checks --hand-in` tells what grading would stumble over before it is handed in."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes
from small_release import IMPORTS, NAME, RIGHT, STUB, checks, make_package

from autograder.checks.kit.grading import newer_syntax, too_new
from autograder.checks.kit.imports import imports_in, why_missing
from autograder.course.written import UNANSWERED

CELLS = {"causal_mask": "code", "test_causal_mask": "test", "k1": "quiz", "w1": "written"}
GRADING = {"assignment": NAME, "cells": CELLS, "python": "3.11", "packages": ["numpy"]}
PERSONAL = {"name": "k1", "kind": "number", "text": "{n}?", "sizes": {"n": [1, 2]}}
ANSWER = "Each row begins one key later than the row above it."


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package `checks` as a release has it."""
    package = make_package(
        tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("package") / "checks"
    )
    modules = ["IPython", "matplotlib", "numpy"]
    (package / "grading.json").write_text(json.dumps({**GRADING, "modules": modules}))
    (package / "questions.json").write_text(json.dumps([PERSONAL]))
    return package


class Folder:
    """A student's folder, and what is in its notebook."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cells = {
            "imports": new_code_cell(IMPORTS),
            "id": new_code_cell('student_id = "ada"'),
            **{
                name: new_code_cell(source)
                for name, source in (("causal_mask", RIGHT), ("k1", "k1 = 1"))
            },
            "w1": new_markdown_cell(ANSWER),
        }
        for name in ("causal_mask", "k1", "w1"):
            mark = {"grade_id": name, "solution": True, "grade": name == "w1"}
            self.cells[name].metadata["nbgrader"] = mark

    def save(self, name: str = f"{NAME}.ipynb") -> None:
        notebook = new_notebook(cells=list(self.cells.values()))
        (self.path / name).write_text(writes(notebook), encoding="utf-8")

    def write(self, name: str, source: str) -> None:
        self.cells[name].source = source


@pytest.fixture
def folder(package: Path, tmp_path: Path) -> Folder:
    """One in which everything is as it should be."""
    path = tmp_path / NAME
    shutil.copytree(package, path / "checks")
    return Folder(path)


def no_id(it: Folder) -> None:
    it.write("id", "student_id = ...")


def no_cell_for_the_id(it: Folder) -> None:
    del it.cells["id"]


def other_packages(it: Folder) -> None:
    it.write("imports", "import numpy as np\nimport pandas as pd")


def an_own_module_that_is_not_here(it: Folder) -> None:
    it.write("imports", "from my_masks import tri")


def no_answer(it: Folder) -> None:
    it.write("w1", UNANSWERED)


def written_in_another_cell(it: Folder) -> None:
    no_answer(it)
    it.cells["below"] = new_markdown_cell(ANSWER)


def its_mark_lost(it: Folder) -> None:
    it.cells["w1"].metadata.clear()


def no_cell(it: Folder) -> None:
    del it.cells["causal_mask"]


def twice(it: Folder) -> None:
    it.cells["again"] = it.cells["k1"]


def another_assignment(it: Folder) -> None:
    it.cells = {"only": new_code_cell("def softmax(x):\n    return x")}


def newer_python(it: Folder) -> None:
    it.write("causal_mask", f'{RIGHT}\nprint(f"{{[f"{{x}}" for x in [1]]}}")')


def no_python(it: Folder) -> None:
    it.write("causal_mask", "def causal_mask(n:\n    return n")


STUMBLES: dict[Callable[[Folder], None], str] = {
    no_id: "student_id is not set, and k1 has numbers of your own",
    no_cell_for_the_id: "No cell says student_id",
    other_packages: "Cell 1, line 2: the package `pandas` is not there when your",
    an_own_module_that_is_not_here: "hand in `my_masks.py` with the notebook",
    no_answer: "w1 has no answer in its own cell",
    written_in_another_cell: "w1 has no answer in its own cell",
    its_mark_lost: "The cell for w1 has lost its mark, or is gone",
    no_cell: "There is no cell for causal_mask, and none that defines it",
    twice: "The cell of k1 is there 2 times",
    another_assignment: f"None of its cells belongs to {NAME}",
    newer_python: "Python 3.11 grades, and cannot read an f-string that uses its own",
    no_python: "Cell 3, line 1: Python cannot read it ('(' was never closed)",
}


@pytest.mark.parametrize("stumble", STUMBLES, ids=lambda one: one.__name__)
def test_what_grading_would_stumble_over_is_said(folder: Folder, stumble: Callable) -> None:
    stumble(folder)
    folder.save()
    done = checks(folder.path, "--hand-in")
    assert STUMBLES[stumble] in " ".join(done.stdout.split()), done.stdout + done.stderr
    assert (done.returncode, done.stderr) == (1, "")


def test_an_answer_that_refuses_some_cases_is_begun(folder: Folder) -> None:
    refuses = "def causal_mask(n):\n    if n:\n        return n\n    raise NotImplementedError"
    folder.write("causal_mask", refuses)
    folder.save()
    assert "Not begun" not in checks(folder.path, "--hand-in").stdout


def test_an_answer_outside_of_its_own_cell_is_begun_and_told(folder: Folder) -> None:
    folder.write("causal_mask", STUB)
    folder.cells["imports"].source += "\n\ndef causal_mask(n):\n    return n"
    folder.save()
    told = " ".join(checks(folder.path, "--hand-in").stdout.split())
    assert re.search(r"causal_mask is written in cell \d, and not in its own cell", told)
    assert "Not begun" not in told
    listed = checks(folder.path, "list").stdout
    assert not [
        line for line in listed.splitlines() if "causal_mask" in line and "not begun" in line
    ]


def test_what_is_as_it_should_be_runs_nothing_and_exits_with_0(folder: Folder) -> None:
    folder.write("imports", f"{IMPORTS}\nfrom mine import x\nopen('ran', 'w')")
    (folder.path / "mine.py").write_text("x = 1")
    folder.write("causal_mask", STUB)
    folder.save()
    folder.save(f"{NAME}-Copy1.ipynb")
    done = checks(folder.path, "--hand-in")
    told = " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "Grading will find all of it where it belongs." in told
    assert "It imports mine.py: hand that in with it" in told
    assert f"Beside it: {NAME}-Copy1.ipynb." in told
    assert "Not begun yet: causal_mask. You may hand in all the same." in told
    assert not (folder.path / "ran").exists()


@pytest.mark.parametrize("name", [f"{NAME} (1).ipynb", f"{NAME}.ipynb.txt", None])
def test_a_notebook_under_another_name_is_told(folder: Folder, name: str | None) -> None:
    if name:
        folder.save(name)
    done = checks(folder.path, "--hand-in")
    assert done.returncode == 1
    told = " ".join(done.stdout.split())
    assert f"There is no {NAME}.ipynb" in told
    assert name is None or name in told


def test_a_check_of_the_whole_notebook_warns_of_imports_and_marks_nothing_wrong(
    folder: Folder,
) -> None:
    folder.cells = {"imports": folder.cells["imports"], "causal_mask": folder.cells["causal_mask"]}
    folder.write("imports", f"{IMPORTS}\nimport pip")  # which is here
    folder.save()
    done = checks(folder.path, "causal_mask")
    assert (done.returncode, "pip" in done.stdout) == (0, False)
    done = checks(folder.path)
    assert "➜ Cell 1, line 5: there is no module `pip` when your notebook is graded." in done.stdout
    assert "✗" not in done.stdout.partition("pip")[0]


def test_a_check_in_a_notebook_warns_of_an_import_once(folder: Folder) -> None:
    cells = ["import pip", "import numpy as np", RIGHT]
    code = "\n".join(
        [f"In = {cells!r}", *cells, *2 * ["from checks import check\ncheck('causal_mask')"]]
    )
    ran = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=folder.path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert (
        ran.stdout.count("A warning: there is no module `pip` when your notebook is graded.") == 1
    )


NEWER = {
    'f"{[f"{x}" for x in y]}"': "its own quotation marks",
    "f'{d['a']}'": "its own quotation marks",
    "f'{chr(10) + \"\\n\"}'": "a backslash",
    "type X = int": "`type` statement",
    "def f[T](x: T) -> T: ...": "definition with `[T]`",
    "class A[T]: ...": "definition with `[T]`",
    "try: x\nexcept A, B: y": "`except`",
}


@pytest.mark.parametrize("source", NEWER)
def test_what_only_a_newer_python_reads_is_told_so(source: str) -> None:
    try:
        compile(source, "<cell>", "exec")
        found = newer_syntax(source, 11)
        told = found[1] if found else None
    except SyntaxError as error:
        told = too_new(error, 11)
    assert told is not None
    assert told.startswith("Python 3.11 grades, and cannot read ")
    assert NEWER[source] in told


@pytest.mark.parametrize(
    "source",
    [
        "f\"{d['a']}\" + f'{1:{2}}' + '\\n'",
        "x = 1  # {",
        "try: x\nexcept (A, B): y",
        "f'{x!r:>10}'",
        'f"one\\\ntwo {x}"',
    ],
)
def test_what_an_older_python_reads_is_not_taken_for_newer(source: str) -> None:
    assert newer_syntax(source, 11) is None


@pytest.mark.parametrize("source", ["def f(:", "x = (1", "f(x", "type = 3 +", 'f"{x"', 'f"{a[}"'])
def test_a_slip_is_not_taken_for_newer_syntax(source: str) -> None:
    with pytest.raises(SyntaxError) as raised:
        compile(source, "<cell>", "exec")
    assert too_new(raised.value, 11) is None


def test_an_import_with_a_fallback_of_its_own_is_not_told() -> None:
    source = (
        "try:\n    import cupy\nexcept ImportError:\n    import numpy\n"
        "with suppress(ImportError):\n    import tqdm\n"
        "try:\n    import jax\nexcept ValueError:\n    pass\n"
        "def f():\n    from scipy import stats\n"
    )
    assert {one.module: one.is_guarded for one in imports_in(source)} == {
        "cupy": True,
        "numpy": False,
        "tqdm": True,
        "jax": False,
        "scipy": False,
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("pandas", "the package `pandas` is not there when your notebook is graded"),
        ("nunpy", "Did you mean `numpy`?"),
        ("maths", "Did you mean `math`?"),
        ("my_utils", "hand in `my_utils.py` with the notebook"),
        ("google.colab", "in Google Colab alone"),
        ("torch.zeroz", "`torch` is there, and has no `zeroz`"),
    ],
)
def test_each_kind_of_missing_import_has_words_of_its_own(name: str, told: str) -> None:
    assert told in why_missing(name, ["numpy", "torch"])
