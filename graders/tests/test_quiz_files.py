"""The quiz files hold together: every answer says what it shows, and none is taken for another."""

from pathlib import Path

import pytest

import solutions
from autograder.checks.kit.personal import filled_in
from autograder.course.questions import Choice, Choices, Number, Question, Shape
from autograder.course.quiz import read_quiz

FILES = sorted(Path(solutions.__file__).parent.glob("*/quiz.toml"))
QUESTIONS = [
    pytest.param(question, id=f"{path.parent.name}-{question.name}")
    for path in FILES
    for question in read_quiz(path).values()
]
OF_OPTIONS = [one for one in QUESTIONS if isinstance(one.values[0].answer, Choice | Choices)]
OF_VALUES = [one for one in QUESTIONS if isinstance(one.values[0].answer, Number | Shape)]
PERSONAL = [one for one in QUESTIONS if one.values[0].is_personal]


def is_whole(text: str) -> bool:
    """Whether a text ends where a sentence ends."""
    return text.strip().rstrip('*`$)"').endswith((".", "?", "!"))


@pytest.mark.parametrize("question", OF_OPTIONS)
def test_every_option_says_what_choosing_it_shows(question: Question) -> None:
    assert len(question.answer.options) >= 3
    for option in question.answer.options.values():
        assert is_whole(option.why)


@pytest.mark.parametrize("question", OF_VALUES)
def test_every_reason_is_a_sentence_that_does_not_give_the_number(question: Question) -> None:
    answer = question.answer
    for why in (answer.why, *(wrong.why for wrong in answer.wrong)):
        assert is_whole(why)
    if not question.is_personal:
        value = answer.key.number({}) if isinstance(answer, Number) else answer.key.shape({})
        assert str(value) not in answer.why


@pytest.mark.parametrize("question", OF_VALUES)
def test_at_least_one_wrong_value_is_known(question: Question) -> None:
    assert question.answer.wrong


@pytest.mark.parametrize("question", OF_VALUES)
def test_every_wrong_value_shows_a_misconception_of_its_own(question: Question) -> None:
    slugs = [wrong.misconception for wrong in question.answer.wrong]
    assert len(set(slugs)) == len(slugs)


@pytest.mark.parametrize("question", PERSONAL)
def test_no_sizes_make_a_wrong_value_right(question: Question) -> None:
    """Every combination that a student may have, by a way of its own."""
    answer = question.answer
    for sizes in question.all_sizes():
        if isinstance(answer, Shape):
            values = [answer.key.shape(sizes), *(one.value.shape(sizes) for one in answer.wrong)]
            assert len(set(values)) == len(values), sizes
            continue
        key, *others = (one.number(sizes) for one in (answer.key, *(w.value for w in answer.wrong)))
        allowed = answer.tolerance * (abs(key) if answer.relative else 1)
        assert all(abs(other - key) > allowed for other in others), sizes
        assert len(set(others)) == len(others), sizes


@pytest.mark.parametrize("question", PERSONAL)
def test_every_size_stands_in_the_text_that_is_shown(question: Question) -> None:
    sizes = next(iter(question.all_sizes()))
    shown = filled_in(question.text, sizes)
    assert all(str(size) in shown for size in sizes.values())
    assert not any(f"{{{name}}}" in shown for name in sizes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_no_letter_is_a_good_guess_for_all(path: Path) -> None:
    answers = [question.answer for question in read_quiz(path).values()]
    keys = [answer.key for answer in answers if isinstance(answer, Choice)]
    assert not keys or max(map(keys.count, keys)) <= max(2, len(keys) / 2)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_choosing_everything_is_never_right(path: Path) -> None:
    for question in read_quiz(path).values():
        if isinstance(question.answer, Choices):
            assert 0 < len(question.answer.key) < len(question.answer.options), question.name
