"""A class on one page of Markdown, as GitHub shows it beside a run of its Actions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from autograder.checks.kit.plain_text import plain
from autograder.commands.class_list import absences
from autograder.commands.marks_table import CENT, points

MOST_BYTES = 1_000_000
"""GitHub shows nothing of a summary above 1 MiB."""
SHARE_OF_UNGRADED = 0.3  # of the page, at most; marks should be on it too
SHARE_OF_ABSENT = 0.2
SHARE_OF_MISPLACED = 0.1
COMMONEST = 10  # misconceptions that are listed
LONGEST = 300  # characters of a reason


def as_summary(contract: dict[str, Any]) -> str:
    """The whole run for a person.

    Args:
        contract: what `verdicts.contract.as_contract` gives.
    Returns:
        Markdown below GitHub's limit; where lines are left out, it says how many.
    """
    submissions = contract["submissions"]
    ungraded = [one for one in submissions if one["status"] == "ungraded"]
    absent = contract.get("absent", [])
    parts = [f"# Marks\n\n{_counted(submissions, ungraded, absent, contract['sandbox'])}\n"]
    parts += _not_graded(ungraded)
    parts += _misplaced(contract.get("misplaced", []))
    parts += _absent(absent)
    parts += _faults(submissions)
    parts += _misconceptions(submissions)
    left = MOST_BYTES - sum(_size(part) for part in parts)
    columns = "| student | assignment | marks | pending | lost marks on |\n|---|---|--:|--:|---|"
    head = f"## By student\n\n{columns}"
    return "\n".join([*parts, _bounded(head, map(_row, submissions), left)])


def code(text: str) -> str:
    """Text of unknown origin as code: nothing in it is markup, a link or somebody's name."""
    shown = plain(" ".join(text.split()))
    escaped = [one if one.isalnum() or one in " -" else f"&#{ord(one)};" for one in shown]
    return f"<code>{''.join(escaped)}</code>"


def _counted(
    submissions: Sequence[dict[str, Any]],
    ungraded: Sequence[dict[str, Any]],
    absent: Sequence[dict[str, Any]],
    sandbox: str,
) -> str:
    waiting = sum(one["pending_points"] or 0 for one in submissions)
    said = f"{len(submissions) - len(ungraded)} graded, {len(ungraded)} ungraded"
    for status, count in absences(one["status"] for one in absent):
        said += f", {count} {status}"
    return f"{said}, {points(waiting)} points pending. Sandbox: {code(sandbox)}."


def _not_graded(ungraded: Sequence[dict[str, Any]]) -> list[str]:
    if not ungraded:
        return []
    head = "## Not graded\n\n| student | assignment | reason |\n|---|---|---|"
    rows = (f"| {_who(one)} | {code(one['assignment'])} | {_reason(one)} |" for one in ungraded)
    return [_bounded(head, rows, int(MOST_BYTES * SHARE_OF_UNGRADED))]


def _misplaced(found: Sequence[dict[str, Any]]) -> list[str]:
    if not found:
        return []
    head = "## In no assignment's folder\n\n| in submitted/ | why | meant |\n|---|---|---|"
    rows = (
        f"| {code(one['path'])} | {code(one['why'])} | {code(one['near']) if one['near'] else ''} |"
        for one in found
    )
    return [_bounded(head, rows, int(MOST_BYTES * SHARE_OF_MISPLACED))]


def _absent(absent: Sequence[dict[str, Any]]) -> list[str]:
    if not absent:
        return []
    head = "## Not handed in\n\n| student | assignment | | due |\n|---|---|---|---|"
    rows = (
        f"| {_who(one)} | {code(one['assignment'])} | {one['status']} | "
        f"{code(one['due']) if one['due'] else ''} |"
        for one in absent
    )
    return [_bounded(head, rows, int(MOST_BYTES * SHARE_OF_ABSENT))]


def _who(told: dict[str, Any]) -> str:
    """The id, and the names where a roster has them."""
    names = [one["name"] for one in told.get("people", ())]
    known = names and names != [told["student"]]
    return f"{code(told['student'])} {code('; '.join(names))}" if known else code(told["student"])


def _reason(told: dict[str, Any]) -> str:
    detail = (told["detail"] or "")[:LONGEST]
    return f"{code(told['reason'])} {code(detail) if detail else ''}".strip()


def _faults(submissions: Sequence[dict[str, Any]]) -> list[str]:
    """Exercises whose judging failed by itself, with how often."""
    faults = Counter(
        (one["assignment"], name)
        for one in submissions
        for name, exercise in one["exercises"].items()
        if exercise["status"] == "ungraded"
    )
    return [
        f"Judging {code(name)} of {code(assignment)} failed by itself in {count} submissions: "
        "these points wait for you.\n"
        for (assignment, name), count in faults.items()
    ]


def _misconceptions(submissions: Sequence[dict[str, Any]]) -> list[str]:
    """The mistakes that most students made, each counted once for a student and exercise."""
    found = Counter(
        (misconception, one["assignment"], name)
        for one in submissions
        for name, exercise in one["exercises"].items()
        for misconception in set(exercise["misconceptions"])
    )
    if not found:
        return []
    commonest = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:COMMONEST]
    lines = [f"| {' | '.join(map(code, which))} | {count} |" for which, count in commonest]
    head = "| misconception | assignment | exercise | students |\n|---|---|---|--:|"
    return ["\n".join(["## Commonest misconceptions", "", head, *lines, ""])]


def _row(submission: dict[str, Any]) -> str:
    who = f"| {_who(submission)} | {code(submission['assignment'])} |"
    if submission["status"] == "ungraded":
        return f"{who} ungraded | | {code(submission['reason'])} |"
    lost = {name: one for name, one in submission["exercises"].items() if _has_lost(one)}
    told = [
        code(", ".join([name, *one["misconceptions"]]))
        for name, one in lost.items()
        if one["attempted"]
    ]
    untried = len(lost) - len(told)
    told += [f"{untried} not tried"] if untried else []
    marks = f"{points(submission['score'])} / {points(submission['max_score'])}"
    pending = points(submission["pending_points"]) if submission["pending_points"] else ""
    return f"{who} {marks} | {pending} | {' '.join(told)} |"


def _has_lost(exercise: dict[str, Any]) -> bool:
    """Whether points were lost for good, and not by leaving a bonus out."""
    if exercise["bonus"] and not exercise["attempted"]:
        return False
    return exercise["score"] + exercise["pending_points"] < exercise["max_score"] - CENT


def _bounded(head: str, rows: Iterable[str], most: int) -> str:
    """A table with as many of its rows as fit, and how many did not."""
    lines, left_out = [head], 0
    room = most - _size(head) - 100  # for the line that says so
    for row in rows:
        room -= _size(row)
        if room < 0:
            left_out += 1
        else:
            lines.append(row)
    if left_out:
        lines.append(f"\n{left_out} more do not fit here; `--json` has them.")
    return "\n".join([*lines, ""])


def _size(text: str) -> int:
    return len(text.encode()) + 1
