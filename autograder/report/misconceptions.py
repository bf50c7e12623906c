"""Misconceptions by students: how many hold each, where, who they are, and what to say about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.marks import Finding, Standing
from autograder.report.class_table import ClassTable
from autograder.report.examples import Example, Examples
from autograder.report.known_words import KnownWords, Said, to_say
from autograder.report.turnout import Student, students_of


@dataclass(frozen=True)
class Place:
    """An exercise in which a misconception was found.

    Attributes:
        assignment: the assignment.
        exercise: the exercise.
        answers: how many answers show it.
        tried: how many answers to the exercise there are.
    """

    assignment: str
    exercise: str
    answers: int
    tried: int


@dataclass(frozen=True)
class Misconception:
    """A misconception, and who holds it.

    Attributes:
        slug: its name.
        diagnosis: what answers that show it do, as its owner reads it.
        say: a sentence or two to say in class.
        students: everyone who holds it, by name; all members of a group.
        of: how many students tried any of these exercises.
        places: where it was found, most answers first.
        example: an answer that shows it; None where none can be read.
    """

    slug: str
    diagnosis: str
    say: str
    students: tuple[Student, ...]
    of: int
    places: tuple[Place, ...]
    example: Example | None


def misconceptions_in(
    tables: Sequence[ClassTable], words: KnownWords, examples: Examples
) -> tuple[Misconception, ...]:
    """Every misconception that was found, those that most students hold first.

    Args:
        tables: the answers, by assignment.
        words: what the course says of each.
        examples: finds an answer to show.
    """
    found: dict[str, dict[tuple[str, str], list[tuple[Standing, Finding]]]] = {}
    tried: dict[tuple[str, str], list[Standing]] = {}
    for table in tables:
        for exercise in table.assignment.exercises:
            place = table.assignment.name, exercise.name
            answers = [one for one in table.findings(exercise.name) if one[1].attempted]
            tried[place] = [standing for standing, _ in answers]
            for standing, finding in answers:
                for slug in dict.fromkeys(finding.misconceptions):
                    found.setdefault(slug, {}).setdefault(place, []).append((standing, finding))
    all_of_them = [_told(slug, places, tried, words, examples) for slug, places in found.items()]
    return tuple(sorted(all_of_them, key=lambda one: (-len(one.students), one.slug)))


def _told(
    slug: str,
    held: dict[tuple[str, str], list[tuple[Standing, Finding]]],
    tried: dict[tuple[str, str], list[Standing]],
    words: KnownWords,
    examples: Examples,
) -> Misconception:
    places = [
        Place(assignment, exercise, len(answers), len(tried[assignment, exercise]))
        for (assignment, exercise), answers in held.items()
    ]
    places.sort(key=lambda one: -one.answers)
    most = places[0]
    answers = held[most.assignment, most.exercise]
    message = next((finding.message for _, finding in answers if finding.message), None)
    said = words.said(most.assignment, most.exercise, slug) or Said(message or slug)
    students = students_of(standing for them in held.values() for standing, _ in them)
    of = len({person.id for place in held for one in tried[place] for person in one.people})
    return Misconception(
        slug=slug,
        diagnosis=said.diagnosis,
        say=to_say(said, most.exercise, len(places), len(students) / of),
        students=students,
        of=of,
        places=tuple(places),
        example=examples.one_of(most.assignment, most.exercise, answers),
    )
