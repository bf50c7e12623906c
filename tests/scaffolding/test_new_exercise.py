"""A new exercise is whole at once: it is formatted, says what is left, and then is proved."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from layer_norm_written import AFFINE_MAP, LAYER_NORM, MODULE, NAME, places, write

from autograder.course import CourseError, load_course
from autograder.proof.todos import todos
from autograder.scaffolding import new_assignment, new_course, new_exercise
from autograder.scaffolding.signature import read_signature

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
FIRST = "01-first-steps"
LONG = "a_name_that_says_all_there_is_to_say"
SIGNATURES = {
    "row_sums": None,
    "weighted": "weighted(x, weights, axis=-1)",
    "layer_norm": "layer_norm(x, gamma, beta, eps)",
    "spaced": "spaced(n, width: int = 3)",
    "GatedBlock": "GatedBlock(d_in, d_out, bias=True)",
    "Plain": "Plain()",
    LONG: "(a_long_name, another_long_name, a_third_name, a_fourth=1)",
}
MARKDOWN = "# %% [markdown]"


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    """A new course with an assignment in torch beside its first, which is in NumPy."""
    root = tmp_path / "taught"
    new_course(root, "torch")
    new_assignment(load_course(root), "layer-norm", "torch")
    return root


def add(root: Path, assignment: str, name: str, signature: str | None = None) -> list[Path]:
    return new_exercise(load_course(root), assignment, name, signature=signature)


def test_new_exercises_are_proved_once_their_todos_are_written(taught: Path, run_in: Run) -> None:
    def autograder(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_in(taught, "autograder", *arguments)

    _leave_question_out(taught)
    exercises = (
        ("layer_norm", "layer_norm(x, gamma, beta, eps)", LAYER_NORM),
        ("AffineMap", "AffineMap(width)", AFFINE_MAP),
    )
    for name, signature, written in exercises:
        asked = ("--assignment", NAME, "--signature", signature, "--points", "1.5")
        made = autograder("new", "exercise", name, *asked)
        assert made.returncode == 0, made.stderr
        left = autograder("validate", NAME)
        assert left.returncode == 1
        assert not left.stderr
        snake = read_signature(name, signature).snake
        for path in places(snake).values():
            assert path in made.stdout
            assert f"{path}, line" in left.stdout
        write(taught, snake, written)

    released = autograder("release", NAME)
    assert "2 exercises, 3 points" in released.stdout, released.stderr
    proved = autograder("validate", NAME, "--mutants", "some")
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "10 mistakes: 10 caught, 10 named" in proved.stdout
    for none in ("0 judged wrongly", "0 problems", "0 secrets"):
        assert none in proved.stdout
    tests = run_in(taught, "pytest", "-q", "-p", "no:cacheprovider", f"graders/{MODULE}")
    assert tests.returncode == 0, tests.stdout

    mistakes = taught / places("layer_norm")["mistakes"]
    text = mistakes.read_text(encoding="utf-8")
    kept = text[: text.rindex("    Mistake(")] + ")\n"  # all but the one that changes its input
    mistakes.write_text(kept, encoding="utf-8")
    unproved = autograder("validate", NAME, "--no-notebooks", "--mutants", "none")
    assert unproved.returncode == 1
    assert "the_input_is_left_alone: no known mistake fails this test" in unproved.stdout


def _leave_question_out(root: Path) -> None:
    percent = root / "assignments" / NAME / f"{NAME}.py"
    text = percent.read_text(encoding="utf-8")
    kept = text[: text.index(f"{MARKDOWN}\n# ## Question")].replace("TODO", "Here")
    percent.write_text(kept, encoding="utf-8")
    (root / "solutions" / MODULE / "quiz.toml").unlink()


@pytest.mark.parametrize("assignment", [FIRST, NAME])
def test_whatever_the_signature_all_is_tidy_and_each_file_says_todo(
    taught: Path, assignment: str
) -> None:
    for name, signature in SIGNATURES.items():
        for path in add(taught, assignment, name, signature):
            if path.name != "__init__.py":
                assert "TODO" in path.read_text(encoding="utf-8"), path
    unused = "solutions/**:F401"  # nothing is written yet
    for command in (
        ["check", "--extend-per-file-ignores", unused],
        ["format", "--check", "--diff"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
            cwd=taught,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
    hints = (taught / "assignments" / assignment / "hints.toml").read_text(encoding="utf-8")
    assert tomllib.loads(hints).keys() >= SIGNATURES.keys()
    course = load_course(taught)
    own = course.assignment(assignment)
    assert [one.name for one in own.exercises if one.kind == "code"][-len(SIGNATURES) :] == list(
        SIGNATURES
    )
    assert {one.path.name for one in todos(course, own)} >= {"hidden.py", "gated_block.py"}


def test_templates_use_what_the_assignment_imports(taught: Path) -> None:
    add(taught, FIRST, "row_sums")
    add(taught, NAME, "column_sums")
    first = taught / "graders" / "first_steps" / "row_sums" / "hidden.py"
    second = taught / "graders" / MODULE / "column_sums" / "hidden.py"
    assert "torch" not in first.read_text(encoding="utf-8")
    assert "draw.array" in first.read_text(encoding="utf-8")
    assert "np." not in second.read_text(encoding="utf-8")
    assert "assert_gradients_match" in second.read_text(encoding="utf-8")
    solutions = taught / "solutions" / MODULE / "reference.py"
    assert "def column_sums(x: Tensor) -> Tensor:" in solutions.read_text(encoding="utf-8")


def test_a_class_in_a_numpy_assignment_brings_its_imports(taught: Path) -> None:
    for path in add(taught, FIRST, "Plain", "Plain(width)")[:2]:
        text = path.read_text(encoding="utf-8")
        assert "import numpy as np\nfrom torch import Tensor, nn\n" in text


def test_an_import_is_joined_to_what_is_there(taught: Path) -> None:
    reference = taught / "solutions" / "first_steps" / "reference.py"
    text = reference.read_text(encoding="utf-8")
    reference.write_text(text.replace("\n\n\ndef", "\nfrom torch import Tensor\n\n\ndef"))
    add(taught, FIRST, "Plain", "Plain(width)")
    text = reference.read_text(encoding="utf-8")
    assert text.count("from torch import Tensor, nn\n") == 1
    assert text.count("import") == 2


def test_a_module_without_an_import_gets_one(taught: Path) -> None:
    reference = taught / "solutions" / MODULE / "reference.py"
    reference.write_text('"""Nothing yet."""\n', encoding="utf-8")
    add(taught, NAME, "row_sums")
    assert reference.read_text(encoding="utf-8").startswith(
        '"""Nothing yet."""\n\nimport numpy as np\n\n\ndef row_sums'
    )


def test_a_cell_comes_after_the_last_exercise_or_before_the_first_question(taught: Path) -> None:
    for assignment, before in ((FIRST, "centred"), (NAME, None)):
        add(taught, assignment, "row_sums" if before else "column_sums")
        path = taught / "assignments" / assignment / f"{assignment}.py"
        cells = re.findall(r"^# %%.*$", path.read_text(encoding="utf-8"), re.MULTILINE)
        kinds = [cell for cell in cells if "=" in cell or cell == MARKDOWN]
        declared = [MARKDOWN, *([f'# %% exercise="{before}" points=2', MARKDOWN] if before else [])]
        new = f'# %% exercise="{"row_sums" if before else "column_sums"}" points=2'
        assert kinds[-len(declared) - 3 :] == [*declared, new, MARKDOWN, '# %% quiz="q1" points=1']


REFUSED = {
    ("a b", NAME, None): "cannot be what students write",
    ("class", NAME, None): "cannot be what students write",
    ("q1", NAME, None): "what a question is called",
    ("grad", NAME, None): "the graders' own",
    ("rowSums", NAME, None): "neither a function's name",
    ("Row_Sums", NAME, None): "neither a function's name",
    ("tests", NAME, None): "another file",
    ("f", "02-layer-nom", None): f"Did you mean '{NAME}'?",
    ("centred", NAME, None): "has an exercise 'centred' already",
    ("old", NAME, None): "defines 'old' already",
    ("Centred", NAME, None): "centred.py is there already",
    ("probes", NAME, None): "probes.py is there already",
    ("f", NAME, "g(x)"): "is of 'g', and the exercise is 'f'",
    ("f", NAME, "f(x"): "is no signature",
    ("f", NAME, "f(x) + f(y)"): "is no signature",
    ("f", NAME, "f(*, x)"): "give plain parameters",
    ("f", NAME, "f()"): "takes nothing",
}


def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(taught: Path) -> None:
    (taught / "solutions" / MODULE / "more.py").write_text("def old():\n    pass\n")
    (taught / "graders" / MODULE / "probes.py").write_text('"""Shared."""\n')
    before = _contents(taught)
    for (name, assignment, signature), told in REFUSED.items():
        with pytest.raises(CourseError, match=re.escape(told)):
            add(taught, assignment, name, signature)
    assert _contents(taught) == before


def _contents(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_the_command_names_the_nearest_assignment_and_fails(taught: Path, run_in: Run) -> None:
    asked = ("new", "exercise", "f", "--assignment", "02-layer-nom")
    done = run_in(taught, "autograder", *asked)
    assert done.returncode == 2
    assert f"Did you mean '{NAME}'?" in done.stderr
    lacking = run_in(taught, "autograder", *asked[:3])
    assert "Missing option '--assignment'" in lacking.stderr
