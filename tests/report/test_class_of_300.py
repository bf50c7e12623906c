"""A class of 300 made of known answers, with one misconception spread on purpose."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from small_curriculum import shrink

from autograder.bank import mistakes, variants
from autograder.judging.answers import reference_source, source_of
from autograder.notebooks.sanitise import grade_id

pytestmark = pytest.mark.slow

NAME = "01-attention-by-hand"
CODE = ("dot_product_scores", "scaled_scores", "attention_weights")
SPREAD, WHERE = "softmax-over-queries", "attention_weights"
SIZE, HOLDERS, NOTEBOOKS = 300, 75, 40


def test_the_report_finds_it_first_with_everyone_who_holds_it(
    run: Any, make_course: Callable[[Path], Path], tmp_path: Path
) -> None:
    course = make_course(tmp_path / "course")
    shrink(course, {NAME: [*CODE, "q1"]})
    released = run("autograder", "release", cwd=course)
    assert released.returncode == 0, released.stderr
    holders = _hand_in(course)
    graded = run("autograder", "grade", cwd=course)
    assert f"{SIZE} graded, 0 ungraded" in graded.stdout, graded.stdout[-2000:]

    done = run("autograder", "report", "--json", "report.json", cwd=course)

    assert done.returncode == 0, done.stderr
    told = json.loads((course / "report.json").read_text(encoding="utf-8"))
    first, second = told["misconceptions"][:2]
    assert first["slug"] == SPREAD
    assert {one["id"] for one in first["students"]} == holders
    assert first["places"][0]["exercise"] == WHERE
    assert len(second["students"]) < HOLDERS / 2
    lost = {one["name"]: one["lost"] for one in told["assignments"][0]["exercises"]}
    assert max(CODE, key=lost.__getitem__) == WHERE
    assert f"{HOLDERS} of {SIZE} students: {SPREAD}." in done.stdout


def _hand_in(course: Path) -> set[str]:
    """Hand in for everyone; gives the holders. Many hand in the same, which is judged once."""
    dice = random.Random(300)
    notebook = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    spread = [source_of(one) for one in mistakes(WHERE) if one.slug == SPREAD]
    right = {one: [reference_source(one), *map(source_of, variants(one))] for one in CODE}
    wrong = {
        one: [source_of(it) for it in mistakes(one) if it.slug != SPREAD and not it.costs_nothing]
        for one in CODE
    }
    notebooks: dict[bool, list[str]] = {True: [], False: []}
    for number in range(NOTEBOOKS):
        holds = number < NOTEBOOKS // 4
        for cell in notebook.cells:
            name = grade_id(cell)
            if name in CODE:
                is_right = dice.random() < 0.7
                cell.source = dice.choice(right[name] if is_right else wrong[name])
                if holds and name == WHERE:
                    cell.source = spread[number % len(spread)]
        notebooks[holds].append(nbformat.writes(notebook))
    holders = {f"s{number:03}" for number in dice.sample(range(SIZE), HOLDERS)}
    for number in range(SIZE):
        student = f"s{number:03}"
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        text = dice.choice(notebooks[student in holders])
        (folder / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    return holders
