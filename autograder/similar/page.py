"""The pairs as one page that needs nothing else, and as data."""

import ast
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.checks.kit.plain_text import plain_lines
from autograder.course import Course
from autograder.course.moments import in_words
from autograder.feedback.page import CONTENT_SECURITY_POLICY
from autograder.feedback.palette import DARK, PALETTE
from autograder.feedback.words import bounded
from autograder.notebooks.normal_form import NoPython, parsed
from autograder.similar.evidence import Shared
from autograder.similar.pairs import Pair, Similarity
from autograder.similar.words import names_told, one_in, told

LONGEST_CODE = 6000
OPEN = 1  # answers of a pair that stand open to the eye
LARGEST = 100  # pairs on a page; all are in the data


@dataclass(frozen=True)
class Side:
    """One of a pair's two answers.

    Attributes:
        student: whose it is.
        code: the answer, as HTML, with shared words marked.
    """

    student: str
    code: Markup


@dataclass(frozen=True)
class Line:
    """What is said of one shared thing.

    Attributes:
        place: the assignment, and the exercise where it is in one.
        text: what is shared, and how rare it is.
        sides: both answers where there is code to compare; else empty.
    """

    place: tuple[str, str]
    text: str
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True)
class Shown:
    """A pair as the page shows it.

    Attributes:
        names: of each of the two its name on the page.
        sections: theirs; empty where the roster has none.
        chance: how seldom as much is shared by chance.
        lines: what is shared, the rarest first.
    """

    names: tuple[str, str]
    sections: tuple[str, str]
    chance: str
    lines: tuple[Line, ...]


def as_page(course: Course, found: Similarity, made: datetime) -> str:
    """The pairs as HTML; all that comes from students is escaped, and bounded.

    Args:
        course: says who is who.
        found: the pairs.
        made: when, with a time zone.
    """
    page = (
        _templates()
        .get_template("similar.html.j2")
        .render(
            found=found,
            pairs=[_shown(course, found, pair) for pair in found.pairs[:LARGEST]],
            threshold=one_in(found.threshold),
            made=in_words(made, made.tzinfo),
            open=OPEN,
            content_security_policy=CONTENT_SECURITY_POLICY,
            palettes=(PALETTE, DARK),
        )
    )
    return plain_lines(page)


def as_json(course: Course, found: Similarity) -> dict[str, Any]:
    """The pairs as JSON values."""
    return {
        "note": "A reason to look, not a verdict.",
        "assignments": list(found.assignments),
        "submitters": found.students,
        "pairs_compared": found.compared,
        "shown_from_one_in": round(2**found.threshold),
        "pairs": [
            {
                "students": list(pair.students),
                "names": [_name(course, one) for one in pair.students],
                "sections": [_section(course, one) for one in pair.students],
                "at_most_one_in": float(f"{2 ** min(pair.bits, 1000):.3g}"),
                "bits": round(pair.bits, 2),
                "shared": [asdict(thing) for thing in pair.shared],
            }
            for pair in found.pairs
        ],
    }


def _shown(course: Course, found: Similarity, pair: Pair) -> Shown:
    one, other = pair.students
    return Shown(
        (_name(course, one), _name(course, other)),
        (_section(course, one), _section(course, other)),
        one_in(pair.bits),
        tuple(_lines(found, pair)),
    )


def _lines(found: Similarity, pair: Pair) -> Iterator[Line]:
    words = {thing.what for thing in pair.shared if thing.kind in ("comment", "name")}
    names: dict[str, list[Shared]] = {}
    for thing in pair.shared:
        if thing.kind == "name":
            names.setdefault(thing.assignment, []).append(thing)
            continue
        sides: tuple[Side, ...] = ()
        if thing.kind in ("answer", "mistake"):
            sides = tuple(_side(found, thing, student, words) for student in pair.students)
        yield Line((thing.assignment, thing.exercise), told(thing, pair.students), sides)
    for assignment, shared in names.items():
        yield Line((assignment, ""), names_told(shared))


def _side(found: Similarity, thing: Shared, student: str, words: set[str]) -> Side:
    source = found.answers[thing.assignment][student][thing.exercise].source
    released = found.released[thing.assignment].get(thing.exercise, "")
    for docstring in _docstrings(released):
        source = source.replace(docstring, '"""…"""')
    return Side(student, _marked(bounded(source.strip("\n"), LONGEST_CODE), words))


@cache
def _docstrings(source: str) -> tuple[str, ...]:
    """The docstrings that students were given, as they stand in the cell."""
    try:
        nodes = list(ast.walk(parsed(source)))
    except (NoPython, RecursionError):
        return ()
    found = (
        ast.get_source_segment(source, node.value)
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
    return tuple(one for one in found if one)


def _marked(source: str, words: set[str]) -> Markup:
    """The source as HTML, with the shared names and comments marked."""
    names = [word for word in words if word.isidentifier()]
    comments = [word for word in words if not word.isidentifier()]
    patterns = [rf"\b{re.escape(name)}\b" for name in names]
    patterns += [r"\s+".join(map(re.escape, comment.split())) for comment in comments]
    if not patterns:
        return escape(source)
    parts: list[Markup] = []
    end = 0
    for match in re.finditer("|".join(patterns), source, re.IGNORECASE):
        parts += [escape(source[end : match.start()]), Markup("<mark>%s</mark>") % match[0]]
        end = match.end()
    return Markup("").join([*parts, escape(source[end:])])


def _name(course: Course, student: str) -> str:
    person = course.roster.people.get(student)
    if person is not None and person.name != student:
        return f"{person.name} ({student})"
    members = [one.name for one in course.roster.members(student) if one.id != student]
    return f"{student} ({', '.join(members)})" if members else student


def _section(course: Course, student: str) -> str:
    found = {one.section for one in course.roster.members(student)}
    return ", ".join(sorted(found - {""}))


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("autograder.similar"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
