"""Pairs of submissions that share more than chance explains, the rarest first.

How much a pair shares is a likelihood ratio: how much more often two submissions would share this
if one had been made from the other than if both had been made apart. What they do not share counts
against it. Over pairs made apart its mean is at most 1, so that at most one in x of them reaches x.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from autograder.course import Course
from autograder.marks.answers import Answers
from autograder.marks.known_answers import known_texts
from autograder.marks.standing import standing_of
from autograder.similar.evidence import Evidence, Shared
from autograder.similar.gathering import HandedIn, evidence_of

SHARES_COPIED = (0.1, 0.3, 0.6, 0.9)  # how much of a submission a copy takes, each as likely
FEWEST_BITS = 8.0
# By the bound above, so many pairs of a class may be shown by chance; measured it is about one.
MOST_BY_CHANCE = 16


@dataclass(frozen=True)
class Pair:
    """Two submissions that share rare things.

    Attributes:
        students: the two ids, in order.
        bits: of pairs that were made apart, at most one in 2 ** bits shares as much.
        shared: what, the rarest first.
    """

    students: tuple[str, str]
    bits: float
    shared: tuple[Shared, ...]


@dataclass(frozen=True)
class Similarity:
    """What was found in a class.

    Attributes:
        assignments: which were compared.
        students: how many ids handed in one of them.
        compared: how many pairs there are.
        threshold: the bits from which on a pair is shown.
        pairs: those that reach it, the most first.
        answers: what was handed in, by assignment, student and exercise.
        released: what students were given, by assignment and exercise.
    """

    assignments: tuple[str, ...]
    students: int
    compared: int
    threshold: float
    pairs: tuple[Pair, ...]
    answers: Mapping[str, HandedIn]
    released: Mapping[str, Mapping[str, str]]


def similarity_of(course: Course, assignments: Sequence[str]) -> Similarity:
    """Compare every two submissions of a class, over all assignments together.

    Args:
        course: the course.
        assignments: their names.
    """
    read = {name: Answers(course, name) for name in assignments}
    handed_in = {name: answers.handed_in() for name, answers in read.items()}
    students = {student for theirs in handed_in.values() for student in theirs}
    known = known_texts(course) if len(students) > 1 else []
    evidence: list[Evidence] = []
    for name, theirs in handed_in.items():
        standings = standing_of(course, [name]) if len(theirs) > 1 else []
        evidence += evidence_of(course, name, read[name], theirs, standings, known)
    threshold = threshold_of(len(students))
    pairs = [one for one in rank(evidence) if not _belong_together(course, one.students)]
    shown = tuple(one for one in pairs if one.bits >= threshold)
    return Similarity(
        assignments=tuple(assignments),
        students=len(students),
        compared=math.comb(len(students), 2),
        threshold=threshold,
        pairs=shown,
        answers=handed_in,
        released={name: answers.released for name, answers in read.items()},
    )


def threshold_of(students: int) -> float:
    """The bits from which on a pair is shown, in a class of that many."""
    compared = math.comb(students, 2)
    return max(FEWEST_BITS, math.log2(max(1, compared) / MOST_BY_CHANCE))


def rank(evidence: Collection[Evidence]) -> list[Pair]:
    """All pairs that share something rare, those that share the most first."""
    candidates = {pair for one in evidence for pair in one.candidates()}
    pairs = [_pair(evidence, *students) for students in candidates]
    return sorted(pairs, key=lambda one: (-one.bits, one.students))


def _pair(evidence: Collection[Evidence], one: str, other: str) -> Pair:
    found = (part.ratio(one, other) for part in evidence)
    ratios = [ratio for ratio in found if ratio is not None]
    likely = [math.prod((1 - share) + share * ratio for ratio in ratios) for share in SHARES_COPIED]
    shared = [thing for part in evidence for thing in part.shared(one, other)]
    shared.sort(key=lambda thing: -thing.one_in)
    return Pair((one, other), math.log2(sum(likely) / len(likely)), tuple(shared))


def _belong_together(course: Course, students: tuple[str, str]) -> bool:
    """Whether two ids are of one group, or one is the group of the other."""
    groups = []
    for student in students:
        person = course.roster.people.get(student)
        members = {one.id for one in course.roster.members(student)}
        groups.append({student, *members, *([person.group] if person and person.group else [])})
    return bool(groups[0] & groups[1])
