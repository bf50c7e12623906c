"""The table of marks that `autograder grade` prints: what the gradebook says of each submission."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograder.checks.kit.plain_text import plain
from autograder.commands.class_list import absences, why_absent
from autograder.commands.options import console, print_table
from autograder.course.roster import NOBODY, Roster

FEW = 4  # exercises that are named where many were not tried
CENT = 0.005  # points below which two scores look the same to a reader

if TYPE_CHECKING:
    from autograder.marks import Standing
    from autograder.verdicts import ExerciseVerdict, SubmissionVerdict
    from autograder.verdicts.totals import SubmissionTotal


def show(
    verdicts: Sequence["SubmissionVerdict"],
    totals: Sequence["SubmissionTotal"],
    roster: Roster = NOBODY,
    absent: Sequence["Standing"] = (),
) -> None:
    """Print a table of marks, everything that was not graded or handed in, and every fault of ours.

    Args:
        verdicts: one a submission.
        totals: what counts of each, in the same order.
        roster: the class, for names.
        absent: who handed in nothing.
    """
    from rich.markup import escape
    from rich.table import Table

    to = console()
    columns = ["Student", *(["Name"] if roster.people else []), "Assignment", "Marks", "Notes"]
    table = Table(*columns, box=None, header_style="bold")
    rows: list[tuple[str, str, str, str]] = []
    for verdict, total in zip(verdicts, totals, strict=True):
        marks = f"{points(total.score)} / {points(verdict.max_points)}"
        said = "ungraded" if verdict.reason else marks
        told = "; ".join(_notes(verdict, total))
        rows.append((verdict.assignment, verdict.student, said, told))
    rows += [(one.assignment, one.student, one.status, why_absent(one)) for one in absent]
    for assignment, student, marks, notes in sorted(rows):
        who = [escape(plain(roster.names(student)))] if roster.people else []
        table.add_row(escape(plain(student)), *who, assignment, marks, escape(plain(notes)))
    print_table(to, table)
    ungraded = sum(verdict.reason is not None for verdict in verdicts)
    counted = [f"{len(verdicts) - ungraded} graded", f"{ungraded} ungraded"]
    counted += [f"{count} {status}" for status, count in absences(one.status for one in absent)]
    to.print(", ".join(counted))
    faults = Counter(one.exercise for verdict in verdicts for one in verdict.faults)
    for name, count in faults.items():
        to.print(
            f"{name}: judging it failed by itself in {count} of these. Marks for it are yours to "
            "give; once its hidden tests are mended, grade again."
        )


def points(number: float) -> str:
    """Points for a person: two decimals at most."""
    return f"{round(number, 2):g}"


def _notes(verdict: "SubmissionVerdict", total: "SubmissionTotal") -> list[str]:
    """What there is to say of a submission beside its marks."""
    from autograder.verdicts.attempted import is_left_out, is_untouched

    if verdict.reason:
        return [f"{verdict.reason}: {verdict.detail}", *_by_people(total)]
    tried = [one for one in verdict.exercises if not is_left_out(one)]
    untouched = [one.exercise for one in tried if not one.bonus and is_untouched(one)]
    notes = [
        f"{stop.in_short}, and for that fail {_named(names)}"
        for stop, names in verdict.stops.items()
    ]
    notes += [
        f"{one.exercise}: {_why(one)}"
        for one in tried
        if one.exercise not in untouched and not one.stops and (one.reason or _has_lost(one))
    ]
    if untouched:
        notes.append(f"not tried: {_named(untouched)}")
    notes += _waiting([one for one in tried if total.exercises[one.exercise].pending_points])
    on_top = sum(total.exercises[one.exercise].score for one in tried if one.bonus)
    if on_top:
        notes.append(f"{points(on_top)} of the points are a bonus")
    return [*notes, *_by_people(total), *verdict.notes]


def _named(exercises: Sequence[str]) -> str:
    """Their names; of many, the first and how many more there are."""
    more = len(exercises) - FEW
    names = ", ".join(exercises if more <= 1 else exercises[:FEW])
    return names if more <= 1 else f"{names} and {more} more"


def _has_lost(verdict: "ExerciseVerdict") -> bool:
    return verdict.score + verdict.pending_points < verdict.max_points - CENT


def _why(verdict: "ExerciseVerdict") -> str:
    """What cost points, by name where it has one: the mistake, then the slips beside it."""
    if verdict.reason:
        # What a person must decide on is told in full.
        decides = verdict.pending_points and verdict.detail
        return f"{verdict.reason} ({verdict.detail})" if decides else verdict.reason
    if verdict.misconceptions:
        return ", ".join(dict.fromkeys(verdict.misconceptions))
    if verdict.error:
        return verdict.error.partition(":")[0]
    if verdict.answered is not None:
        return f"answered {verdict.answered}"
    judged = [test for test in verdict.tests if test.points and test.outcome != "pending"]
    failed = sum(test.outcome != "passed" for test in judged)
    return f"{failed} of {len(judged)} checks failed" if len(judged) > 1 else "wrong"


def _waiting(exercises: Sequence["ExerciseVerdict"]) -> list[str]:
    """How many points wait, and for what."""
    by_person = sum(one.pending_points for one in exercises if one.waits_for("person"))
    by_device: defaultdict[str, float] = defaultdict(float)
    for one in exercises:
        for test in one.tests:
            if test.outcome == "pending" and not one.waits_for("person"):
                by_device[f": {test.symptom}" if test.symptom else " for a GPU"] += test.points
    due = {**by_device, " for you": by_person}
    return [f"{points(number)} points wait{what}" for what, number in due.items() if number]


def _by_people(total: "SubmissionTotal") -> list[str]:
    """What people made of the marks that grading gave: by hand, as extra credit, for being late."""
    by_hand = [name for name, one in total.exercises.items() if one.manual_score is not None]
    notes = [f"marked by hand: {', '.join(by_hand)}"] if by_hand else []
    if total.extra_credit:
        notes.append(f"{points(total.extra_credit)} points of extra credit")
    if total.late_penalty:
        notes.append(f"late: {points(total.late_penalty)} points taken off")
    return notes
