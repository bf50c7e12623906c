"""What `autograder grade --dry-run` shows: whose marks would move, by how much, and why."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autograder.checks.kit.plain_text import plain
from autograder.commands.marks_table import points
from autograder.commands.options import console, print_table

if TYPE_CHECKING:
    from rich.table import Table

    from autograder.gradebook.dry_run import Marks, Move
    from autograder.gradebook.log import Change

SCHEMA = 1


def as_moves(causes: Iterable["Change"], moves: Iterable["Move"]) -> dict[str, Any]:
    """A dry run as JSON values: every submission, and of its exercises those that would move."""
    return {
        "schema": SCHEMA,
        "changed": [
            {"assignment": one.assignment, "exercise": one.exercise, "why": one.why}
            for one in causes
        ],
        "submissions": [
            {
                "student": move.student,
                "assignment": move.assignment,
                "status": "ungraded" if move.reason else "graded",
                "reason": move.reason,
                "detail": move.detail,
                "moves": move.moves,
                **_numbers(move.before, move.after),
                "exercises": {
                    name: {**_numbers(one.before, one.after), "why": one.why}
                    for name, one in move.exercises.items()
                },
            }
            for move in moves
        ],
    }


def show_moves(causes: Sequence["Change"], moves: Sequence["Move"]) -> None:
    """Print what would move, by assignment: what has changed, which exercises, and whose marks.

    Args:
        causes: what has changed in the course since the last grading.
        moves: one a submission, in the order in which they are shown.
    """
    to = console()
    for name in dict.fromkeys(move.assignment for move in moves):
        here = [move for move in moves if move.assignment == name and (move.moves or move.stops)]
        why = [one for one in causes if one.assignment == name]
        if not here and not why:
            continue
        to.print(f"[bold]{name}[/bold]")
        for text in _causes(why):
            to.print(f" {text}")
        if any(move.exercises for move in here):
            print_table(to, _exercises(here))
        if here:
            print_table(to, _students(here))
    moving = [move for move in moves if move.moves]
    to.print(
        f"{len(moving)} of {len(moves)} submissions would move, {_signed(_sum(moving))} points in "
        "all. Nothing was written."
    )
    stopped = sum(move.reason is not None for move in moves)
    if stopped:
        to.print(f"{stopped} of {len(moves)} would have no marks, for the reasons above.")
    for name, count in Counter(one for move in moves for one in move.faults).items():
        to.print(
            f"{name}: judging it failed by itself in {count} of these; its points would wait for "
            "you."
        )


def _causes(causes: Sequence["Change"]) -> Iterable[str]:
    """What has changed, and in which exercises; what is true of all is said once."""
    by_why: defaultdict[str, list[str]] = defaultdict(list)
    for one in causes:
        by_why[one.why].append(str(one.exercise))
    for why, exercises in by_why.items():
        yield f"{', '.join(exercises)}: {why} since the last grading."


def _exercises(moves: Sequence["Move"]) -> "Table":
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    table.add_column("Exercise", overflow="fold")
    for name in ("Submissions", "Up", "Down", "Points"):
        table.add_column(name, justify="right")
    changes: defaultdict[str, list[float]] = defaultdict(list)
    for move in moves:
        for name, one in move.exercises.items():
            changes[name].append((one.after.score or 0.0) - (one.before.score or 0.0))
    for name, found in sorted(changes.items(), key=lambda item: -sum(map(abs, item[1]))):
        up, down = sum(one > 0 for one in found), sum(one < 0 for one in found)
        table.add_row(name, str(len(found)), str(up), str(down), _signed(sum(found)))
    return table


def _students(moves: Sequence["Move"]) -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    table.add_column("Student", overflow="fold")
    table.add_column("Exercise", overflow="fold")
    for name in ("Now", "Then", "Change"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("Why", overflow="fold")
    for move in moves:
        why = f"{move.reason}: {move.detail}" if move.reason else ""
        whole = ["total", *_row(move.before, move.after), escape(plain(why))]
        table.add_row(escape(plain(move.student)), *whole, style="bold")
        for name, one in move.exercises.items() if move.before.score is not None else ():
            row = _row(one.before, one.after)
            table.add_row("", name, *row, escape(plain(one.why)))
    return table


def _row(before: "Marks", after: "Marks") -> tuple[str, str, str]:
    worths = {before.worth, after.worth} - {None}
    now, then = (_of(marks, len(worths) > 1) for marks in (before, after))
    return now, then, _signed((after.score or 0.0) - (before.score or 0.0))


def _of(marks: "Marks", with_worth: bool) -> str:
    """Points that count, and of how many where that is another number afterwards."""
    if marks.score is None:
        return "none"
    worth = with_worth and marks.worth is not None
    return f"{points(marks.score)} / {points(marks.worth or 0.0)}" if worth else points(marks.score)


def _signed(change: float) -> str:
    return f"{round(change, 2) + 0.0:+g}" if round(change, 2) else "0"


def _sum(moves: Iterable["Move"]) -> float:
    return sum(move.change for move in moves)


def _numbers(before: "Marks", after: "Marks") -> dict[str, float | None]:
    return {
        "from": before.score,
        "to": after.score,
        "change": round((after.score or 0.0) - (before.score or 0.0), 4),
        "max_from": before.worth,
        "max_to": after.worth,
    }
