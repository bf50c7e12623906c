"""Families of mistakes: their words, their blanks, and how a mistake of theirs is made."""

import pytest

from autograder.bank import Family

CUT = Family(
    "gradient-cut",
    "You cut {result} off from {source}.",
    "What does `.detach()` do?",
    made="{}.detach()",
    usual={"source": "the input"},
)


def test_an_exercise_fills_the_blanks_and_the_usual_noun_stands_where_it_says_none():
    made = CUT("scores", result="your scores", change=(("a", "b"),))
    assert (made.exercise, made.slug, made.change) == ("scores", "gradient-cut", (("a", "b"),))
    assert made.diagnosis == "You cut your scores off from the input."
    assert made.hint == "What does `.detach()` do?"
    assert made.family is CUT
    named = CUT("scores", result="your scores", source="q", code="x")
    assert (named.diagnosis, named.code) == ("You cut your scores off from q.", "x")


def test_an_exercises_own_words_stand_in_for_the_familys_and_need_no_nouns():
    made = CUT("scores", diagnosis="Only `out` can learn.", code="x")
    assert (made.diagnosis, made.hint) == ("Only `out` can learn.", "What does `.detach()` do?")
    assert CUT("scores", result="all", hint="Why?", code="x").hint == "Why?"


def test_a_familys_way_is_gone_around_a_text_of_the_reference():
    made = CUT("scores", result="your scores", around="q @ k.mT")
    assert made.change == (("q @ k.mT", "q @ k.mT.detach()"),)


def test_words_without_blanks_may_hold_braces():
    sets = Family("braces", "What is {}?", "And {{1}}?")
    assert (sets("f").diagnosis, sets("f").hint) == ("What is {}?", "And {{1}}?")


@pytest.mark.parametrize(
    ("nouns", "told"),
    [
        ({}, r"blanks for \['result', 'source'\], not \['source'\]"),
        ({"result": "it", "reslut": "it"}, "reslut"),
        ({"result": "it", "around": "a", "code": "b"}, "not made around a text"),
        ({"result": "it", "around": "a", "change": (("a", "b"),)}, "not made around a text"),
    ],
)
def test_an_open_blank_a_noun_too_many_and_two_ways_are_refused(nouns, told):
    with pytest.raises(TypeError, match=told):
        CUT("scores", **nouns)


@pytest.mark.parametrize(
    "same", [{"source": "the input"}, {"hint": CUT.hint}, {"diagnosis": CUT.diagnosis}]
)
def test_an_exception_that_says_what_the_family_says_is_none(same):
    with pytest.raises(TypeError, match=rf"says what its family says: \['{next(iter(same))}'\]"):
        CUT("scores", result="your scores", **same)


def test_what_a_family_has_no_way_for_is_not_made_around_a_text():
    with pytest.raises(TypeError, match="words-only in scores is not made around"):
        Family("words-only", "You do.", "Why?")("scores", around="a")


def test_two_mistakes_that_differ_in_their_family_only_are_the_same():
    words = Family("gradient-cut", "You cut it.", "Why?")
    other = Family("gradient-cut", "You cut {it}.", "Why?")
    assert words("f", code="x") == other("f", it="it", code="x")
