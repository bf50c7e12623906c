"""How much shared things count: over pairs made apart no more than chance, and rare ones most."""

import random
from itertools import combinations

from autograder.similar.evidence import Choices, Code, Evidence, Numbers, Words, Written
from autograder.similar.pairs import rank

STUDENTS = [f"s{number:02}" for number in range(40)]
PAIRS = list(combinations(STUDENTS, 2))


def code(forms: dict[str, str], known: frozenset[str] = frozenset()) -> Code:
    return Code("01-a", "f", {one: Written(form, "", "") for one, form in forms.items()}, known)


def mean_ratio(evidence: Evidence) -> float:
    ratios = [evidence.ratio(*pair) for pair in PAIRS]
    return sum(ratio for ratio in ratios if ratio is not None) / len(PAIRS)


def test_over_pairs_made_apart_the_mean_is_about_1_at_most() -> None:
    """Which is what makes at most one in x of them reach x."""
    means: dict[str, list[float]] = {"code": [], "choices": [], "words": []}
    for seed in range(30):
        dice = random.Random(seed)
        weights = [10 ** -dice.random() for _ in range(25)]
        forms = [f"form {number}" for number in range(25)]
        drawn = dict(zip(STUDENTS, dice.choices(forms, weights, k=40), strict=True))
        means["code"].append(mean_ratio(code(drawn, frozenset(forms))))
        means["choices"].append(mean_ratio(Choices("01-a", "q1", drawn, frozenset())))
        used = {one: frozenset(dice.choices(forms, weights, k=5)) for one in STUDENTS}
        means["words"].append(mean_ratio(Words("name", "01-a", used)))
    for kind, found in means.items():
        assert sum(found) / len(found) < 1.25, kind


def test_a_known_answer_counts_less_than_one_that_nobody_foresaw() -> None:
    forms = {one: f"own {one}" for one in STUDENTS} | {"s00": "same", "s01": "same"}
    unforeseen, foreseen = code(forms), code(forms, frozenset(["same", "other"]))
    assert 1 / unforeseen.chance("same") > 4 / foreseen.chance("same")


def test_what_many_wrote_makes_no_pair() -> None:
    evidence = code(dict.fromkeys(STUDENTS, "same"))
    assert list(evidence.candidates()) == []
    assert (evidence.ratio("s00", "s01") or 0) < 1.25
    assert list(evidence.shared("s00", "s01")) == []


def test_what_two_solved_differently_counts_against_them() -> None:
    alike = {one: f"own {one}" for one in STUDENTS} | {"s00": "same", "s01": "same"}
    apart = {one: f"own {one}" for one in STUDENTS}
    (alone,) = rank([code(alike)])
    (among_others,) = rank([code(alike), code(apart), code(apart)])
    assert alone.students == among_others.students == ("s00", "s01")
    assert alone.bits > among_others.bits > 0


def test_an_exercise_that_one_of_them_left_out_tells_nothing() -> None:
    evidence = code({"s00": "same", "s01": "same"})
    assert evidence.ratio("s00", "s39") is None


def test_numbers_are_the_owners_and_others_wrong_answers_tell_nothing() -> None:
    evidence = Numbers("01-a", "k1", {"s05": ("7", frozenset({"s02"}))}, 40)
    assert list(evidence.candidates()) == [("s02", "s05")]
    (thing,) = evidence.shared("s02", "s05")
    assert (thing.giver, thing.holders, thing.one_in) == ("s02", 1, 40)
    assert evidence.ratio("s05", "s06") == 0
    assert evidence.ratio("s06", "s07") is None
