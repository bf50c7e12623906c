"""What tests of the checks share: pytest knows their marker, and questions stand beside them."""

from pathlib import Path

import pytest
from quiz_sources import QUIZ

from autograder.build.quiz_cells import as_json, public_questions
from autograder.checks.kit import questions
from autograder.course.quiz import read_quiz


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker that running.py registers for its own runs."""
    config.addinivalue_line("markers", "exercise(name): the exercise that a check belongs to")


@pytest.fixture(scope="session")
def questions_json(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`questions.json` of a release with one question of each kind, made as the build makes it."""
    folder = tmp_path_factory.mktemp("quiz")
    (folder / "quiz.toml").write_text(QUIZ, encoding="utf-8")
    made = folder / "questions.json"
    public = public_questions(read_quiz(folder / "quiz.toml").values())
    made.write_text(as_json(public), encoding="utf-8")
    return made


@pytest.fixture
def with_questions(monkeypatch: pytest.MonkeyPatch, questions_json: Path) -> None:
    """The checks of the repository find these questions, as a release's would."""
    monkeypatch.setattr(questions, "PATH", questions_json)
