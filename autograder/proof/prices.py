"""What a teacher takes of an exercise's marks for each known mistake: `graders/*/prices.toml`.

A file an assignment. Each table is named after an exercise and gives a share of its marks, the
mistakes for which it is taken, and in a few words what these have in common. Marks should follow
what a slip does, and not how many claims it meets: `validate` says how far they are from that.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.bank import mistakes
from autograder.course import Assignment
from autograder.course.layout import graders_folder
from autograder.proof.proving import Proof

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


def off_price(root: Path, proofs: Iterable[Proof]) -> tuple[int, dict[str, tuple[float, float]]]:
    """How many known mistakes have a price, and which of them cost something else.

    Args:
        root: the course's folder.
        proofs: those of any assignments; an assignment without a table is left out.

    Returns:
        the count; and by exercise and name the share of the marks that is taken and the price, for
        those where they differ by more than a tenth of the marks, the furthest first.
    """
    count, off = 0, {}
    for proof in proofs:
        exercise, name = proof.answer.exercise, proof.answer.name
        price = prices(root, proof.assignment).get(exercise.name, {}).get(name)
        if price is None or proof.answer.kind != "mistake" or proof.absent:
            continue
        count += 1
        taken = 1 - proof.verdict.score / proof.verdict.decided_points
        if abs(taken - price) > TENTH + ROUNDING:
            off[f"{exercise.name}: {name}"] = taken, price
    furthest = sorted(off.items(), key=lambda one: -abs(one[1][0] - one[1][1]))
    return count, dict(furthest)


def incomplete(root: Path, assignment: Assignment) -> list[str]:
    """What an assignment's table lacks or has in vain, a line each; nothing without a table."""
    table = prices(root, assignment.name)
    if not table:
        return []
    known = {
        (exercise.name, one.slug)
        for exercise in assignment.exercises
        for one in mistakes(exercise.name)
        if not one.costs_nothing
    }
    priced = {(exercise, name) for exercise, names in table.items() for name in names}
    return [
        *(f"{exercise}: {name} has no price" for exercise, name in sorted(known - priced)),
        *(
            f"{exercise}: no known mistake is {name}, and it has a price"
            for exercise, name in sorted(priced - known)
        ),
    ]
