"""The comparison with other graders: its attacks, its counts, and this project's own column."""

import ast
import sys
from pathlib import Path

import nbformat
import pytest

from benchmarks.compare_security import report
from benchmarks.compare_security.catalogue import ATTACKS, HERE, HONEST, TOOLS, Attack
from benchmarks.compare_security.outcome import Outcome
from benchmarks.compare_security.submission import hand_in
from benchmarks.compare_security.this_project import ThisProject
from benchmarks.compare_security.workbench import Workbench, listening

pytestmark = pytest.mark.slow

EVERYTHING = (*HONEST, *ATTACKS)
PLACES = dict.fromkeys(("home", "port", "tool", "course", "project"), "/nowhere")
TITLES = ("one", "two", "three")
BY_NAME = {attack.name: attack for attack in EVERYTHING}


@pytest.fixture
def outcomes() -> dict[tuple[str, str], Outcome]:
    """Everything as it should be: the honest get what they deserve, the others nothing."""
    return {
        (tool, attack.name): Outcome(attack.deserves or 0.0)
        for attack in EVERYTHING
        for tool in TOOLS
    }


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("attack", EVERYTHING, ids=lambda attack: attack.name)
def test_every_attack_is_python_for_every_grader(attack: Attack, tool: str) -> None:
    source = attack.source(tool, PLACES)
    names = {node.name for node in ast.walk(ast.parse(source)) if hasattr(node, "name")}
    assert "causal_mask" in names
    assert not [word for word in PLACES if f"@{word}@" in source]
    assert "# for" not in source


def test_every_cell_and_every_file_beside_a_notebook_is_used() -> None:
    cells = {path.name for path in (HERE / "cells").glob("*.py")}
    assert cells == {attack.cell for attack in EVERYTHING}
    beside = {path.name for path in (HERE / "beside").glob("*.py")}
    assert beside == {attack.beside for attack in EVERYTHING if attack.beside}


def test_what_is_written_for_one_grader_is_not_given_to_another() -> None:
    attack = BY_NAME["write_marks"]
    assert "otter.execute" in attack.source("otter", PLACES)
    assert "otter" not in attack.source("nbgrader", PLACES)
    assert "/nowhere/gradebook.db" in attack.source("ours", PLACES)


@pytest.mark.parametrize("name", ["skip_tag", "copied_cells", "raised_points"])
def test_an_edit_changes_the_graded_cells(name: str, course_root: Path, tmp_path: Path) -> None:
    released = course_root / "release/03-causal-masking/03-causal-masking.ipynb"
    path = hand_in(BY_NAME[name], "ours", PLACES, released, tmp_path / "new")
    before, after = (nbformat.read(one, as_version=4) for one in (released, path))
    graded = [
        [cell for cell in one.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        for one in (before, after)
    ]
    assert len(graded[0]) == 20
    assert graded[1] != graded[0]


def test_a_mark_or_a_secret_for_an_attacker_is_counted(outcomes: dict) -> None:
    assert report.succeeded(outcomes, "ours") == []
    outcomes["ours", "skip_tag"] = Outcome(0.25)
    outcomes["ours", "read_environment"] = Outcome(0.0, reached=True)
    assert report.succeeded(outcomes, "ours") == ["skip_tag", "read_environment"]
    assert report.counts(outcomes, TITLES).endswith("one 0, two 0, three 2.")
    assert "**0.25/2**" in report.markdown(outcomes, TITLES)
    assert "**0/2, shown**" in report.markdown(outcomes, TITLES)


def test_an_honest_answer_without_its_marks_makes_the_comparison_unfair(outcomes: dict) -> None:
    assert report.unfair(outcomes) == []
    outcomes["otter", "honest_right"] = Outcome(None, note="it did not start")
    outcomes["nbgrader", "honest_wrong"] = Outcome(1.0)
    assert report.unfair(outcomes) == [
        "an honest right answer got ungraded from otter",
        "an honest wrong answer got 1/2 from nbgrader",
    ]


def test_this_project_gives_an_attacker_nothing_and_the_honest_full_marks(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with listening() as listener:
        scripts = Path(sys.executable).parent
        ours = ThisProject(Workbench("ours", tmp_path / "ours", scripts, listener))
        ours.prepare()
        graded = ours.grade((BY_NAME["honest_right"], BY_NAME["read_environment"]))
    assert graded["honest_right"].score == 2.0
    assert graded["read_environment"] == Outcome(0.0)
    assert "seccomp" in ours.isolation
