"""`autograder similar` on a graded class: who shares rare things, in words, and who does not."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME
from similar_class import GIVER, MEMBER, TAKER, TEAM, TURNED, make_class

from autograder.checks.kit.plain_text import is_seen
from autograder.course import load_course
from autograder.similar import Pair, Similarity, similarity_of
from autograder.similar.words import one_in


@pytest.fixture(scope="module")
def course(
    tmp_path_factory: pytest.TempPathFactory,
    make_line_fitting: Callable[[Path], Path],
    run: Callable,
) -> Path:
    """The course after `grade` and `similar`."""
    course = make_line_fitting(tmp_path_factory.mktemp("similar") / "course")
    assert run("autograder", "release", NAME, cwd=course).returncode == 0
    make_class(course)
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stderr
    done = run("autograder", "similar", NAME, "--json", "similar.json", cwd=course)
    assert done.returncode == 0, done.stderr
    assert "190 pairs of 20 submitters compared; 1 pair shown" in done.stdout
    assert "A reason to look, not a verdict" in done.stdout
    return course


@pytest.fixture(scope="module")
def found(course: Path) -> Similarity:
    return similarity_of(load_course(course), [NAME])


@pytest.fixture(scope="module")
def pair(found: Similarity) -> Pair:
    (pair,) = found.pairs
    return pair


def test_only_the_pair_that_shares_rare_things_is_shown(pair: Pair) -> None:
    assert pair.students == (TAKER, GIVER)


def test_what_is_shared_is_told_with_how_rare_it_is(pair: Pair) -> None:
    told = {(one.kind, one.exercise) for one in pair.shared}
    assert {("answer", "predict"), ("answer", "gradient")} <= told
    assert ("comment", "") in told
    assert ("name", "") in told
    assert {one.what for one in pair.shared if one.kind == "name"} == {"zeppelin"}
    answer = next(one for one in pair.shared if one.exercise == "gradient")
    assert (answer.holders, answer.among) == (2, 20)


def test_numbers_of_another_are_told_with_whose_they_are(pair: Pair) -> None:
    numbers = [one for one in pair.shared if one.kind == "numbers"]
    assert numbers
    assert {one.giver for one in numbers} == {GIVER}
    assert all(one.holders < one.among for one in numbers)


def test_members_of_a_group_are_no_pair(found: Similarity) -> None:
    handed_in = found.answers[NAME]
    theirs, own = handed_in[TEAM], handed_in[MEMBER]
    assert theirs["gradient"].loose == own["gradient"].loose
    assert all({TEAM, MEMBER} != set(one.students) for one in found.pairs)


def test_the_data_say_what_the_page_does(course: Path, pair: Pair) -> None:
    data = json.loads((course / "similar.json").read_text(encoding="utf-8"))
    assert (data["submitters"], data["pairs_compared"]) == (20, 190)
    (one,) = data["pairs"]
    assert one["students"] == [TAKER, GIVER]
    assert one["names"] == [f"Zoë{TURNED} Brontë ({TAKER})", f"Ünal O'Brien ({GIVER})"]
    assert one["sections"] == ["B", "A"]
    assert one["bits"] == round(pair.bits, 2)
    assert len(one["shared"]) == len(pair.shared)


def test_the_page_accuses_nobody_and_shows_both_answers(course: Path) -> None:
    page = (course / "similar.html").read_text(encoding="utf-8")
    assert "A reason to look, not a verdict" in page
    assert not re.search("cheat|plagiar|suspect|guilt|copied from", page, re.IGNORECASE)
    assert page.count("<figure>") == 4
    assert "<mark>zeppelin</mark>" in page
    assert "Sections B and A" in page
    assert "zoë, b" in page
    assert "The height of" not in page  # what students were given stands there for neither


def test_what_would_turn_the_page_round_is_a_mark_in_names_and_in_code(course: Path) -> None:
    page = (course / "similar.html").read_text(encoding="utf-8")
    assert "Zoë\ufffd[2J\ufffd Brontë" in page
    assert "# \ufffd[2J\ufffd" in page
    assert all(is_seen(one) or one in "\n\t" for one in page)


def test_a_class_that_worked_apart_shows_nobody(
    course: Path, tmp_path: Path, run: Callable
) -> None:
    alone = tmp_path / "course"
    shutil.copytree(course, alone)
    for student in (GIVER, MEMBER):
        shutil.rmtree(alone / "submitted" / student)
    done = run("autograder", "similar", cwd=alone)
    assert done.returncode == 0, done.stderr
    assert "153 pairs of 18 submitters compared; no pairs shown" in done.stdout
    page = (alone / "similar.html").read_text(encoding="utf-8")
    assert "No pair shares more than chance explains." in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["01-line-fiting"], "Did you mean '01-line-fitting'?"),
        (["--output", "nowhere/page.html"], "--output: there is no folder"),
        (["--json", "nowhere/data.json"], "--json: there is no folder"),
    ],
)
def test_what_cannot_be_done_is_told(
    course: Path, run: Callable, arguments: list[str], said: str
) -> None:
    done = run("autograder", "similar", *arguments, cwd=course)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_nothing_to_compare_is_told(
    tmp_path: Path, make_line_fitting: Callable[[Path], Path], run: Callable
) -> None:
    done = run("autograder", "similar", cwd=make_line_fitting(tmp_path / "course"))
    assert done.returncode == 2
    assert "There is nothing to compare" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1200])
def test_the_page_has_no_barrier_and_fits(
    course: Path, chromium: Any, scheme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = chromium.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((course / "similar.html").as_uri())
    assert len(asked) == 1  # the page itself
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_chance_is_told_in_round_numbers() -> None:
    assert one_in(10) == "about 1 in 1,000"
    assert one_in(13.6) == "about 1 in 12,000"
    assert one_in(40) == "fewer than 1 in a million"
