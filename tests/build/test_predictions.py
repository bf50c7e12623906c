"""Predictions answer at once, carry no points, and are all that a release holds of keys."""

import json
from pathlib import Path

import pytest
from quiz_course import NAME, PERCENT, make_quiz_course

from autograder.build.leaks import exceptions, find_secrets
from autograder.build.predictions import told_of
from autograder.build.quiz_cells import public_questions
from autograder.build.release import build_release
from autograder.build.source_notebook import reference_notebook, source_notebook
from autograder.checks.kit import questions
from autograder.checks.kit.checking import look
from autograder.checks.kit.predictions import decoded, encoded
from autograder.course import Course, CourseError, load_course
from autograder.course.layout import quiz_file
from autograder.course.quiz import read_quiz
from autograder.judging.marking import mark
from autograder.proof.known_values import known_values

PREDICTS = PERCENT.replace('quiz="k1" points=1', 'quiz="k1"')


@pytest.fixture
def root(make_course, tmp_path: Path) -> Path:
    """A course whose k1 is a prediction."""
    root = make_quiz_course(make_course, tmp_path / "course")
    write(root, PREDICTS)
    return root


def write(root: Path, percent: str) -> None:
    (root / "assignments" / NAME / f"{NAME}.py").write_text(percent, encoding="utf-8")


def released_questions(course: Course) -> dict[str, dict]:
    build_release(course, NAME)
    path = course.folder("release") / NAME / "checks" / "questions.json"
    return {one["name"]: one for one in json.loads(path.read_text(encoding="utf-8"))}


def test_a_prediction_is_no_exercise_and_its_cells_are_not_graded(root):
    course = load_course(root)
    assignment = course.assignment(NAME)
    assert assignment.predictions == ("k1",)
    assert assignment.max_points == 4
    cells = source_notebook(course, assignment).cells
    place = next(at for at, cell in enumerate(cells) if cell.metadata.get("prediction") == "k1")
    assert "without points" in cells[place - 1].source
    assert cells[place + 1].source == 'from checks import check\n\ncheck("k1")'
    assert not any("nbgrader" in cell.metadata for cell in cells[place : place + 2])
    answered = reference_notebook(course, assignment, "ada").cells
    assert answered[place].source.startswith("k1 = 22.6")


def test_the_release_holds_the_keys_of_predictions_and_no_others(root):
    public = released_questions(load_course(root))
    assert [name for name, fields in public.items() if "told" in fields] == ["k1"]
    assert "512" not in public["k1"]["told"]
    fields = decoded(public["k1"]["told"])
    assert fields["key"] == pytest.approx(22.627, abs=0.001)


def test_the_gate_excepts_what_is_encoded_of_predictions_and_nothing_else(root):
    course = load_course(root)
    assert exceptions(course) == {NAME: ("k1",)}
    folder = root / "release" / NAME
    folder.mkdir(parents=True)
    quiz = read_quiz(quiz_file(root, NAME))
    (folder / "a.json").write_text(json.dumps({"told": encoded(told_of(quiz["k1"]))}))
    assert find_secrets(folder, course) == []
    (folder / "a.json").write_text(json.dumps({"told": encoded(told_of(quiz["q2"]))}))
    assert {"the reason for option A of q2", "the reason for option B of q2"} <= {
        leak.secret.partition(",")[0] for leak in find_secrets(folder, course)
    }
    (folder / "a.json").write_text(json.dumps(told_of(quiz["k1"])))  # in plain text
    assert any("of k1" in leak.secret for leak in find_secrets(folder, course))


def test_a_prediction_cannot_have_numbers_of_ones_own(root):
    write(root, PREDICTS.replace('quiz="k2" points=2', 'quiz="k2"'))
    course = load_course(root)
    with pytest.raises(CourseError, match="k2 has numbers of one's own"):
        source_notebook(course, course.assignment(NAME))


def test_a_question_at_the_end_needs_points(root):
    write(root, PREDICTS.replace('quiz="q1" points=1', 'quiz="q1"'))
    with pytest.raises(CourseError, match="'q1' needs points"):
        load_course(root).assignment(NAME)


def test_a_course_may_give_points_for_taking_part(root):
    with (root / "course_config.py").open("a") as config:
        config.write("c.Predictions.points = 0.5\n")
    course = load_course(root)
    one = course.assignment(NAME).exercise("k1")
    assert (one.points, one.taking_part) == (0.5, True)
    assert course.assignment(NAME).max_points == 4.5
    cells = source_notebook(course, course.assignment(NAME)).cells
    assert any(
        "half a point for any answer" in cell.source or "0.5 points for any answer" in cell.source
        for cell in cells
    )
    assert "told" in released_questions(course)["k1"]


QUESTIONS = [
    (name, question)
    for name, course in (("attention", load_course(Path(__file__).parents[2])),)
    for assignment in course.assignments.values()
    for question in read_quiz(quiz_file(course.root, assignment.name)).values()
    if question.name in assignment.predictions
]


def test_fifteen_questions_of_the_course_are_predictions():
    assert len(QUESTIONS) == 15


@pytest.mark.parametrize("question", [one for _, one in QUESTIONS], ids=lambda one: one.name)
def test_what_a_check_says_is_what_a_grader_would_say(question, tmp_path, monkeypatch):
    told = {question.name: encoded(told_of(question))}
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(public_questions([question], told)), encoding="utf-8")
    monkeypatch.setattr(questions, "PATH", path)
    values = [value for _, _, value in known_values(question, {})]
    values.append(getattr(question.answer.key, "number", lambda _: question.answer.key)({}))
    verdicts = set()
    for value in values:
        value = list(value) if isinstance(value, tuple) else value
        marked = mark(question, value, {})
        found = look(question.name, {question.name: value})
        assert found.failure is None
        assert found.heading == f"{question.name}: {'right' if marked.right else 'not right'}."
        (finding,) = found.findings
        assert finding.says == (marked.why or finding.says) != ""
        verdicts.add(marked.right)
    assert verdicts == {True, False}
