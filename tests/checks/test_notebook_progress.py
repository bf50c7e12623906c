"""How a notebook stands is told by the last checks of what is bound now."""

import json

import pytest

from autograder.checks.kit import notebook
from autograder.checks.kit.checking import Checked, Looked
from autograder.checks.kit.progress import ALL_DONE, in_lines, standing
from autograder.checks.kit.running import Finding

HERE = ["causal_mask", "padding_mask", "split_heads"]
ANSWER = {"nbgrader": {"grade": True, "solution": True, "grade_id": "w1"}}


@pytest.fixture
def saved(monkeypatch, tmp_path):
    """A notebook beside the checks, with these exercises in this order and a written answer."""

    def save(answer: str) -> None:
        cells = [
            {
                "cell_type": "code",
                "metadata": {},
                "source": f'from checks import check\n\ncheck("{name}")',
            }
            for name in reversed(HERE)
        ]
        cells.append({"cell_type": "markdown", "metadata": ANSWER, "source": answer})
        (tmp_path / "mine.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")

    monkeypatch.setattr(notebook, "FOLDER", tmp_path)
    monkeypatch.setattr("autograder.checks.kit.discovery.exercises_here", lambda: HERE)
    save("*Write your answer here.*")
    return save


def passed(name: str, bound: object) -> Checked:
    return Checked(Looked(name, "", [Finding("It holds.", True, "", "")], None, None), bound)


def failed(name: str, bound: object) -> Checked:
    findings = [Finding("It holds.", True, "", ""), Finding("So.", False, "", "", "", "Look here.")]
    return Checked(Looked(name, "", findings, None, "fails"), bound)


@pytest.mark.usefixtures("saved")
def test_nothing_is_done_before_a_check_has_run():
    assert [part.state for part in standing({}, {})] == ["not yet"] * 4


@pytest.mark.usefixtures("saved")
def test_parts_stand_in_the_notebooks_order_with_what_is_next():
    def one() -> None: ...

    bound = dict.fromkeys(HERE, one)
    checks = {
        "split_heads": passed("split_heads", one),
        "padding_mask": failed("padding_mask", one),
    }
    assert in_lines(standing(checks, bound)) == [
        ("Done (1)", "split_heads"),
        (
            "Not yet (3)",
            "padding_mask (1 of 2 checks pass), causal_mask (not checked), "
            "w1 (empty when last saved)",
        ),
        ("Next", "padding_mask. Look here."),
    ]


@pytest.mark.usefixtures("saved")
def test_what_has_changed_since_its_check_is_not_done():
    checks = {"split_heads": passed("split_heads", lambda: 1)}
    part = standing(checks, {"split_heads": lambda: 1})[0]
    assert (part.state, part.says) == ("not yet", "changed since its check")


def test_all_is_done_when_the_answer_in_words_is_saved_too(saved):
    checks = {name: passed(name, 1) for name in HERE}
    bound = dict.fromkeys(HERE, 1)
    assert in_lines(standing(checks, bound))[-1][1].startswith("Write your answer to w1")
    saved("Because it leaks.")
    assert in_lines(standing(checks, bound))[-1] == ("Next", ALL_DONE)
