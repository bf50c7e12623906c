"""`autograder validate` finds a hole that no known mistake points at, and reasons out of date."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NAME = "03-causal-masking"
GRADERS = "graders/causal_masking/masks/hidden.py"
EQUIVALENTS = "graders/causal_masking/equivalents.toml"
ALONE = "test_the_device_asked_for_is_obeyed"  # no other test looks at the device
RETURNS = "return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()"
NO_DEVICE = RETURNS.replace(", device=device", "")
OUTDATED = f"""
[[causal_mask]]
reason = "A reason that was never a good one."
line = "{RETURNS}"
becomes = ["{RETURNS.replace("tril", "triu")}", "return torch.ones(7)"]
"""


@pytest.fixture(scope="module")
def course(
    make_small_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A small course whose graders can be spoilt."""
    return make_small_course(tmp_path_factory.mktemp("course"))


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


@pytest.mark.xdist_group("validate")
def test_without_a_hole_all_mutants_are_killed(course: Path) -> None:
    status, told = validate(course)
    assert status == 0, told
    row = next(line for line in told.splitlines() if line.startswith(" causal_mask"))
    killed, waiting = row.split()[-3:-2], row.split()[-2:]
    assert killed == ["8/8"]
    assert waiting == ["1", "wait"]


@pytest.mark.xdist_group("validate")
def test_a_hole_in_a_grader_is_found_by_its_mutant(course: Path) -> None:
    path = course / GRADERS
    whole = path.read_text(encoding="utf-8")
    tree = ast.parse(whole)
    tree.body = [node for node in tree.body if getattr(node, "name", "") != ALONE]
    path.write_text(ast.unparse(tree), encoding="utf-8")
    try:
        status, told = validate(course)
    finally:
        path.write_text(whole, encoding="utf-8")
    assert status == 1
    one_line = " ".join(told.split())
    assert f"`{RETURNS}` -> `{NO_DEVICE}`: no test sees this change" in one_line
    assert told.splitlines()[-1].startswith("WRONG  "), "what is wrong is not said at the end"
    row = next(line for line in told.splitlines() if line.startswith(" causal_mask"))
    assert row.split()[-4:-2] == ["7/8", "0/1"]


@pytest.mark.xdist_group("validate")
def test_a_reason_is_out_of_date_when_its_mutant_is_gone_or_killed(course: Path) -> None:
    path = course / EQUIVALENTS
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + OUTDATED, encoding="utf-8")
    try:
        status, told = validate(course)
    finally:
        path.write_text(whole, encoding="utf-8")
    assert status == 1
    one_line = " ".join(told.split())
    assert "loses marks, though equivalents.toml says of it: A reason that was" in one_line
    assert "causal_mask: no mutant is 'return torch.ones(7)' any more" in one_line
