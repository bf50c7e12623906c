"""`autograder validate` finds a hole that no known mistake points at, and reasons out of date."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME, keep

pytestmark = pytest.mark.slow

GRADERS = Path("graders", "line_fitting")
HIDDEN = GRADERS / "normal_equation" / "hidden.py"
MISTAKES = GRADERS / "normal_equation" / "mistakes.py"
EQUIVALENTS = GRADERS / "equivalents.toml"
ALONE = "test_equal_x_are_refused"  # no other test asks for an error
ASKED = ("equal-x-accepted", "equal-x-return-nothing")  # the known mistakes that it is for
WALKS = "walked-not-solved"  # by an exercise that the course does not have here
RAISES = 'raise ValueError("All x are equal: a line needs two different ones.")'
RETURNS = "return slope, np.mean(y) - slope * np.mean(x)"
OUTDATED = f"""
[[normal_equation]]
reason = "A reason that was never a good one."
line = "{RETURNS}"
becomes = ["{RETURNS.replace("-", "+")}", "return 7"]
"""


@pytest.fixture(scope="module")
def whole(
    make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The second course with one of its exercises, which is proved."""
    root = make_line_fitting(tmp_path_factory.mktemp("course"))
    keep(root, "normal_equation")
    leave_out(root / MISTAKES, WALKS)
    return root


@pytest.fixture
def course(whole: Path, tmp_path: Path) -> Path:
    """The course again, for a test to spoil."""
    return Path(shutil.copytree(whole, tmp_path / "course"))


def leave_out(path: Path, *names: str) -> None:
    """Take tests of these names, or mistakes of these slugs, out of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", "") not in names]
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            listed = [(one, ast.unparse(one)) for one in node.value.elts]
            node.value.elts = [one for one, text in listed if not any(n in text for n in names)]
    path.write_text(ast.unparse(tree), encoding="utf-8")


def validate(course: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "validate", NAME, "--no-notebooks"],
        cwd=course,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not done.stderr
    return done.returncode, done.stdout


def counts(told: str) -> list[str]:
    """The exercise's row in what was told, column by column."""
    return next(line for line in told.splitlines() if line.startswith(" normal_equation")).split()


def test_without_a_hole_all_mutants_are_killed(course: Path) -> None:
    status, told = validate(course)
    assert status == 0, told
    killed, all_of_them = counts(told)[-1].split("/")
    assert killed == all_of_them
    assert int(killed) > 20


def test_a_hole_in_a_grader_is_found_by_its_mutant(course: Path) -> None:
    leave_out(course / HIDDEN, ALONE)
    leave_out(course / MISTAKES, *ASKED)
    status, told = validate(course)
    assert status == 1
    one_line = " ".join(told.split())
    assert f"`{RAISES}` -> `pass`: no test sees this change" in one_line
    assert told.splitlines()[-1].startswith("WRONG  "), "what is wrong is not said at the end"
    assert "mistake" not in one_line[one_line.index("WRONG") :]
    killed, left = counts(told)[-2:]
    assert killed == "44/47"
    assert left == "0/3"


def test_a_reason_is_out_of_date_when_its_mutant_is_gone_or_killed(course: Path) -> None:
    with (course / EQUIVALENTS).open("a", encoding="utf-8") as file:
        file.write(OUTDATED)
    status, told = validate(course)
    assert status == 1
    one_line = " ".join(told.split())
    assert "loses marks, though equivalents.toml says of it: A reason that was" in one_line
    assert "normal_equation: no mutant is 'return 7' any more" in one_line
