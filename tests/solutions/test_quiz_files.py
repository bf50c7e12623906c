"""The quiz files hold together: options, keys, and a reason for every option."""

import tomllib
from pathlib import Path

import pytest

import solutions

FILES = sorted((Path(solutions.__file__).parent / "quiz").glob("*.toml"))
QUESTIONS = [
    pytest.param(question, id=f"{path.stem}-{question['name']}")
    for path in FILES
    for question in tomllib.loads(path.read_text(encoding="utf-8"))["question"]
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_option_says_what_choosing_it_shows(question):
    assert sorted(question["options"]) == ["A", "B", "C", "D"]
    assert question["key"] in question["options"]
    for letter, option in question["options"].items():
        assert option["text"].endswith(".")
        assert option["why"].endswith(".")
        assert ("misconception" in option) == (letter != question["key"])


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_two_options_share_a_misconception(question):
    slugs = [option.get("misconception") for option in question["options"].values()]
    assert len(set(slugs)) == len(slugs)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_letter_is_a_good_guess_for_all(path):
    keys = [question["key"] for question in tomllib.loads(path.read_text("utf-8"))["question"]]
    assert len(set(keys)) > len(keys) / 2
    assert max(map(keys.count, keys)) < 3
