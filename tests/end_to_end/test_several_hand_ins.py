"""Students who hand in several times: the last counts, or the best, and none is lost.

The tests of a course tell one story, in the order in which they stand.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, all_right, by_hand, cell_of, gradebook, hand_in, keep, released

from autograder.course import load_course
from autograder.gradebook.counting import take_in
from autograder.notebooks import hand_ins

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("several hand-ins")]

SETTINGS = f"""
c.HandIns.counts = "{{}}"
c.HandIns.due = {{{{"{NAME}": "2026-11-20T12:00+00:00"}}}}
c.LateSubmissionPlugin.penalty_method = "zero"
"""


@pytest.fixture(scope="module")
def make(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    def make(counts: str) -> Path:
        root = make_line_fitting(tmp_path_factory.mktemp(counts) / "course")
        with (root / "course_config.py").open("a", encoding="utf-8") as config:
            config.write(SETTINGS.format(counts))
        keep(root, "predict", "mean_squared_error")
        assert run("autograder", "release", NAME, cwd=root).returncode == 0
        return root

    return make


@pytest.fixture(scope="module")
def best(make: Callable[[str], Path]) -> Path:
    return make("best")


@pytest.fixture(scope="module")
def last(make: Callable[[str], Path]) -> Path:
    return make("last")


def half(root: Path) -> Any:
    """Half of the marks: one of two exercises is not begun."""
    notebook = all_right(root, "ada")
    cell_of(notebook, "predict").source = cell_of(released(root), "predict").source
    return notebook


def grade(root: Path, run: Any) -> tuple[dict[str, Any], Any]:
    done = run("autograder", "grade", "--json", "marks.json", cwd=root)
    found = json.loads((root / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in found}, done


def counted(root: Path, student: str = "ada") -> str:
    """What lies in submitted/."""
    return (root / "submitted" / student / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")


def kept(root: Path, student: str = "ada") -> list[hand_ins.HandIn]:
    return hand_ins.kept(root, student, NAME)


def test_one_hand_in_is_kept_and_said_nothing_of(best: Path, run: Any) -> None:
    hand_in(best, "ada", half(best), "2026-11-19 12:00:00 UTC")
    hand_in(best, "ben", half(best))
    marks, done = grade(best, run)
    assert (marks["ada"]["score"], marks["ada"]["notes"]) == (2.0, [])
    assert [one.moment for one in kept(best)] == [datetime(2026, 11, 19, 12, tzinfo=UTC)]
    assert len(kept(best, "ben")) == 1
    assert "hand-in" not in done.stdout


def test_the_best_stays_where_a_later_one_is_worse(best: Path, run: Any) -> None:
    before = counted(best)
    hand_in(best, "ada", released(best), "2026-11-19 13:00:00 UTC")
    marks, done = grade(best, run)
    assert marks["ada"]["score"] == 2.0
    assert marks["ada"]["notes"][0].startswith("the best of 2 hand-ins counts, number 1, of 2026")
    assert "the best of 2 hand-ins counts" in " ".join(done.stdout.split())
    assert counted(best) == before
    assert len(kept(best)) == 2
    with gradebook(best) as book:
        assert str(book.find_submission(NAME, "ada").timestamp) == "2026-11-19 12:00:00"


def test_what_comes_late_is_the_best_only_where_that_costs_less(best: Path, run: Any) -> None:
    hand_in(best, "ada", all_right(best, "ada"), "2026-11-20 12:00:01 UTC")
    assert grade(best, run)[0]["ada"]["score"] == 2.0
    granted = f"student,assignment,until\nada,{NAME},2026-11-21T12:00+00:00\n"
    (best / "extensions.csv").write_text(granted)
    marks, _ = grade(best, run)
    assert (marks["ada"]["score"], marks["ada"]["late_penalty"]) == (4.0, 0.0)
    assert "number 3" in marks["ada"]["notes"][0]
    assert len(kept(best)) == 3


def test_what_cannot_be_graded_is_never_the_best_and_is_kept(best: Path, run: Any) -> None:
    folder = best / "submitted" / "ada" / NAME
    (folder / f"{NAME}.ipynb").write_text("{ broken")
    (folder / "timestamp.txt").write_text("2026-11-20 14:00:00 UTC\n")
    marks, done = grade(best, run)
    assert done.returncode == 0, done.stdout
    assert marks["ada"]["score"] == 4.0
    assert (kept(best)[-1].folder / f"{NAME}.ipynb").read_text() == "{ broken"


def test_the_page_is_of_the_one_that_counts(best: Path, run: Any) -> None:
    assert run("autograder", "feedback", cwd=best).returncode == 0
    page = (best / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "<b>4</b> of 4 points" in page


def test_nothing_is_written_again_where_nothing_has_come_and_marks_by_hand_stay(
    best: Path, run: Any
) -> None:
    by_hand(best, "ada", "test_predict", extra_credit=0.5)
    paths = [*(best / "submitted").rglob("*"), *(best / "hand_ins").rglob("*")]
    before = {path: path.stat().st_mtime_ns for path in paths}
    assert grade(best, run)[0]["ada"]["score"] == 4.5
    assert {path: path.stat().st_mtime_ns for path in paths} == before


def test_the_last_counts_whatever_it_is_worth(last: Path, run: Any) -> None:
    hand_in(last, "ada", all_right(last, "ada"), "2026-11-19 12:00:00 UTC")
    assert grade(last, run)[0]["ada"]["score"] == 4.0
    hand_in(last, "ada", half(last), "2026-11-19 13:00:00 UTC")
    marks, _ = grade(last, run)
    assert (marks["ada"]["score"], len(kept(last))) == (2.0, 2)
    assert "the last of 2 hand-ins counts" in marks["ada"]["notes"][0]


def test_an_older_version_that_is_handed_in_again_is_the_last(last: Path, run: Any) -> None:
    hand_in(last, "ada", all_right(last, "ada"), "2026-11-19 14:00:00 UTC")
    assert (grade(last, run)[0]["ada"]["score"], len(kept(last))) == (4.0, 3)


def test_what_a_service_puts_among_the_hand_ins_is_graded(
    last: Path, run: Any, tmp_path: Path
) -> None:
    source = tmp_path / "upload"
    for student in ("ada", "cy"):
        source.mkdir(exist_ok=True)
        (source / f"{NAME}.ipynb").write_text(json.dumps(half(last)), encoding="utf-8")
        hand_ins.keep(last, student, NAME, source, datetime(2026, 11, 19, 15, tzinfo=UTC), 2**20)
    marks, _ = grade(last, run)
    assert {student: one["score"] for student, one in marks.items()} == {"ada": 2.0, "cy": 2.0}
    with gradebook(last) as book:  # nothing says when it came, so nothing is late
        assert book.find_submission(NAME, "cy").timestamp is None
        assert book.find_submission(NAME, "ada").timestamp is None


@pytest.mark.parametrize("stopped", ["before", "between", "after"])
def test_whoever_is_stopped_while_one_is_put_there_loses_none(last: Path, stopped: str) -> None:
    """The three states that a kill can leave behind: of the note, and of the two renames."""
    place, before = last / "submitted" / "ada" / NAME, kept(last)
    note = last / ".autograder" / "counted" / "ada" / f"{NAME}.json"
    lies, other = before[-1], before[0]
    names = [lies.name, other.name] if stopped == "after" else [other.name, lies.name]
    note.write_text(json.dumps(names))
    if stopped == "between":
        place.rename(place.with_name(f".{NAME}.old"))
    (ada,) = [one for one in take_in(load_course(last), [NAME]) if one.student == "ada"]
    assert list(ada.hand_ins) == before
    assert counted(last) == (lies.folder / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert json.loads(note.read_text()) == [lies.name]
