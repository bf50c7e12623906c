"""Text of unknown origin on its way to a person: all of it is seen, and nothing in it acts."""

import unicodedata

MARK = "\N{REPLACEMENT CHARACTER}"
# Control characters (terminal escapes among them), formatting (what turns round the text that
# follows), halves of characters, private ones, and ends of lines and paragraphs.
ACTING = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
# Letters and marks, by their category, of which nothing is seen.
BLANK = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810)}
NO_CHARACTERS = {
    *range(0xFDD0, 0xFDF0),
    *(plane << 16 | end for plane in range(17) for end in (0xFFFE, 0xFFFF)),
}
JOINERS = "\u200c\u200d"  # Persian, Indian scripts and emoji are not written without them


def is_seen(character: str) -> bool:
    """Whether a reader sees the character and it does nothing else."""
    if character in JOINERS:
        return True
    hidden = ord(character) in BLANK or ord(character) in NO_CHARACTERS
    return not hidden and unicodedata.category(character) not in ACTING


def plain(text: str) -> str:
    """The text, to stand in a line, with U+FFFD for every character that is not seen or acts."""
    return text.translate(_LINE)


def plain_lines(text: str) -> str:
    """The same of a text that may have several lines and tabs."""
    return text.replace("\r\n", "\n").translate(_LINES)


class _Shown(dict[int, str]):
    """What stands for a character, by its number; looked up once for each."""

    def __missing__(self, number: int) -> str:
        character = chr(number)
        self[number] = character if is_seen(character) else MARK
        return self[number]


_LINE, _LINES = _Shown(), _Shown({ord(one): one for one in "\n\t"})
