"""What `autograder report` says of a small graded class, as data and as a page."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hostile_answers import HOSTILE, HOSTILE_NAME
from line_fitting import NAME, by_hand

Told = dict[str, Any]


def exercise(told: Told, name: str) -> Told:
    return {one["name"]: one for one in told["assignments"][0]["exercises"]}[name]


def ids(students: list[Told]) -> set[str]:
    return {one["id"] for one in students}


def test_everyone_is_counted_once(told: Told) -> None:
    turnout = told["assignments"][0]["turnout"]
    assert (turnout["expected"], turnout["graded"]) == (9, 6)
    assert ids(turnout["missing"]) == {"zoe"}
    assert ids(turnout["excused"]) == {"yan"}
    assert ids(turnout["late"]) == {"chloe"}
    (eve,) = turnout["ungraded"]
    assert (eve["student"], eve["reason"]) == ("eve", "bad_notebook")
    assert len(turnout["came"]) == 6  # nothing says when eve came
    assert turnout["came"][0] == "2026-11-18T10:00:00+00:00"


def test_what_waits_for_a_person_is_told_and_takes_nothing_off(told: Told) -> None:
    (waiting,) = told["assignments"][0]["turnout"]["waiting"]
    assert waiting == {
        "exercise": "w1",
        "waits_for": "person",
        "points": 3.0,
        "students": ["ada"],
    }
    assert told["assignments"][0]["distribution"]["quartiles"][-1] == 1.0  # ada, so far


def test_the_misconception_that_most_hold_comes_first(told: Told) -> None:
    first, second = told["misconceptions"][:2]
    assert first["slug"] == "slope-and-intercept-swapped"
    assert ids(first["students"]) == {"ben", "bea", "bob"}
    assert first["of"] == 5  # dora tried nothing
    assert first["places"] == [
        {"assignment": NAME, "exercise": "predict", "answers": 3, "tried": 5}
    ]
    assert first["say"].startswith("Many of you did this, in `predict`: you multiply x by")
    assert first["say"].endswith("which of the two numbers is the line's height?")
    assert first["example"]["student"] in {"ben", "bea", "bob"}
    assert "intercept * x + slope" in first["example"]["text"]
    assert (second["slug"], ids(second["students"])) == ("sum-for-mean", {"chloe"})


def test_figures_are_of_those_who_tried_and_what_was_lost_is_of_all(told: Told) -> None:
    predict = exercise(told, "predict")
    assert (predict["answers"], predict["tried"], predict["full"]) == (6, 5, 2)
    assert 0 < predict["mean"] < 1
    lost = predict["points"] * (3 * (1 - (predict["mean"] * 5 - 2) / 3) + 1) / 6
    assert predict["lost"] == pytest.approx(lost, abs=1e-4)


def test_exercises_that_cost_most_come_first(told: Told) -> None:
    lost = [one["lost"] for one in told["assignments"][0]["exercises"]]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 0


def test_a_mark_by_hand_is_in_the_next_report(
    reported_class: Path, run: Any, tmp_path: Path
) -> None:
    course = Path(shutil.copytree(reported_class, tmp_path / "marked"))
    by_hand(course, "ada", "w1", manual_score=3.0)
    done = run("autograder", "report", NAME, "--output", "again.html", cwd=course)
    assert done.returncode == 0, done.stderr
    assert "0 answers waiting" in done.stdout
    assert '<h3 id="waiting' not in (course / "again.html").read_text(encoding="utf-8")


def test_nothing_of_students_is_markup_on_the_page(reported_class: Path) -> None:
    page = (reported_class / "report.html").read_text(encoding="utf-8")
    assert f'<h3 id="waiting-{NAME}"' in page
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;script&gt;alert(2)" in page
    assert HOSTILE not in page
    assert HOSTILE_NAME not in page
    assert "<script" not in page


def test_nothing_runs_and_nothing_is_fetched_for_the_page(
    reported_class: Path, chromium: Any
) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: said.append(message.text))
    address = (reported_class / "report.html").as_uri()
    page.goto(address)
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    assert page.locator("pre").first.inner_text().endswith(f"# {HOSTILE}")
    assert page.locator("svg.plot").count() == 2
    assert (asked, said) == ([address], [])
    page.close()


def test_a_phone_needs_no_scrolling_sideways(reported_class: Path, chromium: Any) -> None:
    page = chromium.new_page(viewport={"width": 375, "height": 700})
    page.goto((reported_class / "report.html").as_uri())
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["01-linefitting"], "no assignment '01-linefitting'. Did you mean '01-line-fitting'?"),
        (["--output", "nowhere/page.html"], "--output: there is no folder"),
    ],
)
def test_what_cannot_be_done_is_said(
    reported_class: Path, run: Any, arguments: list[str], words: str
) -> None:
    done = run("autograder", "report", *arguments, cwd=reported_class)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_course_without_a_submission_has_nothing_to_report(
    make_line_fitting: Any, run: Any, tmp_path: Path
) -> None:
    done = run("autograder", "report", cwd=make_line_fitting(tmp_path / "course"))
    assert done.returncode == 2
    assert "nobody has handed in anything" in done.stderr
    assert not (tmp_path / "course" / "report.html").exists()
