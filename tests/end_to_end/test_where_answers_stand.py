"""Wherever an answer stands: `check`, `progress`, `python -m checks` and grading say the same.

Each student of one class arranges the cells of one exercise in another way, and is graded in one
run; the notebook is then run whole in IPython, and by `python -m checks`.
"""

import copy
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from line_fitting import NAME, all_right, cell_of, hand_in, released
from nbformat.v4 import new_code_cell

pytestmark = pytest.mark.slow

X = "mean_squared_error"
RIGHT = f"def {X}(predicted, actual):\n    return float(np.mean((predicted - actual) ** 2))"
WRONG = f"def {X}(predicted, actual):\n    return float(np.sum((predicted - actual) ** 2))"
CLOSURE = "def shown(f):\n    def run(*args): return f(*args)\n    return run\n"
LAMBDA = f"{X} = lambda p, a: float(np.mean((p - a) ** 2))"
USED = f"{X} = {X}(np.zeros(2), np.ones(2))"
LEFT = f"def {X}(*_):\n    raise NotImplementedError"
MODULE = f"import numpy as np\n{RIGHT}\n"
FULL, NONE, PART = "full", "none", "part"

# Of each student: the cells above and in the own one, between it and its check, and below; what the
# exercise earns; and whether the last definition was judged, for want of another.
STUB = None  # stands for the cell as it was released
WAYS = {
    "as_it_is": (([], RIGHT, [], []), FULL, False),
    "untouched": (([], STUB, [], []), NONE, False),
    "below": (([], STUB, [], [RIGHT]), FULL, True),
    "above": (([RIGHT], STUB, [], []), FULL, True),
    "between": (([], STUB, [RIGHT], []), FULL, False),
    "split": (([], "power = 2", [RIGHT.replace("2)", "power)")], []), FULL, False),
    "used_up": (([], RIGHT, [USED], []), FULL, False),
    "used_up_in_its_cell": (([], f"{RIGHT}\n{USED}", [], []), FULL, False),
    "deleted_in_its_cell": (([], f"{RIGHT}\ndel {X}", [], []), FULL, False),
    "stub_in_its_cell": (([], f"{WRONG}\n{LEFT}", [], [RIGHT]), PART, False),
    "used_up_elsewhere": (([], STUB, [USED], [RIGHT]), FULL, True),
    "deleted_after": (([], RIGHT, [], [f"del {X}"]), FULL, False),
    "wrong_after": (([], RIGHT, [], [WRONG]), FULL, False),
    "wrong_then_right": (([], WRONG, [], [RIGHT]), PART, False),
    "right_then_wrong": (([RIGHT], WRONG, [], []), PART, False),
    "two_elsewhere": (([RIGHT], STUB, [], [WRONG]), PART, True),
    "checked_twice": (
        ([], RIGHT, [], [WRONG, f'from checks import check\ncheck("{X}")']),
        FULL,
        False,
    ),
    "decorated": (([], f"{CLOSURE}@shown\n{RIGHT}", [], []), FULL, False),
    "stub_decorated": (([RIGHT], STUB, [f"{CLOSURE}{X} = shown({X})"], []), FULL, True),
    "lambda": (([], LAMBDA, [], []), FULL, False),
    "lambda_used_up": (([], LAMBDA, [USED], []), FULL, False),
    "lambda_wrong_below": (([], LAMBDA, [], [WRONG]), FULL, False),
    "in_if_used_up": (([], f"if True:\n    {LAMBDA}", [USED], []), FULL, False),
    "another_name_used_up": (
        ([], f"{RIGHT.replace(X, 'mse')}\n{X} = mse", [USED], []),
        FULL,
        False,
    ),
    "partial": (
        ([], f"import functools\n{RIGHT}\n{X} = functools.partial({X})", [], []),
        FULL,
        False,
    ),
    "module": (([], f"from mine import {X}", [], []), FULL, False),
    "module_below": (([], STUB, [], [f"from mine import {X}"]), FULL, True),
    "cell_stops": (([], f"1 / 0\n{RIGHT}", [], [RIGHT]), FULL, True),
    "cell_stops_alone": (([], f"1 / 0\n{RIGHT}", [], []), NONE, False),
    "no_check": (([], RIGHT, [], [WRONG]), FULL, False),
    "check_first": (([], RIGHT, [], [WRONG]), FULL, False),
    "copied": (([], STUB, [], [RIGHT]), FULL, False),
    "no_ids": (([], STUB, [], [RIGHT]), FULL, False),
    "no_ids_used_up": (([], RIGHT, [USED], []), FULL, True),
}


def arranged(course, student):
    """The notebook of a student of the class, and the answer's cells in their places."""
    (above, own, between, below), _, _ = WAYS[student]
    notebook = all_right(course, student)
    stub, cell = cell_of(released(course), X), cell_of(notebook, X)
    cell.source = stub.source if own is STUB else own
    place = notebook.cells.index(cell)
    check = notebook.cells[place + 1]
    new = [[new_code_cell(source) for source in some] for some in (above, between, below)]
    notebook.cells[place : place + 2] = [*new[0], cell, *new[1], check, *new[2]]
    if student == "copied":
        new[2][0].metadata["nbgrader"] = copy.deepcopy(cell.metadata["nbgrader"])
    if student in ("no_check", "check_first"):
        notebook.cells.remove(check)
    if student == "check_first":
        notebook.cells.insert(1, check)
    for one in notebook.cells if student.startswith("no_ids") else ():
        one.metadata.pop("nbgrader", None)
    return notebook


@pytest.fixture(scope="module")
def course(small_class, run, tmp_path_factory):
    """The class, graded in one run."""
    course = shutil.copytree(small_class, tmp_path_factory.mktemp("ways") / "course")
    shutil.rmtree(course / "submitted")
    for student in WAYS:
        folder = hand_in(course, student, arranged(course, student))
        if "module" in student:
            (folder / "mine.py").write_text(MODULE)
    done = run("autograder", "grade", "--json", "ways.json", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    return course


@pytest.fixture(scope="module")
def graded(course):
    """What grading has found, by student."""
    found = json.loads((course / "ways.json").read_text())["submissions"]
    return {one["student"]: one for one in found}


@pytest.fixture(scope="module")
def in_terminal(course, tmp_path_factory):
    """What `python -m checks` prints of the exercise, by student."""

    def checked(student):
        folder = tmp_path_factory.mktemp(student) / NAME
        shutil.copytree(course / "release" / NAME, folder)
        shutil.copytree(course / "submitted" / student / NAME, folder, dirs_exist_ok=True)
        command = [sys.executable, "-B", "-m", "checks", X]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout

    with ThreadPoolExecutor(2) as threads:
        return dict(zip(WAYS, threads.map(checked, WAYS), strict=True))


IN_JUPYTER = """
import contextlib, io, json, os, sys, types
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell

folder, found = Path.cwd(), {}
sys.path.insert(0, str(folder))
for submitted in sorted(Path(sys.argv[1]).iterdir()):
    name = folder.name
    text = (submitted / name / f"{name}.ipynb").read_text()
    (folder / f"{name}.ipynb").write_text(text)
    for file in (submitted / name).glob("*.py"):
        (folder / file.name).write_text(file.read_text())
    InteractiveShell.clear_instance()
    sys.modules["__main__"] = main = types.ModuleType("__main__")
    shell = InteractiveShell.instance(user_module=main)
    shell.showtraceback = lambda *_, **__: None
    import checks, checks.kit.progress
    checks.kit.checking.checked.clear()
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in json.loads(text)["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and "plt.sub" not in source and "play(" not in source:
                shell.run_cell(source, store_history=True)
        check = 'import checks; checks.check("mean_squared_error")'
        passed = shell.run_cell(check, store_history=True).success
        standing = checks.kit.progress.standing(checks.kit.checking.checked, shell.user_ns)
    state = {part.name: part.state for part in standing}["mean_squared_error"]
    found[submitted.name] = [passed, state]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def in_jupyter(course, tmp_path_factory):
    """Of each student whether a check passes once all has run, and what `progress` says then."""
    folder = shutil.copytree(course / "release" / NAME, tmp_path_factory.mktemp("live") / NAME)
    command = [sys.executable, "-B", "-c", IN_JUPYTER, str(course / "submitted")]
    environment = {"MPLBACKEND": "Agg", "PATH": "", "HOME": str(folder), "IPYTHONDIR": str(folder)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("student", WAYS)
def test_grading_judges_one_definition(graded, student):
    _, earned, is_last = WAYS[student]
    found = graded[student]["exercises"][X]
    share = found["score"] / found["max_score"]
    assert {FULL: share == 1, NONE: share == 0, PART: 0 < share < 1}[earned], found
    assert found["attempted"] is (student != "untouched")
    notes = [note for note in graded[student]["notes"] if "holds no answer" in note]
    assert len(notes) == is_last, graded[student]["notes"]
    others = [one for name, one in graded[student]["exercises"].items() if name not in (X, "w1")]
    assert all(one["score"] == one["max_score"] for one in others)


@pytest.mark.parametrize("student", WAYS)
def test_the_terminal_says_what_grading_does(in_terminal, student):
    _, earned, is_last = WAYS[student]
    told = in_terminal[student]
    assert ("4 of 4 checks pass" in told) is (earned == FULL), told
    assert ("last definition" in told) is is_last


@pytest.mark.parametrize("student", WAYS)
def test_a_check_in_the_notebook_says_what_grading_does(in_jupyter, student):
    is_right = WAYS[student][1] == FULL
    assert in_jupyter[student] == [is_right, "done" if is_right else "not yet"]


def test_a_note_names_the_cell_for_the_instructor(graded, course):
    (note,) = graded["below"]["notes"]
    assert note == (
        f"the own cell of {X} holds no answer, so its last definition is judged, from the cell "
        f'that begins "{RIGHT.splitlines()[0]}"'
    )
    record = Path(course, "autograded", "below", f"{NAME}.json").read_text()
    assert "holds no answer" in record
