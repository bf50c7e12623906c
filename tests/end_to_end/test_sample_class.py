"""The main job, by the real commands: every mark of the sample class is as it should be."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from marks import DESERVED, by_name, in_gradebook


@pytest.fixture
def marks(sample_class: tuple[Path, dict[str, Any], Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return by_name(sample_class[1])


def test_every_submission_is_there_once(marks: dict) -> None:
    assert sorted(marks) == sorted(DESERVED)


@pytest.mark.parametrize("who", sorted(DESERVED))
def test_marks_are_as_deserved(marks: dict, who: tuple[str, str]) -> None:
    deserved, got = DESERVED[who], marks[who]
    if isinstance(deserved, str):
        assert (got["status"], got["reason"], got["score"]) == ("ungraded", deserved, None)
    else:
        assert got["status"] == "graded"
        assert got["score"] == pytest.approx(deserved, abs=1e-4)


def test_the_perfect_student_has_all_but_what_a_person_reads(marks: dict) -> None:
    for (student, _), one in marks.items():
        if student == "ada":
            exercises = one["exercises"].values()
            on_top = sum(exercise["score"] for exercise in exercises if exercise["bonus"])
            whole = one["max_score"] - one["exercises"]["w1"]["max_score"] + on_top
            assert one["score"] == pytest.approx(whole, abs=1e-4)
            assert one["pending_points"] == one["exercises"]["w1"]["max_score"]
            assert all(exercise["misconception"] is None for exercise in exercises)


def test_the_three_common_mistakes_are_named(marks: dict) -> None:
    first = marks["chloe", "01-attention-by-hand"]["exercises"]
    assert first["scaled_scores"]["misconception"] == "no-scale"
    assert first["attention_weights"]["misconception"] == "softmax-over-queries"
    third = marks["chloe", "03-causal-masking"]["exercises"]["causal_mask"]
    assert third["misconception"] == "mask-transposed"
    assert third["message"]


def test_an_endless_loop_is_a_timeout_and_a_crash_is_a_crash(marks: dict) -> None:
    assert marks["dmitri", "03-causal-masking"]["exercises"]["causal_mask"]["reason"] == "timeout"
    crashed = marks["emeka", "04-multi-head-attention"]["exercises"]
    assert crashed["merge_heads"]["reason"] == "crashed"
    assert "signal 11" in crashed["merge_heads"]["detail"]
    assert crashed["split_heads"]["score"] == crashed["split_heads"]["max_score"]


def test_the_unreadable_notebook_is_told_with_its_line(marks: dict) -> None:
    assert re.match(r"line \d+ is not JSON", marks["fatima", "03-causal-masking"]["detail"])


def test_cuda_checks_are_listed_and_carry_no_points(marks: dict) -> None:
    fused = marks["ada", "05-fused-attention"]["exercises"]["FusedMultiHeadAttention"]
    waiting = [test for test in fused["tests"] if test["outcome"] == "pending"]
    assert waiting
    assert {(test["device"], test["points"]) for test in waiting} == {("cuda", 0.0)}
    assert (fused["score"], fused["max_score"], fused["pending_points"]) == (6, 6, 0)


def test_the_command_says_that_something_is_ungraded(sample_class: tuple) -> None:
    done = sample_class[2]
    assert done.returncode == 1
    assert "fatima" in done.stdout
    assert "bad_notebook" in done.stdout
    assert "14 graded, 1 ungraded" in done.stdout
    assert done.stderr == ""


def test_a_graded_notebook_has_one_style_sheet(sample_class: tuple) -> None:
    notebooks = list((sample_class[0] / "autograded").glob("*/*/*.ipynb"))
    assert notebooks
    assert {path.read_text(encoding="utf-8").count("<style>") for path in notebooks} == {1}


def test_the_gradebook_holds_the_same_marks(sample_class: tuple, marks: dict) -> None:
    grades = in_gradebook(sample_class[0])
    for (student, assignment), one in marks.items():
        for name, exercise in one["exercises"].items():
            written = name == "w1"
            score, due = grades[student, assignment, name if written else f"test_{name}"]
            assert due == (exercise["pending_points"] > 0)
            if written and due:
                assert score is None
            else:
                assert score == pytest.approx(exercise["score"], abs=1e-3)
    assert not [key for key in grades if key[0] == "fatima"]


def test_a_second_run_gives_the_same_marks_from_the_store(sample_class: tuple, run: Any) -> None:
    folder, first, _ = sample_class
    run("autograder", "grade", "01-attention-by-hand", "--json", "again.json", cwd=folder)
    again = by_name(json.loads((folder / "again.json").read_text()))
    for who, one in again.items():
        before = by_name(first)[who]
        assert one["exercises"] == before["exercises"]
        assert one["seconds"] == 0.0


def test_feedback_shows_marks_diagnosis_and_picture(sample_class: tuple, run: Any) -> None:
    folder = sample_class[0]
    done = run("autograder", "feedback", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "14 feedback pages written, 0 failed" in done.stdout
    page = folder / "feedback" / "chloe" / "03-causal-masking" / "03-causal-masking.html"
    text = page.read_text(encoding="utf-8")
    assert "transpose" in text.lower()
    assert re.search(r'<td style="background:#[0-9a-f]{6};color:#ffffff">no</td>', text)


def test_nobody_who_worked_apart_is_shown_as_alike(sample_class: tuple, run: Any) -> None:
    found = run("autograder", "similar", cwd=sample_class[0])
    assert "no pairs shown" in found.stdout, found.stderr
