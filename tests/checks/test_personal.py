"""Numbers of one's own: the same wherever they are drawn, and shown to whom they belong."""

import ast
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from autograder.checks import ask
from autograder.checks.kit import personal
from autograder.checks.kit.personal import is_id, normalised, sizes_of

POSSIBLE = {"heads": (2, 3, 6), "queries": tuple(range(5, 14))}


def test_the_numbers_of_an_id_never_change():
    """Written down: a change here would change the questions of a class that is at work."""
    assert sizes_of("k2", "ada", POSSIBLE) == {"heads": 3, "queries": 12}


def test_they_are_the_same_in_a_process_with_other_hashes_and_another_encoding():
    folder = str(Path(personal.__file__).parent)
    code = (
        f"import sys; sys.path.insert(0, {folder!r}); import personal\n"
        f"print(personal.sizes_of('k2', 'zo\\xeb', {POSSIBLE!r}))"
    )
    said = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "LC_ALL": "C"},
    )
    assert ast.literal_eval(said.stdout) == sizes_of("k2", "zoë", POSSIBLE)


@pytest.mark.parametrize("written", [" ada", "ADA\n", "Ada", "\tada "])
def test_space_and_capitals_make_no_other_id(written):
    assert sizes_of("k2", written, POSSIBLE) == sizes_of("k2", "ada", POSSIBLE)


def test_an_accent_is_the_same_in_one_character_and_in_two():
    assert normalised(unicodedata.normalize("NFD", "ZOË")) == normalised("zoë")


def test_a_size_depends_on_nothing_but_id_question_and_its_own_name():
    alone = sizes_of("k2", "ada", {"heads": POSSIBLE["heads"]})
    assert alone["heads"] == sizes_of("k2", "ada", POSSIBLE)["heads"]
    drawn = {sizes_of(f"k{n}", "ada", POSSIBLE)["queries"] for n in range(40)}
    assert len(drawn) > 5


def test_every_size_is_drawn_about_as_often_as_any_other():
    drawn = [sizes_of("k2", f"student{n}", POSSIBLE) for n in range(5400)]
    for name, possible in POSSIBLE.items():
        counts = Counter(sizes[name] for sizes in drawn)
        fair = len(drawn) / len(possible)
        assert set(counts) == set(possible)
        assert all(abs(count - fair) < 5 * fair**0.5 for count in counts.values())


@pytest.mark.parametrize("value", [..., None, 7, "", " \n", b"ada", ["ada"]])
def test_what_is_no_text_is_no_id(value):
    assert not is_id(value)


@pytest.mark.usefixtures("with_questions")
class TestAsk:
    """`ask`, as a student's notebook calls it."""

    def test_shows_the_question_with_the_students_numbers_and_the_id(self, capsys):
        ask("k2", "Ada")
        own = sizes_of("k2", "ada", {"heads": (2, 3, 6), "queries": (7, 8, 9)})
        told = capsys.readouterr().out
        assert f"With {own['heads']} heads and {own['queries']} queries, which shape?" in told
        assert "`Ada`" in told

    @pytest.mark.parametrize("nobody", [..., None, 7, ""])
    def test_without_an_id_says_kindly_what_to_do(self, capsys, nobody):
        ask("k2", nobody)
        told = capsys.readouterr().out
        assert 'student_id = "ada"' in told
        assert "which shape" not in told

    @pytest.mark.parametrize("name", ["k1", "k9", "softmax"])
    def test_of_another_question_names_those_that_are_personal(self, capsys, name):
        ask(name, "ada")
        assert "k2" in capsys.readouterr().out

    def test_shows_an_odd_id_without_its_effects(self, capsys):
        ask("k2", "a`b\x1b[31m\n# c" + "d" * 500)
        told = capsys.readouterr().out
        assert "\x1b" not in told
        assert "\n# c" not in told
        assert max(map(len, told.splitlines())) < 150
