"""Names of students' folders: which are refused, and which look like one another."""

import unicodedata
from collections.abc import Iterable

from autograder.checks.kit.plain_text import JOINERS, is_seen
from autograder.course.roster import plain_id

LONGEST_NAME = 100
# nbgrader matches folders with glob patterns, and reads `{` as a format field.
REFUSED = set('*?[]{}/\\:"<>|')
# What does no harm in a text, and makes two names of one look.
SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *map(ord, JOINERS)}
# Scripts that share the look of many letters.
ALIKE_SCRIPTS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}
LATIN_LOOK = str.maketrans("авекмнорстухіјѕһԁԛԝαβεζηικμνορτυχ", "abekmhopctyxijshdqwabezhikmvoptyx")
LATIN_LOOK |= dict.fromkeys(map(ord, "’‘ʼʹ′`´"), ord("'"))  # o'brien


def odd_name(student: str) -> str | None:
    """Why a folder's name is not fit to be a student's id; None when it is."""
    if len(student) > LONGEST_NAME:
        return f"the name has {len(student)} characters; {LONGEST_NAME} are allowed"
    for character in student:
        if unicodedata.category(character) == "Cs":
            return "the name is not valid Unicode"
        if character in REFUSED:
            return f"the name has the character {character!r}"
        unknown = unicodedata.category(character) == "Cn"
        if unknown or ord(character) in SELECTORS or not is_seen(character):
            return f"the name has the invisible character U+{ord(character):04X}"
    if student.startswith("."):
        return "the name starts with a dot, which hides the folder"
    if student.startswith(("=", "+", "-", "@")):
        return f"the name starts with {student[0]!r}: a formula to a spreadsheet, an option to us"
    if student.startswith("'"):
        return "the name starts with an apostrophe, which a spreadsheet hides"
    return odd_letters(student)


def odd_letters(student: str) -> str | None:
    """Why a name could be taken for another by its letters; None when it could not."""
    if student != student.strip():
        return "the name has hidden differences (space at an end)"
    plain = unicodedata.normalize("NFKC", student)
    if plain_id(student) != plain:
        return f"the name has letters that look like others; in plain letters it is {plain!r}"
    scripts = {unicodedata.name(letter, "?").split()[0] for letter in student if letter.isalpha()}
    mixed = sorted(scripts & ALIKE_SCRIPTS)
    if len(mixed) > 1:
        return f"the name mixes {' and '.join(script.title() for script in mixed)} letters"
    return None


def look_alikes(students: Iterable[str]) -> list[list[str]]:
    """Names that a reader could take for one another, group by group."""
    groups: dict[str, list[str]] = {}
    for student in sorted(set(students)):
        look = unicodedata.normalize("NFKC", student.casefold()).translate(LATIN_LOOK)
        groups.setdefault(look, []).append(student)
    return [group for group in groups.values() if len(group) > 1]
