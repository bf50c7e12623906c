"""What is understood: marks by aspect, above the checklist."""

from dataclasses import replace

from samples import result

from autograder.course.reveal import Reveal
from autograder.feedback import render_exercise
from autograder.feedback.checklist import Aspect, aspects
from autograder.verdicts.verdict import ExerciseVerdict

TESTS = (
    result("Outputs match.", points=2.0, aspect="values"),
    result("Heads are kept apart.", "failed", 1.0, aspect="values", symptom="they meet"),
    result("The past sees no future.", "failed", 1.5, aspect="masking", symptom="it does"),
    result("Gradients match.", points=0.5, aspect="gradient"),
    result("Outputs match on a GPU.", "pending", 1.0, aspect="values", device="cuda"),
    result("One product makes all.", "pending", 1.0, aspect="structure", device="cuda"),
)
NAMES = {"values": "Values", "masking": "Masking", "gradient": "Gradient"}
VERDICT = ExerciseVerdict("f", 7.0, TESTS)


def shown(verdict: ExerciseVerdict, **reveal: bool) -> str:
    return " ".join(
        render_exercise(verdict, reveal=Reveal(**reveal, aspects=NAMES), styled=False).split()
    )


def test_points_add_up_by_aspect_and_what_waits_is_left_out() -> None:
    assert aspects(VERDICT, NAMES) == (
        Aspect("Values", "part", 2.0, 3.0),
        Aspect("Masking", "failed", 0.0, 1.5),
        Aspect("Gradient", "passed", 0.5, 0.5),
    )
    assert sum(one.earned for one in aspects(VERDICT, NAMES)) == VERDICT.score
    assert sum(one.points for one in aspects(VERDICT, NAMES)) == VERDICT.decided_points


def test_the_page_shows_them() -> None:
    page = shown(VERDICT)
    assert "</span> Masking <b>0</b> of 1.5</li>" in page
    assert "</span> Values <b>2</b> of 3</li>" in page
    assert "How it runs" not in page


def test_one_aspect_alone_says_nothing_more_than_the_marks() -> None:
    assert aspects(replace(VERDICT, tests=TESTS[:2]), NAMES) == ()
    assert "agf-aspects" not in shown(replace(VERDICT, tests=TESTS[:2]))


def test_they_are_kept_back_with_the_checks() -> None:
    assert "agf-aspects" not in shown(VERDICT, tests=False)
