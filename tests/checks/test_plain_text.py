"""Text of unknown origin: what acts becomes a mark, and what people write stays."""

import pytest

from autograder.checks.kit.plain_text import is_seen, plain, plain_lines


@pytest.mark.parametrize(
    "character",
    [
        *"\x00\x07\x08\x1b\x7f\x9b\r",  # terminals act on these
        *"\u200e\u200f\u202a\u202e\u2066\u2069\u061c",  # these turn round what follows
        *"\u200b\u2060\ufeff\u00ad\u3164\u2800\U000e0041",  # of these nothing is seen
        *"\ud800\ue000\ufffe\U0010ffff\u2028\u2029",
    ],
    ids=lambda character: f"{ord(character):04x}",
)
def test_what_acts_or_is_not_seen_is_a_mark(character):
    assert plain(f"a{character}b") == plain_lines(f"a{character}b") == "a\ufffdb"
    assert not is_seen(character)


@pytest.mark.parametrize(
    "text",
    [
        "short",
        "naïve",
        "e\u0301",
        "שלום",
        "注意力",
        "می\u200cخواهم",
        "👩\u200d🔬 ❤\ufe0f",
        "1\xa0000",
        "",
    ],
)
def test_what_people_write_stays(text):
    assert plain(text) == plain_lines(text) == text


def test_only_a_text_of_lines_keeps_their_ends_and_tabs():
    assert plain_lines("a\tb\r\nc") == "a\tb\nc"
    assert plain("a\tb\nc") == "a\ufffdb\ufffdc"
