"""How many pairs `autograder similar` shows of a class that worked apart, and of one that did not.

A class is made from the courses' known answers, drawn at random for each student and exercise, each
written with names and layout of the student's own. Six in ten are right; of right answers, and of
mistakes, some are ten times as common as others. In a second kind of class the course is told half
of them alone, so that the rest look like answers that nobody has foreseen. Then ten students
replace their submission by another's: all of it or half of it, with other names, another layout,
and lines in another order.

    .venv/bin/python -m benchmarks.similar
"""

import argparse
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from autograder.course import Course, load_course
from autograder.marks.known_answers import KnownText, known_texts
from autograder.notebooks.loose_form import loose_form
from autograder.notebooks.normal_form import Imports, imports_of
from autograder.notebooks.own_words import names_in
from autograder.similar.evidence import Code, Evidence, Words, Written
from autograder.similar.pairs import rank, threshold_of
from benchmarks import machine
from benchmarks.disguises import copied, own_hand

COURSES = {"attention": machine.ROOT, "line fitting": machine.ROOT / "examples" / "line-fitting"}
RESULT = machine.ROOT / "benchmarks" / "results" / "similar.md"
SIZES = (30, 100, 200)
SEEDS = 2
COPIES = 10
RIGHT = 0.6


@dataclass(frozen=True)
class Assignment:
    """An assignment's known answers, and what its notebook imports."""

    name: str
    imports: Imports
    right: Mapping[str, list[KnownText]]
    wrong: Mapping[str, list[KnownText]]


@dataclass(frozen=True)
class Drawn:
    """A student's answer to one exercise: the text, and the mistake in it, if any."""

    text: str
    mistake: str


Class = dict[str, dict[str, Drawn]]


def main() -> None:
    """Make classes, rank their pairs, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    arguments = parser.parse_args()
    lines: list[str] = []
    read_courses = {name: list(read(load_course(root))) for name, root in COURSES.items()}
    seen = disguises_seen_through([one for all_ in read_courses.values() for one in all_])
    for size in arguments.sizes:
        for course, assignments in read_courses.items():
            for told in (1.0, 0.5):
                lines.append(row(course, assignments, size, told, arguments.seeds))
                print(lines[-1], flush=True)
                text = f"{HEAD}\n" + "\n".join(lines) + f"\n\n{FOOT}"
                foot = f"{seen}\n\n{arguments.seeds} seeds. {machine.described()}."
                RESULT.write_text(f"{text}\n\n{foot}\n", encoding="utf-8")


HEAD = """# Pairs that share more than chance explains

| course | class | known to the course | pairs that worked apart and are shown, worst assignment and seed | on average | whole copies shown | ranked before all others | half copies shown | ranked before all others |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""  # noqa: E501
FOOT = """Each assignment is compared by itself: several together tell more. A class is drawn anew
for each assignment and seed; ten of its students copy from ten others."""


def disguises_seen_through(assignments: list[Assignment]) -> str:
    """How many known answers keep their form when they are copied, in a sentence."""
    dice = random.Random(1)
    kept = [
        _form(copied(one.source, name, dice), name, assignment.imports)
        == _form(one.source, name, assignment.imports)
        for assignment in assignments
        for name, right in assignment.right.items()
        for one in [*right, *assignment.wrong.get(name, [])]
    ]
    return f"Of {len(kept)} known answers {sum(kept)} have the same loose form after such a copy."


def read(course: Course) -> Iterator[Assignment]:
    """The known answers of each assignment that has three exercises in code or more."""
    texts = known_texts(course)
    for name, assignment in course.assignments.items():
        right, wrong = defaultdict(list), defaultdict(list)
        code = {one.name for one in assignment.exercises if one.kind == "code"}
        for one in texts:
            if one.exercise in code:
                (right if one.kind == "right" else wrong)[one.exercise].append(one)
        if len(code) >= 3:
            imports = imports_of(course.source(name).read_text(encoding="utf-8"))
            yield Assignment(name, tuple(sorted(dict(imports).items())), right, wrong)


def row(course: str, assignments: list[Assignment], size: int, told: float, seeds: int) -> str:
    """One line of the table."""
    shares = []
    found = {1.0: [0, 0, 0], 0.5: [0, 0, 0]}
    for assignment in assignments:
        for seed in range(seeds):
            dice = random.Random(f"{assignment.name} {seed} {size} {told}")
            students = drawn(assignment, size, dice)
            pairs = shown(assignment, students, told)
            shares.append(len(pairs) / math.comb(size, 2))
            for part, counts in found.items():
                cheated, wanted = with_copies(students, part, dice)
                ranked = ranking(assignment, cheated, told)
                bits = threshold_of(size)
                counts[0] += COPIES
                counts[1] += sum(p.bits >= bits and p.students in wanted for p in ranked)
                counts[2] += sum(one.students in wanted for one in ranked[:COPIES])
    cells = [course, str(size), "all" if told == 1 else "half"]
    cells += [f"{max(shares):.3%}", f"{sum(shares) / len(shares):.4%}"]
    for part in (1.0, 0.5):
        of, over, first = found[part]
        cells += [f"{over / of:.0%}", f"{first / of:.0%}"]
    return "| " + " | ".join(cells) + " |"


def drawn(assignment: Assignment, size: int, dice: random.Random) -> Class:
    """A class of students who work apart."""
    able = {name: _weights(texts, dice) for name, texts in assignment.right.items()}
    unable = {name: _weights(texts, dice) for name, texts in assignment.wrong.items()}
    return {
        f"student{number:03}": {
            name: _draw(name, assignment, able, unable, dice) for name in assignment.right
        }
        for number in range(size)
    }


def _draw(
    name: str,
    assignment: Assignment,
    able: Mapping[str, list[float]],
    unable: Mapping[str, list[float]],
    dice: random.Random,
) -> Drawn:
    wrong = assignment.wrong.get(name, [])
    if wrong and dice.random() > RIGHT:
        (one,) = dice.choices(wrong, unable[name])
    else:
        (one,) = dice.choices(assignment.right[name], able[name])
    return Drawn(own_hand(one.source, name, dice), one.name if one.kind == "mistake" else "")


def _weights(texts: list[KnownText], dice: random.Random) -> list[float]:
    return [10 ** -dice.random() for _ in texts]


def with_copies(
    students: Class, part: float, dice: random.Random
) -> tuple[Class, set[tuple[str, str]]]:
    """The class after ten of it have copied a part of another's submission, and who did."""
    chosen = dice.sample(sorted(students), 2 * COPIES)
    cheated, pairs = dict(students), set()
    for giver, taker in zip(chosen[:COPIES], chosen[COPIES:], strict=True):
        names = sorted(students[giver])
        taken = set(dice.sample(names, math.ceil(part * len(names))))
        cheated[taker] = {
            name: Drawn(copied(one.text, name, dice), one.mistake)
            if name in taken
            else students[taker][name]
            for name, one in students[giver].items()
        }
        pairs.add((min(giver, taker), max(giver, taker)))
    return cheated, pairs


def shown(assignment: Assignment, students: Class, told: float) -> list:
    """The pairs that the command would show."""
    return [
        one
        for one in ranking(assignment, students, told)
        if one.bits >= threshold_of(len(students))
    ]


def ranking(assignment: Assignment, students: Class, told: float) -> list:
    """All pairs that share something rare."""
    evidence: list[Evidence] = []
    for name, right in assignment.right.items():
        texts = [*right, *assignment.wrong.get(name, [])]
        known = texts[:: round(1 / told)]
        forms, right_forms = (
            frozenset(_form(one.source, name, assignment.imports) for one in some)
            for some in (known, [one for one in known if one in right])
        )
        written = {
            student: Written(
                _form(theirs[name].text, name, assignment.imports),
                theirs[name].mistake,
                theirs[name].mistake,
            )
            for student, theirs in students.items()
        }
        evidence.append(Code(assignment.name, name, written, forms, right_forms))
    said = {
        word
        for texts in (*assignment.right.values(), *assignment.wrong.values())
        for one in texts
        for word in _names(one.source)
    }
    used = {
        student: frozenset(word for one in theirs.values() for word in _names(one.text)) - said
        for student, theirs in students.items()
    }
    evidence.append(Words("name", assignment.name, used))
    return rank(evidence)


_names = cache(names_in)
_forms: dict[tuple[str, str], str] = {}


def _form(source: str, name: str, imports: Imports) -> str:
    if (source, name) not in _forms:
        _forms[source, name] = loose_form(source, name, imports)
    return _forms[source, name]


if __name__ == "__main__":
    main()
