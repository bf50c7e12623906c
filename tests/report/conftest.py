"""A small class with everything that a report tells, graded by the real commands."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_answers import HOSTILE_NAME, SUM, SWAPPED
from line_fitting import NAME, all_right, cell_of, hand_in, keep, released

ROSTER = f"""\
id,name,email,section
ada,"Lovelace, Ada",ada@example.org,A
ben,"{HOSTILE_NAME}",ben@example.org,A
bea,"Öztürk, Béa",bea@example.org,B
bob,,bob@example.org,B
chloe,"Ng, Chloé",chloe@example.org,A
dora,"D'Or, Dora",dora@example.org,B
eve,"Eve ""E"" Eve",eve@example.org,B
zoe,"Ångström, Zoë",zoe@example.org,B
yan,"Yan, Y.",yan@example.org,A
"""


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in its own
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that share the class in one process of `pytest -n`."""
    for item in items:
        if "reported_class" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("reported_class"))


@pytest.fixture(scope="session")
def reported_class(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Graded, with report.html and report.json.

    ada has all right but waits for a person; ben, bea and bob have swapped slope and intercept;
    chloe adds up squares where a mean belongs, and is late; dora handed in what she was given;
    eve's notebook is none; zoe handed in nothing, and yan is excused.
    """
    course = make_line_fitting(tmp_path_factory.mktemp("reported") / "course")
    keep(course, "predict", "mean_squared_error", "q1", "w1")
    done = run("autograder", "release", cwd=course)
    assert done.returncode == 0, done.stderr
    (course / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (course / "extensions.csv").write_text(
        f"student,assignment,until\nyan,{NAME},excused\nchloe,{NAME},2026-11-20T12:00+00:00\n"
    )
    for day, (student, answers) in enumerate(_answers(), 18):
        notebook = released(course) if answers is None else all_right(course, student)
        for name, text in (answers or {}).items():
            cell_of(notebook, name).source = text
        hand_in(course, student, notebook, f"2026-11-{day} 10:00:00 UTC")
    notebook_of_eve = hand_in(course, "eve", released(course)) / f"{NAME}.ipynb"
    notebook_of_eve.write_text("{no notebook")
    graded = run("autograder", "grade", cwd=course)
    assert "6 graded, 1 ungraded" in graded.stdout, graded.stdout + graded.stderr
    reported = run("autograder", "report", "--json", "report.json", cwd=course)
    assert reported.returncode == 0, reported.stderr
    return course


def _answers() -> Iterator[tuple[str, dict[str, str] | None]]:
    yield "ada", {"w1": "Each step goes further than the one before it."}
    for student in ("ben", "bea", "bob"):
        yield student, {"predict": SWAPPED}
    yield "chloe", {"mean_squared_error": SUM}
    yield "dora", None


@pytest.fixture(scope="session")
def told(reported_class: Path) -> dict[str, Any]:
    """The report as data."""
    return json.loads((reported_class / "report.json").read_text(encoding="utf-8"))
