"""Hints: one at a time, for every exercise, and never the answer."""

import ast
import io
import re
import shutil
import tokenize
from collections.abc import Iterator

import pytest

from autograder.build.leaks import find_secrets
from autograder.build.references import reference_source, solution_lines
from autograder.checks import hint
from autograder.checks.kit import checking, hinting
from autograder.course import Assignment, Course, load_course
from autograder.course.layout import hints_file, reference_file

LADDER = ("Which axis?", "Look at `dim`.", "For two numbers:\n\n```python\nmax(1, 2)\n```")


@pytest.fixture
def course(course_root) -> Course:
    """The real course."""
    return load_course(course_root)


@pytest.fixture
def fresh(monkeypatch):
    """Hints for an exercise `f`, none of them opened yet."""
    monkeypatch.setattr(hinting, "ladders", lambda: {"f": LADDER})
    monkeypatch.setattr(hinting, "_shown", {})


def test_each_call_opens_the_next_and_after_the_last_the_last_again(fresh, capsys):
    for number, text in [(1, LADDER[0]), (2, LADDER[1]), (3, LADDER[2]), (3, LADDER[2])]:
        hint("f")
        told = capsys.readouterr().out
        assert f"Hint {number} of 3 for `f`" in told
        assert text in told
        assert not any(other in told for other in LADDER if other != text)
        assert ('The next hint: `hint("f")`' in told) == (number < 3)
    assert "You have opened all 3" in told


def test_a_number_opens_that_one_and_the_next_call_goes_on_from_there(fresh, capsys):
    hint("f", 2)
    assert "Hint 2 of 3" in capsys.readouterr().out
    hint("f")
    assert "Hint 3 of 3" in capsys.readouterr().out


@pytest.mark.parametrize("number", [0, 4, -1, True, "2", 1.5])
def test_another_number_is_refused_in_words(fresh, number):
    with pytest.raises(ValueError, match="Hints of f are numbered 1 to 3, not"):
        hint("f", number)


def test_an_unknown_exercise_is_told_which_have_hints(fresh):
    with pytest.raises(ValueError, match="no hints for 'g' here; there are some for: f"):
        hint("g")


def test_a_notebook_shows_it_rendered(fresh, monkeypatch, capsys):
    import IPython

    shown = []
    monkeypatch.setattr(IPython, "get_ipython", lambda: object())
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    hint("f")
    assert shown[0]["text/markdown"].startswith("**Hint 1 of 3 for `f`: a question**")
    assert capsys.readouterr().out == ""


def test_a_failing_check_points_to_the_hint(fresh, monkeypatch):
    from student_cells import with_cell

    monkeypatch.setattr(hinting, "ladders", lambda: {"causal_mask": LADDER})
    wrong = with_cell(
        "causal_mask", "def causal_mask(n, device=None):\n    return torch.ones(n, n)"
    )
    failure = checking.look("causal_mask", wrong).failure
    assert failure.endswith('A hint: from checks import hint; hint("causal_mask")')
    monkeypatch.setattr(hinting, "ladders", dict)
    assert "hint" not in checking.look("causal_mask", wrong).failure


def code_exercises(course: Course) -> Iterator[tuple[Assignment, str]]:
    for assignment in course.assignments.values():
        for exercise in assignment.exercises:
            if exercise.kind == "code":
                yield assignment, exercise.name


def ladders(course: Course, name: str) -> dict[str, tuple[str, ...]]:
    return hinting.read_ladders(hints_file(course.root, name))


def test_every_exercise_has_its_three_hints_in_its_assignments_own_file(course):
    lacking = []
    for assignment, exercise in code_exercises(course):
        ladder = ladders(course, assignment.name).get(exercise, ())
        if len(ladder) != 3 or not all(ladder):
            lacking.append(f"{assignment.name}: {exercise}")
    assert lacking == []


def test_no_hint_is_for_an_exercise_that_is_not_there(course):
    for name, assignment in course.assignments.items():
        there = {one.name for one in assignment.exercises if one.kind == "code"}
        assert ladders(course, name).keys() <= there


def test_no_hint_holds_a_line_of_any_solution_or_of_a_hidden_test(course, tmp_path):
    for name in course.sources:
        shutil.copy(hints_file(course.root, name), tmp_path / f"{name}.toml")
    assert find_secrets(tmp_path, course) == []


def test_no_hint_holds_even_a_short_line_of_its_own_solution(course):
    told = []
    for assignment, exercise in code_exercises(course):
        hints = _squeezed("\n".join(ladders(course, assignment.name).get(exercise, ())))
        module = reference_file(course.root, assignment.name, exercise)
        for line in _answers(reference_source(module, exercise)):
            if _squeezed(line) in hints:
                told.append(f"{exercise}: {line}")
    assert told == []


def _answers(source: str) -> Iterator[str]:
    """What stands in a solution's lines, without the names that its results are given."""
    secret = solution_lines(source, "a solution")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Return | ast.Assign) and node.lineno in secret and node.value:
            text = ast.unparse(node.value)
            words = [
                t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.string.strip()
            ]
            if len(words) > 2 and not re.fullmatch(r"[\w.]+", text):
                yield text


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("'", '"')
