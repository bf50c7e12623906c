"""What a teacher takes of an exercise's marks for each known mistake: `graders/*/prices.toml`.

A file an assignment. Each table is named after an exercise and gives a share of its marks, the
mistakes for which it is taken, and in a few words what these have in common. The marks that hidden
tests take are held to it: they follow what a slip does, not how many claims it meets.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.bank import mistakes
from autograder.course import Assignment
from autograder.course.layout import graders_folder
from autograder.proof.proving import Proof
from autograder.verdicts import ExerciseVerdict

NAME = "prices.toml"
TENTH = 0.1
ROUNDING = 1e-6


@cache
def prices(root: Path, assignment: str) -> dict[str, dict[str, float]]:
    """What each mistake costs, 0 to 1, by exercise and name; empty where the course has no table.

    Args:
        root: the course's folder.
        assignment: the assignment's name.
    Raises:
        ValueError: a mistake has two prices, or one that is no share.
    """
    path = graders_folder(root, assignment) / NAME
    tables = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    found: dict[str, dict[str, float]] = {}
    for exercise, groups in tables.items():
        known = found.setdefault(exercise, {})
        for group in groups:
            if not 0 < group["takes"] <= 1:
                raise ValueError(f"{path}: {exercise}: {group['takes']} is no share of the marks")
            for name in group["names"]:
                if name in known:
                    raise ValueError(f"{path}: {exercise}: {name} has two prices")
                known[name] = group["takes"]
    return found


def mispriced(root: Path, proofs: Iterable[Proof]) -> list[str]:
    """The known mistakes whose marks are not their price, or that have none, a line each.

    Args:
        root: the course's folder.
        proofs: those of any assignments; an assignment without a table is left out.
    """
    wrong = []
    for proof in proofs:
        asked = prices(root, proof.assignment)
        exercise, name = proof.answer.exercise, proof.answer.name
        if not asked or proof.answer.kind != "mistake" or exercise.kind != "code" or proof.absent:
            continue
        price = asked.get(exercise.name, {}).get(name)
        taken = _taken(proof.verdict)
        if price is None:
            wrong.append(f"{exercise.name}: {name} has no price; it costs {taken:.2f} of the marks")
        elif abs(taken - price) > TENTH + ROUNDING:
            wrong.append(
                f"{exercise.name}: {name} costs {taken:.2f} of the marks, where a teacher takes "
                f"{price:g}"
            )
    return wrong


def without_mistake(root: Path, assignment: Assignment) -> list[str]:
    """The prices of an assignment's table that no known mistake has, a line each."""
    known = {exercise.name for exercise in assignment.exercises}
    return [
        f"{exercise}: there is a price for {name}, and no known mistake of that name"
        for exercise, names in prices(root, assignment.name).items()
        for name in names
        if exercise not in known or name not in {one.slug for one in mistakes(exercise)}
    ]


def _taken(verdict: ExerciseVerdict) -> float:
    """The share of the marks that an answer loses."""
    return 1 - verdict.score / verdict.decided_points
