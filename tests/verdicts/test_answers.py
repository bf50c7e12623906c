"""Quiz answers of every kind, judged in the sandbox: right, wrong, odd, and somebody else's."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from quiz_course import NAME, QUIZ_PLACE, make_quiz_course, questions

from autograder.course import Course, load_course
from autograder.course.reveal import Reveal
from autograder.feedback.exercise import marks_of, view_of
from autograder.verdicts import ExerciseVerdict, Submission
from autograder.verdicts.answers import UNBOUND
from autograder.verdicts.attempted import NO_CHOICE, is_untouched
from autograder.verdicts.key import Keys
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import Pool

IMPORTS = "import numpy, torch"


@pytest.fixture(scope="module")
def course(make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Course:
    root = make_quiz_course(make_course, tmp_path_factory.mktemp("answers") / "course")
    return load_course(root)


@pytest.fixture(scope="module")
def pool(course: Course) -> Iterator[Pool]:
    pool = Pool(
        partial(describe_setup, course, list(course.assignments.values()), "cpu", "required"), 1
    )
    yield pool
    pool.close()


Judge = Callable[..., ExerciseVerdict]


@pytest.fixture
def judged(pool: Pool) -> Judge:
    """The verdict on one answer, given as Python text."""

    def judged(name: str, answer: str, said: str = '"ada"', owner: str = "ada") -> ExerciseVerdict:
        cells = ((None, IMPORTS), (None, f"student_id = {said}"), (name, f"{name} = {answer}"))
        (verdict,), _ = pool.grade(Submission(owner, NAME, cells), [name])
        return verdict

    return judged


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("q1", '"A"'),
        ("q2", '["A", "C"]'),
        ("q2", '("C", "A")'),
        ("q1", '"a"'),
        ("q1", '" A"'),
        ("q2", '["a", " C "]'),
        ("k1", "22.627"),
        ("k1", "512 ** 0.5 + 0.0499"),
        ("k1", "numpy.sqrt(512)"),
        ("k1", "numpy.float32(22.6)"),
        ("k1", "torch.tensor(512.0, requires_grad=True).sqrt()"),
    ],
)
def test_a_right_answer_earns_the_points(judged: Judge, name: str, answer: str) -> None:
    verdict = judged(name, answer)
    assert (verdict.score, verdict.message, verdict.misconceptions) == (1, None, ())
    assert verdict.answered


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("q1", "B", 'Write the letter in quotes: `q1 = "B"`.'),
        ("q2", "[A, C]", 'Write each letter in quotes, as in `q2 = ["A"]`.'),
        ("q2", "...\nq2 = A", 'Write each letter in quotes, as in `q2 = ["A"]`.'),
        ("q1", "Both", None),
        ("k1", "B", None),
        ("k1", "1 / 0", None),
    ],
)
def test_of_an_answer_whose_cell_stops_it_is_said_that_it_stopped(
    judged: Judge, name: str, answer: str, hint: str | None
) -> None:
    verdict = judged(name, answer)
    view = view_of(verdict, Reveal())
    assert not is_untouched(verdict)
    assert (verdict.score, verdict.hint, view.state) == (0, hint, "Stopped by an error")
    assert (verdict.error or "").startswith(("NameError: name '", "ZeroDivisionError: "))
    told = " ".join(filter(None, (view.message, view.hint, marks_of(verdict, Reveal()).told)))
    assert "not answered" not in told
    assert verdict.error in told.replace("`", "")


def test_an_answer_under_another_name_is_told_that_its_own_is_not_there(pool: Pool) -> None:
    cells = ((None, IMPORTS), ("q1", 'Q1 = "A"'))
    (verdict,), _ = pool.grade(Submission("ada", NAME, cells), ["q1"])
    assert (verdict.score, verdict.message) == (0, UNBOUND)
    assert not is_untouched(verdict)


def test_a_deleted_or_emptied_question_is_not_answered(pool: Pool) -> None:
    for own in ((), (("q1", " "),)):
        (verdict,), _ = pool.grade(Submission("ada", NAME, ((None, IMPORTS), *own)), ["q1"])
        assert verdict.message == NO_CHOICE


def test_an_answer_that_is_not_there_yet_is_told_so(judged: Judge) -> None:
    verdict = judged("q1", "...")
    assert is_untouched(verdict)
    assert (verdict.message, verdict.error, verdict.hint) == (NO_CHOICE, None, None)


@pytest.mark.parametrize(
    ("name", "answer", "slug", "why"),
    [
        ("q1", '"B"', "that-for-this", "It is not that one."),
        ("q2", '["A"]', "those-left-out", "C, which you left out: Those are some of them."),
        ("q2", '["B", "A", "C"]', "that-taken", "B, which you chose: That is none of them."),
        # the first wrong decision
        ("q2", '["B"]', "this-left-out", "A, which you left out: This is one of them."),
        ("k1", "512", "root-left-out", "This is the width itself."),
        ("k1", "numpy.int32(512)", "root-left-out", "This is the width itself."),
        ("k1", "22.5", None, "Take the root of the width."),
        ("k1", "-(10 ** 300)", None, "Take the root of the width."),
    ],
)
def test_a_wrong_answer_is_told_what_it_shows(
    judged: Judge, name: str, answer: str, slug: str | None, why: str
) -> None:
    verdict = judged(name, answer)
    assert (verdict.score, verdict.message) == (0, why)
    assert verdict.misconceptions == ((slug,) if slug else ())
    assert verdict.answered


ODD = [
    "True", "None", "float('nan')", "float('inf')", "-float('inf')", "1j", "10 ** 400",
    "10 ** 5000", "'22.6'", "b'x'", "numpy.nan", "numpy.bool_(True)", "numpy.zeros(2)",
    "numpy.datetime64('now')", "numpy.longdouble(1)", "torch.tensor(float('nan'))",
    "torch.zeros(1)", "torch.tensor(True)", "torch.zeros((), device='meta')", "torch.tensor(1j)",
    "torch.nn.Linear(2, 2)", "[[]]", "[]", "()", "[[[[[[[[[[1]]]]]]]]]]", "[1] * 200_000",
    "'A' * 10 ** 6", "{'A': 1}", "{'A'}", "object()", "['A'] * 10 ** 5", "(2.0, 3)",
    "(10 ** 400,)", "(2, -3)", "(True,)", "[2, 'x']", "(0,)",
    "type('S', (str,), {'__eq__': lambda s, o: True, '__hash__': lambda s: hash('A')})('B')",
    "type('F', (float,), {'__sub__': lambda s, o: 0.0, '__rsub__': lambda s, o: 0.0})(1)",
    "type('T', (tuple,), {'__eq__': lambda s, o: True})((1, 2))",
    "type('L', (list,), {'__eq__': lambda s, o: True})(['A', 'D'])",
]  # fmt: skip


@pytest.mark.parametrize("name", ["q1", "q2", "k1", "k2"])
def test_odd_answers_earn_nothing_and_break_nothing(pool: Pool, name: str) -> None:
    began = time.monotonic()
    for answer in ODD:
        cells = ((None, IMPORTS + '\nstudent_id = "ada"'), (name, f"{name} = {answer}"))
        (verdict,), _ = pool.grade(Submission("ada", NAME, cells), [name])
        assert verdict.score == verdict.pending_points == 0, answer
        assert verdict.message or verdict.reason, answer
        assert len(verdict.answered or "") <= 100
    assert time.monotonic() - began < 60


def own(course: Course, student: str) -> str:
    """A student's right answer to the personal question."""
    question = questions(course.root)["k2"]
    return str(question.answer.key.shape(question.sizes_of(student)))


def other_than(course: Course, student: str) -> str:
    """An id whose numbers are not the student's."""
    ids = (f"student{number}" for number in range(100))
    return next(one for one in ids if own(course, one) != own(course, student))


@pytest.mark.parametrize("said", ['"ada"', '" ADA "', '"Ada\\n"'])
def test_numbers_of_ones_own_are_marked_under_ones_own_id(
    judged: Judge, course: Course, said: str
) -> None:
    assert judged("k2", own(course, "ada"), said).score == 2
    wrong = judged("k2", "(1, 2, 3)", said)
    assert (wrong.score, wrong.pending_points, wrong.message) == (0, 0, "Heads come first.")
    heads, queries, keys = eval(own(course, "ada"))
    assert judged("k2", str([queries, heads, keys]), said).misconceptions == ("heads-second",)


@pytest.mark.parametrize("said", ["...", "None", "7", '""', "object()", "['ada']", '"ada" * 9999'])
def test_without_ones_own_id_no_answer_is_marked_wrong(
    judged: Judge, course: Course, said: str
) -> None:
    for answer in (own(course, "ada"), "(1, 2, 3)", '"something"'):
        verdict = judged("k2", answer, said)
        assert (verdict.score, verdict.pending_points, verdict.decided_points) == (0, 2, 0)
        assert verdict.reason == "another_id"
        assert verdict.message is None
        assert verdict.misconceptions == ()
        assert [test.device for test in verdict.tests] == ["person"]
    assert judged("k2", "...", said).pending_points == 0  # unanswered is unanswered


def test_the_instructor_is_told_whose_numbers_an_answer_fits(judged: Judge, course: Course) -> None:
    other = other_than(course, "ada")
    verdict = judged("k2", own(course, other), f'"{other}"')
    assert verdict.detail == (
        f'the notebook says student_id = "{other}"; the answer fits that id\'s numbers'
    )
    verdict = judged("k2", own(course, "ada"), f'"{other}"')
    assert verdict.detail is not None
    assert verdict.detail.endswith("the answer fits the numbers of the one who handed it in")
    assert judged("k2", own(course, "ada"), "...").detail == (
        "the notebook says no student_id; the answer fits the numbers of the one who handed it in"
    )
    assert str(judged("k2", "(1, 2)", f'"{other}"').detail).endswith(
        "the answer fits neither that id's numbers nor the numbers of the one who handed it in"
    )
    assert judged("k2", "(1, 2)", "...").detail == (
        "the notebook says no student_id; it does not fit the numbers of the one who handed it in"
    )


def test_an_odd_id_is_told_without_its_effects(judged: Judge) -> None:
    verdict = judged("k2", "(1, 2)", r'"a\x1b[31m\u202e\n" + "b" * 10**6')
    assert verdict.detail is not None
    assert verdict.detail.isprintable()
    assert len(verdict.detail) < 200


def test_a_question_that_is_not_personal_asks_for_no_id(judged: Judge) -> None:
    assert judged("k1", "22.6", "...").score == 1


def test_only_verdicts_on_personal_questions_know_the_owner(course: Course) -> None:
    assignment = course.assignment(NAME)
    keys = Keys(course, assignment, "required")
    ada = Submission("ada", NAME, ((None, "x = 1"),))
    for exercise in assignment.exercises:
        own, shouted, others = (
            keys.keys(replace(ada, student=name))[exercise.name] for name in ("ada", "ADA ", "ben")
        )
        assert own == shouted
        assert (own == others) == (exercise.name != "k2")


RULED = {
    'key = "A"\n': 'key = "A"\naccept = ["B"]\n',
    'key = ["C", "A"]': 'key = ["C", "A"]\naccept = [["B", "A"]]',
    "tolerance = 0.05": "tolerance = 0.05\naccept = [512]",
    'why = "Heads': 'accept = ["(queries, heads, 4 * queries)"]\nwhy = "Heads',
}


@pytest.fixture(scope="module")
def ruled(
    make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Pool]]:
    """Graders of a course that accepts more than its keys, and of one whose questions are void."""
    found = {}
    for ruling in ("accepted", "void"):
        root = make_quiz_course(make_course, tmp_path_factory.mktemp("ruled") / ruling)
        text = (root / QUIZ_PLACE).read_text(encoding="utf-8")
        if ruling == "void":
            text = text.replace("[[question]]", "[[question]]\nvoid = true")
        for old, new in RULED.items() if ruling == "accepted" else ():
            assert text.count(old) == 1
            text = text.replace(old, new)
        (root / QUIZ_PLACE).write_text(text, encoding="utf-8")
        course = load_course(root)
        setup = partial(describe_setup, course, list(course.assignments.values()), "cpu")
        found[ruling] = Pool(partial(setup, "required"), 1)
    yield found
    for pool in found.values():
        pool.close()


def graded(pool: Pool, name: str, *sources: str) -> ExerciseVerdict:
    cells = (*((None, source) for source in sources[:-1]), (name, sources[-1]))
    (verdict,), _ = pool.grade(Submission("ada", NAME, cells), [name])
    return verdict


def test_an_accepted_answer_earns_the_points_and_shows_no_mistake(
    ruled: dict[str, Pool], course: Course
) -> None:
    heads, queries, keys = eval(own(course, "ada"))
    for name, key, other, wrong in [
        ("q1", '"A"', '"B"', '"C"'),
        ("q2", '["A", "C"]', '["A", "B"]', '["B"]'),
        ("k1", "22.627", "512", "500"),
        ("k2", str((heads, queries, keys)), str([queries, heads, keys]), "(1, 2, 3)"),
    ]:
        for answer, points, ruling in ((key, 1, None), (other, 1, "accepted"), (wrong, 0, None)):
            verdict = graded(ruled["accepted"], name, 'student_id = "ada"', f"{name} = {answer}")
            assert verdict.score == points * verdict.max_points, (name, answer)
            assert verdict.ruling == ruling
            if points:
                assert (verdict.message, verdict.misconceptions) == (None, ())


def test_everyone_who_was_asked_gets_a_void_questions_points(ruled: dict[str, Pool]) -> None:
    for name in ("q1", "q2", "k1", "k2"):
        for sources in (
            ('student_id = "ada"', f'{name} = "B"'),
            (f"{name} = ...",),
            ("",),
            ('student_id = "ben"', f"{name} = (1, 2, 3)"),
            ("import os\nos.abort()", f"{name} = object()"),
        ):
            verdict = graded(ruled["void"], name, *sources)
            assert verdict.score == verdict.max_points, (name, sources)
            assert (verdict.pending_points, verdict.reason, verdict.message) == (0, None, None)
            assert (verdict.ruling, verdict.misconceptions) == ("void", ())
