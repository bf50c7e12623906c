"""A small class with answers that go wrong in different ways, graded by the real commands."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from line_fitting import all_right, by_hand, cell_of, hand_in, released
from submitted_cells import WRONG

MARK = "---- the next cell"


@pytest.fixture(scope="session")
def disputed(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The second course, graded: ada has all right, noor began one exercise."""
    course = make_line_fitting(tmp_path_factory.mktemp("disputed") / "course")
    config = course / "course_config.py"
    limits = "\nc.SubmissionLimits.call_seconds = 1\n"
    config.write_text(config.read_text(encoding="utf-8") + limits, encoding="utf-8")
    (course / "roster.csv").write_text("id,name\nkim,Kim Ly\nada,Ada L.\n", encoding="utf-8")
    done = run("autograder", "release", cwd=course)
    assert done.returncode == 0, done.stderr
    for student in ("ada", *WRONG):
        notebook = all_right(course, student)
        for name, source in WRONG.get(student, {}).items():
            cell_of(notebook, name).source = source
        cell_of(notebook, "w1").source = "Each step goes further than the one before it."
        hand_in(course, student, notebook)
    untouched = all_right(course, "jun")
    cell_of(untouched, "predict").source = "def predict(x, slope, intercept):\n" + (
        "    raise NotImplementedError"
    )
    hand_in(course, "jun", untouched)
    one_wrong = released(course)
    cell_of(one_wrong, "predict").source = WRONG["chloe"]["predict"]
    hand_in(course, "noor", one_wrong)
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    by_hand(course, "jun", "test_predict", comment="Came to my office.", manual_score=1.5)
    return course


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[str]]:
    """Run cells below others in a fresh Python, as a notebook would; gives what each prints."""
    folder = tmp_path_factory.mktemp("pasted")

    def ran(above: Sequence[str], cells: Sequence[str]) -> list[str]:
        file = folder / "pasted.py"
        file.write_text("\n\n".join([*above, *[f"print({MARK!r})\n{cell}" for cell in cells]]))
        done = subprocess.run(
            [sys.executable, "-I", str(file)], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split(f"{MARK}\n")[1:]

    return ran
