"""Figures of a report, made of standings whose marks are known."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

from autograder.course import Assignment, Exercise, load_course
from autograder.course.roster import Person
from autograder.marks import Finding, Standing
from autograder.report.aspects import aspects_of
from autograder.report.class_table import ClassTable
from autograder.report.distribution import distribution_of
from autograder.report.exercises import ExerciseFigures, figures_of
from autograder.report.known_words import KnownWords
from autograder.report.over_time import changes_between
from autograder.report.turnout import turnout_of
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal

ROOT = Path(__file__).parents[2]
FIRST, SECOND = "01-attention-by-hand", "03-causal-masking"
ASSIGNMENT = Assignment(
    "01-sums",
    (
        Exercise("one", 2.0, "code"),
        Exercise("two", 4.0, "code"),
        Exercise("q1", 1.0, "quiz"),
        Exercise("extra", 3.0, "code", bonus=True),
    ),
)


def finding(
    score: float, most: float, *slugs: str, attempted: bool = True, pending: float = 0.0
) -> Finding:
    return Finding(
        max_points=most,
        score=score,
        pending_points=pending,
        bonus=False,
        attempted=attempted,
        reason=None,
        detail=None,
        misconceptions=slugs,
        message=None,
        failed={} if score == most else {"is_right": "values"},
        waits_for=("cuda",) if pending else (),
        answered=None,
        aspects={"values": (score, most - pending)},
    )


def graded(
    student: str,
    findings: Mapping[str, Finding],
    *members: str,
    assignment: str = "01-sums",
    penalty: float = 0.0,
    on_top: float = 0.0,
) -> Standing:
    totals = {
        name: ExerciseTotal(one.score + on_top, one.score, None, on_top, one.pending_points)
        for name, one in findings.items()
    }
    return Standing(
        student,
        assignment,
        "graded",
        tuple(Person(one, one) for one in members or (student,)),
        total=SubmissionTotal(totals, penalty),
        findings=findings,
    )


def figures(standings: Sequence[Standing]) -> dict[str, ExerciseFigures]:
    return {one.name: one for one in figures_of(ClassTable(ASSIGNMENT, standings))}


def random_class(size: int, seed: int = 3) -> list[Standing]:
    """Students of different strength, on whom `one` depends and `q1` does not."""
    dice = random.Random(seed)
    standings = []
    for number in range(size):
        strength = dice.random()
        marks = {
            "one": finding(2.0 * (strength > dice.random()), 2.0),
            "two": finding(round(4 * strength) * 1.0, 4.0),
            "q1": finding(1.0 * (dice.random() < 0.1), 1.0),
        }
        standings.append(graded(f"s{number}", marks))
    return standings


def test_the_correlation_is_with_the_rest_alone() -> None:
    standings = random_class(60)
    own, rest, n = [], [], 0
    for one in standings:
        assert one.total is not None
        scores = {name: it.score for name, it in one.total.exercises.items()}
        own.append(scores["one"])
        rest.append(scores["two"] + scores["q1"])
        n += 1
    found = figures(standings)["one"]
    assert found.correlation == pytest.approx(pearsonr(own, rest).statistic)
    assert found.n == n == 60
    whole = pearsonr(own, np.add(own, rest)).statistic
    assert abs(found.correlation - whole) > 0.05  # what would have been counted with itself


def test_spread_and_mean_are_those_of_numpy() -> None:
    standings = random_class(25)
    shares = [one.total.exercises["two"].score / 4 for one in standings if one.total]
    found = figures(standings)["two"]
    assert found.mean == pytest.approx(np.mean(shares))
    assert found.spread == pytest.approx(np.std(shares, ddof=1))


def test_flags_are_for_hard_easy_and_unrelated() -> None:
    found = figures(random_class(60))
    assert found["one"].flags == ()
    assert "hard" in found["q1"].flags
    same = [
        graded(f"s{number}", {"one": finding(2.0, 2.0), "two": finding(number % 2 * 4.0, 4.0)})
        for number in range(12)
    ]
    assert figures(same)["one"].flags == ("easy",)
    assert figures(same)["one"].correlation is None
    against = [
        graded(
            f"s{number}",
            {"one": finding(number % 2 * 2.0, 2.0), "two": finding((number + 1) % 2 * 4.0, 4.0)},
        )
        for number in range(12)
    ]
    assert figures(against)["one"].flags == ("tells_nothing_apart",)
    assert figures(against)["one"].correlation == pytest.approx(-1.0)
    assert figures(against[:6])["one"].flags == ()  # too few to tell


def test_what_was_not_tried_is_lost_and_makes_nothing_hard() -> None:
    standings = [
        graded("a", {"one": finding(2.0, 2.0), "extra": finding(0.0, 3.0, attempted=False)}),
        graded("b", {"one": finding(0.0, 2.0, attempted=False), "extra": finding(1.0, 3.0)}),
    ]
    found = figures(standings)
    assert (found["one"].tried, found["one"].answers, found["one"].mean) == (1, 2, 1.0)
    assert found["one"].lost == 1.0
    assert found["extra"].lost == 1.0  # of b alone: a left the bonus out


def test_points_that_wait_are_not_lost() -> None:
    standings = [
        graded("a", {"one": finding(1.0, 2.0, pending=1.0)}),
        graded("b", {"one": finding(0.0, 2.0, pending=2.0)}),
    ]
    found = figures(standings)["one"]
    assert (found.answers, found.full, found.lost) == (1, 1, 0.0)
    (waiting,) = turnout_of(standings).waiting
    assert (waiting.waits_for, waiting.points, waiting.students) == ("cuda", 3.0, ("a", "b"))


def test_extra_credit_makes_no_exercise_easier() -> None:
    found = figures([graded("a", {"one": finding(1.0, 2.0)}, on_top=1.0)])
    assert found["one"].mean == 0.5


def test_late_penalties_are_in_the_totals() -> None:
    marks = {"one": finding(2.0, 2.0), "two": finding(4.0, 4.0), "q1": finding(1.0, 1.0)}
    found = distribution_of(ClassTable(ASSIGNMENT, [graded("a", marks, penalty=3.5)]))
    assert (found.mean, found.points) == (0.5, 3.5)
    assert found.tenths == (0, 0, 0, 0, 0, 1, 0, 0, 0, 0)


def test_a_class_of_nobody_has_no_figures() -> None:
    table = ClassTable(ASSIGNMENT, [])
    assert all(one.mean is None and one.lost == 0.0 for one in figures_of(table))
    assert distribution_of(table).n == 0


def test_aspects_count_answers_that_were_tried() -> None:
    standings = [
        graded("a", {"one": finding(2.0, 2.0), "two": finding(1.0, 4.0)}),
        graded("b", {"one": finding(0.0, 2.0, attempted=False), "two": finding(1.0, 4.0)}),
    ]
    (values,) = aspects_of([ClassTable(ASSIGNMENT, standings)], {"values": "Values"})
    assert (values.title, values.whole.earned, values.whole.points) == ("Values", 4.0, 10.0)
    assert values.weakest == ("01-sums", "two")


SLUG = "softmax-over-queries"


def test_what_goes_away_is_told_of_those_who_could_show_it() -> None:
    course = load_course(ROOT)
    first, second = course.assignment(FIRST), course.assignment(SECOND)

    def answer(student: str, where: str, held: bool, *members: str, tried: bool = True) -> Standing:
        exercise = "attention_weights" if where == FIRST else "masked_softmax"
        slugs = (SLUG,) if held else ()
        marks = {exercise: finding(0.0 if held else 2.0, 2.0, *slugs, attempted=tried)}
        return graded(student, marks, *members, assignment=where)

    before = [
        answer("gone", FIRST, True),
        answer("stays", FIRST, True),
        answer("untried", FIRST, True),
        answer("absent", FIRST, True),
        answer("two", FIRST, True, "tom", "tim"),
        answer("new", FIRST, False),
    ]
    after = [
        answer("gone", SECOND, False),
        answer("stays", SECOND, True),
        answer("untried", SECOND, False, tried=False),
        answer("alone", SECOND, False, "tom"),  # the group has split up
        answer("new", SECOND, True),
    ]
    words = KnownWords(course, [first, second])
    (change,) = changes_between([ClassTable(first, before), ClassTable(second, after)], words)
    assert (change.slug, change.held) == (SLUG, 6)
    assert (change.gone, change.stayed, change.unseen, change.new) == (2, 1, 3, 1)


def test_a_misconception_that_the_next_cannot_show_is_not_called_gone() -> None:
    course = load_course(ROOT)
    first, second = course.assignment(FIRST), course.assignment(SECOND)
    words = KnownWords(course, [first, second])
    slug = "scores-returned"  # in 03 of masked_softmax, not of what is asked here
    alone = next(
        one
        for one in ("output-as-wide-as-queries", "input-parts-as-qkv")
        if words.could_show(FIRST, one) and not words.could_show(SECOND, one)
    )
    assert words.could_show(SECOND, slug)
    held = graded("a", {"q1": finding(0.0, 1.0, alone)}, assignment=FIRST)
    then = graded("a", {"q1": finding(1.0, 1.0)}, assignment=SECOND)
    tables = [ClassTable(first, [held]), ClassTable(second, [then])]
    assert changes_between(tables, words) == ()
