"""Reads `solutions/<module>/quiz.toml`, and says what is wrong with a question there."""

import json
import re
import tomllib
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.checks.kit.personal import NAMED
from autograder.course.errors import CourseError, did_you_mean
from autograder.course.expressions import Expression
from autograder.course.questions import (
    QUESTION_NAME,
    Choice,
    Choices,
    Number,
    Option,
    Question,
    Shape,
    WrongValue,
)
from autograder.course.telling_apart import MOST_COMBINATIONS, why_not_apart

LETTERS = "ABCDEFGH"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SIZE = re.compile(r"[a-z]\w*", re.ASCII)
KINDS = {
    "choice": {"options"},
    "choices": {"options"},
    "number": {"why", "wrong", "personal", "tolerance", "relative", "unit"},
    "shape": {"why", "wrong", "personal"},
}
COMMON = {"name", "kind", "text", "key", "accept", "void"}


class _Odd(Exception):
    """A field is not as it should be; the text says which, and how it should be."""


def read_quiz(path: Path) -> dict[str, Question]:
    """The questions of one assignment, by name, in the file's order.

    Raises:
        CourseError: the file is missing or wrong; the text says what.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CourseError(f"The quiz {path} is missing.") from error
    try:
        return dict(_questions(text))
    except _Odd as odd:
        raise CourseError(f"{path}: {odd}") from odd


@lru_cache(maxsize=64)
def _questions(text: str) -> dict[str, Question]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _Odd(str(error)) from error
    _only(data, {"question"}, "the file")
    questions: dict[str, Question] = {}
    entries = data.get("question", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _Odd("questions are written as [[question]].")
    for entry in entries:
        name = _text(entry, "name", "a question")
        where = f"question {name!r}"
        if not QUESTION_NAME.fullmatch(name):
            raise _Odd(f"{where}: a question's name is q or k and a number, such as q1 or k2.")
        if name in questions:
            raise _Odd(f"{where} is there twice.")
        questions[name] = _question(entry, name, where)
    return questions


def _question(entry: dict, name: str, where: str) -> Question:
    # A list of letters as the key says by itself that all of them are to be ticked.
    kind = entry.get("kind", "choices" if isinstance(entry.get("key"), list) else "choice")
    if not isinstance(kind, str) or kind not in KINDS:
        raise _Odd(f"{where}: kind {kind!r} is none of {', '.join(KINDS)}.")
    _only(entry, COMMON | KINDS[kind], f"{where}, of kind {kind}")
    text, void = _text(entry, "text", where), _void(entry, where)
    if kind in ("choice", "choices"):
        return Question(name, text, _chosen(entry, kind, where), void=void)
    answer = _number(entry, where) if kind == "number" else _shape(entry, where)
    question = Question(name, text, answer, _sizes(entry, where), void)
    _check_template(question, where)
    problem = why_not_apart(question)
    if problem is not None:
        raise _Odd(f"{where}: {problem}")
    return question


def _chosen(entry: dict, kind: str, where: str) -> Choice | Choices:
    options = {
        letter: _option(option, f"{where}, option {letter}")
        for letter, option in _table(entry, "options", where).items()
    }
    if list(options) != list(LETTERS[: len(options)]) or len(options) < 2:
        raise _Odd(f"{where}: the options are A, B and so on, in this order, and at least two.")
    key = _field(entry, "key", where)
    return (_choice if kind == "choice" else _choices)(options, key, _accept(entry, where), where)


def _choice(options: dict[str, Option], key: Any, accept: list, where: str) -> Choice:
    if isinstance(key, list):
        raise _Odd(
            f"{where}: a list as the key means that students tick all of it, and of kind choice "
            'they name one letter. Say kind = "choices"; or, where any one of several letters is '
            'right, make one of them the key and list the others: accept = ["A", "B"].'
        )
    if not isinstance(key, str):
        raise _Odd(f'{where}: the key is a letter in quotation marks, such as "A", not {key!r}.')
    _check_letters([key], options, f"the key of {where}")
    _check_letters(accept, options, f"an accepted answer of {where}")
    for letter, option in options.items():
        if letter not in accept and (option.misconception is None) != (letter == key):
            raise _Odd(
                f"{where}: every wrong option needs a misconception, the key none; "
                f"look at option {letter}."
            )
    return Choice(options, key, tuple(letter for letter in options if letter in accept))


def _choices(options: dict[str, Option], key: Any, accept: list, where: str) -> Choices:
    if not isinstance(key, list):
        raise _Odd(f'{where}: the key is a list of letters, such as ["A", "C"], not {key!r}.')
    for letter, option in options.items():
        if option.misconception is None:
            raise _Odd(
                f"{where}: every option needs a misconception, which choosing it (if wrong) or "
                f"leaving it out (if right) shows; look at option {letter}. A list as the key "
                "means that students tick all of it; where any one of several letters is right, "
                'make one of them the key and list the others: accept = ["A", "B"].'
            )
    for one in accept:
        if not isinstance(one, list):
            raise _Odd(
                f"{where}: each accepted answer is a list of letters of its own, as in "
                f'accept = [["A"], ["A", "C"]], not {one!r}.'
            )
    right = _ticked(key, options, f"the key of {where}")
    accepted = (_ticked(one, options, f"an accepted answer of {where}") for one in accept)
    return Choices(options, right, tuple(accepted))


def _ticked(letters: list, options: dict[str, Option], what: str) -> tuple[str, ...]:
    """Letters that are ticked together, in order."""
    _check_letters(letters, options, what)
    if not letters or len(set(letters)) < len(letters):
        raise _Odd(f"{what} needs at least one letter, and none twice.")
    return tuple(sorted(letters))


def _check_letters(letters: list, options: dict[str, Option], what: str) -> None:
    for letter in letters:
        if not isinstance(letter, str) or letter not in options:
            raise _Odd(f"{what}, {letter!r}, is not an option.")


def _accept(entry: dict, where: str) -> list:
    accept = entry.get("accept", [])
    if not isinstance(accept, list):
        raise _Odd(
            f"{where}: accept is a list of answers that earn the points beside the key, such as "
            f"[{json.dumps(accept, default=str)}]."
        )
    return accept


def _void(entry: dict, where: str) -> bool:
    void = entry.get("void", False)
    if not isinstance(void, bool):
        raise _Odd(f"{where}: void is true or false, without quotation marks, not {void!r}.")
    return void


def _option(option: Any, where: str) -> Option:
    if not isinstance(option, dict):
        raise _Odd(f"{where} is not a table with text and why.")
    _only(option, {"text", "why", "misconception"}, where)
    slug = _slug(option, where) if "misconception" in option else None
    return Option(_text(option, "text", where), _text(option, "why", where), slug)


def _number(entry: dict, where: str) -> Number:
    if "tolerance" in entry and "relative" in entry:
        raise _Odd(f"{where}: give a tolerance or a relative one, not both.")
    relative = "relative" in entry
    tolerance = entry.get("relative", entry.get("tolerance", 0))
    if type(tolerance) not in (int, float) or not 0 <= tolerance < float("inf"):
        raise _Odd(f"{where}: the tolerance is a number, 0 or more; here it is {tolerance!r}.")
    unit = _text(entry, "unit", where) if "unit" in entry else None
    if isinstance(entry.get("key"), list):
        raise _Odd(
            f"{where}: the key is one number or a Python expression, not {entry['key']!r}. Where "
            "others are right, too, list them: accept = [22.6, 23]."
        )
    key, why = _expression(entry, "key", where), _text(entry, "why", where)
    wrong, accept = _wrong(entry, where), _accepted(entry, where)
    return Number(key, why, wrong, tolerance, relative, unit, accept)


def _shape(entry: dict, where: str) -> Shape:
    key, why = _expression(entry, "key", where), _text(entry, "why", where)
    return Shape(key, why, _wrong(entry, where), _accepted(entry, where))


def _accepted(entry: dict, where: str) -> tuple[Expression, ...]:
    return tuple(_expression({"accept": one}, "accept", where) for one in _accept(entry, where))


def _wrong(entry: dict, where: str) -> tuple[WrongValue, ...]:
    found = entry.get("wrong", [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise _Odd(f"{where}: wrong values are written as [[question.wrong]].")
    made = []
    for number, one in enumerate(found, start=1):
        place = f"{where}, wrong value {number}"
        _only(one, {"value", "why", "misconception"}, place)
        value, why = _expression(one, "value", place), _text(one, "why", place)
        made.append(WrongValue(value, why, _slug(one, place)))
    return tuple(made)


def _sizes(entry: dict, where: str) -> dict[str, tuple[int, ...]]:
    if "personal" not in entry:
        return {}
    sizes = {
        name: _possible(among, name, where)
        for name, among in _table(entry, "personal", where).items()
    }
    combinations = 1
    for among in sizes.values():
        combinations *= len(among)
    if not 1 < combinations <= MOST_COMBINATIONS:
        raise _Odd(
            f"{where}: its sizes have {combinations} combinations; all are tried, so at most "
            f"{MOST_COMBINATIONS} are allowed, and 2 are the fewest that make it personal."
        )
    return sizes


def _possible(among: Any, name: str, where: str) -> tuple[int, ...]:
    if not SIZE.fullmatch(name):
        raise _Odd(f"{where}: a size is named as a variable is, in small letters, not {name!r}.")
    fields = among if isinstance(among, dict) else {}
    if fields.keys() == {"low", "high"} and _whole(fields.values()):
        possible = tuple(range(fields["low"], fields["high"] + 1))
    elif fields.keys() == {"choices"} and isinstance(fields["choices"], list):
        possible = tuple(fields["choices"]) if _whole(fields["choices"]) else ()
    else:
        possible = ()
    if not possible or len(set(possible)) < len(possible):
        raise _Odd(
            f"{where}: the size {name} is {among!r}; write {{low = 2, high = 9}}, both included, "
            "or {choices = [2, 3, 6]}."
        )
    return possible


def _check_template(question: Question, where: str) -> None:
    """A personal text names every size, and nothing else between single braces."""
    if not question.is_personal:
        return
    named = NAMED.findall(question.text)
    for name in named:
        if name not in question.sizes:
            raise _Odd(
                f"{where}: its text names {{{name}}}, which is no size of it."
                f"{did_you_mean(name, question.sizes)} Where a formula needs the braces, put a "
                f"space inside: {{ {name} }}."
            )
    for name in question.sizes:
        if name not in named:
            raise _Odd(f"{where}: its text does not say {{{name}}}, so nobody could know it.")


def _expression(entry: dict, name: str, where: str) -> Expression:
    value = _field(entry, name, where)
    if isinstance(value, list):
        value = tuple(value)
    elif isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _Odd(f"{where}: {name} is a number or a Python expression, not {value!r}.")
    return Expression(value if isinstance(value, str) else repr(value))


def _slug(entry: dict, where: str) -> str:
    slug = _text(entry, "misconception", where)
    if not SLUG.fullmatch(slug):
        raise _Odd(f"{where}: a misconception is a slug such as 'scores-transposed', not {slug!r}.")
    return slug


def _text(entry: dict, name: str, where: str) -> str:
    value = _field(entry, name, where)
    if not isinstance(value, str) or not value.strip():
        raise _Odd(f"{where}: {name} is a text, not {value!r}.")
    return value


def _table(entry: dict, name: str, where: str) -> dict:
    value = _field(entry, name, where)
    if not isinstance(value, dict) or not value:
        raise _Odd(f"{where}: {name} is a table, [question.{name}].")
    return value


def _field(entry: dict, name: str, where: str) -> Any:
    if name not in entry:
        raise _Odd(f"{where} lacks {name!r}.")
    return entry[name]


def _only(entry: dict, known: Collection[str], where: str) -> None:
    for name in entry:
        if name not in known:
            raise _Odd(f"{where} has {name!r}, which nothing reads.{did_you_mean(name, known)}")


def _whole(values: Collection[Any]) -> bool:
    return all(type(value) is int and value > 0 for value in values)
