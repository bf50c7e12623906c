"""What is accepted beside a key is a right answer to `autograder validate`, and no mistake."""

from pathlib import Path

import pytest
from quiz_sources import CHOICE, CHOICES, NUMBER, SHAPE

from autograder.course.quiz import read_quiz
from autograder.proof.known_values import known_values


@pytest.mark.parametrize(
    ("question", "old", "new", "accepted", "mistakes"),
    [
        (CHOICE, 'key = "A"', 'key = "A"\naccept = ["B", "A"]', "B", 0),
        (CHOICES, '["C", "A"]', '["C", "A"]\naccept = [["A"]]', ["A"], 2),
        (NUMBER, "tolerance", "accept = [512]\ntolerance", 512, 0),
        (SHAPE, 'why = "Heads', 'accept = ["(queries, heads, 4 * queries)"]\nwhy = "Heads', 0, 0),
    ],
)
def test_an_accepted_answer_is_a_variant(
    tmp_path: Path, question: str, old: str, new: str, accepted: object, mistakes: int
) -> None:
    path = tmp_path / "quiz.toml"
    path.write_text(question.replace(old, new, 1), encoding="utf-8")
    (found,) = read_quiz(path).values()
    sizes = found.sizes_of("ada")
    known = list(known_values(found, sizes))
    wanted = accepted or (sizes["queries"], sizes["heads"], 4 * sizes["queries"])
    kinds = [kind for kind, name, value in known if value == wanted and "accepted" in name]
    assert kinds == ["variant"]
    assert sum(kind == "mistake" for kind, _, _ in known) == mistakes
