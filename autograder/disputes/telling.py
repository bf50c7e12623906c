"""Why a mark is as it is, in sentences for an instructor."""

import re
from collections.abc import Sequence

from autograder.course import Exercise
from autograder.course.points import added
from autograder.disputes.account import Account, Asked, Dispute
from autograder.feedback.words import number, points
from autograder.verdicts.attempted import is_unanswered, is_untouched
from autograder.verdicts.verdict import ANOTHER_ID, GRADER_ERROR, ExerciseVerdict

OURS = (GRADER_ERROR, ANOTHER_ID)
"""Reasons whose details are for an instructor."""

FIRST = re.compile(r".*?[.!?](?=\s|$)", re.DOTALL)  # of several sentences
NOTHING = "There is nothing to explain: it has full marks."


def title(dispute: Dispute) -> str:
    """Whose marks these are, in what, and how many."""
    others = [name for name in dispute.people if name != dispute.student]
    named = f" ({', '.join(others)})" if others else ""
    earned = f": {dispute.marks}" if dispute.marks else ""
    return f"{dispute.student}{named}, {dispute.assignment}{earned}"


def nothing_lost(dispute: Dispute) -> list[str]:
    """The exercises that need no account, a line a kind; a student is told of none not begun."""
    told = [f"Full marks: {_listed(dispute.right)}."] if dispute.right else []
    if dispute.not_begun and not dispute.for_student:
        worth = points(added(one.points for one in dispute.not_begun if not one.bonus))
        told.append(f"Not begun ({worth}): {_listed(dispute.not_begun)}.")
    return told


def _listed(exercises: Sequence[Exercise]) -> str:
    return ", ".join(one.name for one in exercises)


def in_short(account: Account, for_student: bool) -> str:
    """Why an exercise has the marks that it has, in a sentence."""
    verdict, total = account.verdict, account.total
    if total is not None and total.manual_score is not None:
        return "A person gave these marks."
    if verdict is None or (total is not None and not account.lost):
        waits = total is not None and total.pending_points
        return "It waits for a person." if waits else "No verdict on it is kept."
    if verdict.reason == "missing_cell":
        return "The notebook has no cell for it, or an empty one."
    if verdict.reason is not None:
        return f"It ended early ({verdict.reason})."
    named = "" if for_student else "".join(f"{one}: " for one in verdict.misconceptions[:1])
    said = verdict.message or verdict.error or ""
    first = FIRST.match(said)
    return named + (first[0] if first else said)


def marks(account: Account) -> str:
    """The points that count of an exercise."""
    exercise, total = account.exercise, account.total
    if total is None:
        return "no recorded points"
    waiting = f", {points(total.pending_points)} waiting" if total.pending_points else ""
    whole = points(exercise.points, bonus=exercise.bonus)
    return f"{number(total.score)} of {whole}{waiting}"


def reasons(account: Account, for_student: bool = False) -> list[str]:
    """What there is to say of an exercise's mark, beside what its tests show.

    Args:
        account: of the exercise.
        for_student: whether a student is to read it, who is told no key and no doubt of ours.
    """
    told = _by_person(account)
    told += () if for_student else account.doubts
    verdict = account.verdict
    if verdict is None:
        if account.exercise.kind == "written":
            told.append("It is a written answer, and its points are given by a person.")
        return told
    if account.asked is not None:
        told += _of_answer(account.asked, verdict, for_student)
    told += _of_verdict(account, verdict, for_student)
    if not told and verdict.score >= verdict.max_points:
        told.append(NOTHING)
    return told


def _by_person(account: Account) -> list[str]:
    total, told = account.total, []
    if total is not None and total.manual_score is not None:
        own = f" in place of {total.auto_score:g}" if total.auto_score is not None else ""
        told.append(f"A person gave {points(total.manual_score)} in formgrader{own}.")
    if total is not None and total.extra_credit:
        told.append(f"A person gave {points(total.extra_credit)} on top in formgrader.")
    if account.comment:
        told.append(f"Their comment: {account.comment}")
    return told


def _of_answer(asked: Asked, verdict: ExerciseVerdict, for_student: bool) -> list[str]:
    told = []
    if asked.numbers:
        own = ", ".join(f"{name} = {size}" for name, size in asked.numbers.items())
        told.append(f"The student's own numbers: {own}.")
    answered = asked.answered or ("nothing" if is_unanswered(verdict) else "nothing of that form")
    told += [] if for_student else [f"Key: {asked.key}"]
    return [*told, f"Answered: {answered}"]


def _of_verdict(account: Account, verdict: ExerciseVerdict, for_student: bool) -> list[str]:
    told = []
    if verdict.judged_with:
        with_right = ", ".join(verdict.judged_with)
        told.append(
            f"It was judged with right answers in place of the student's {with_right}, with which "
            "it earns more. What is shown is of that run."
        )
    if verdict.at_its_check:
        told.append(
            "It was judged as the notebook stands at its check: cells below change what it reads, "
            "and without them it earns more. What is shown is of that run."
        )
    if verdict.reason == "missing_cell":
        told.append("The notebook has no cell for it, or an empty one.")
    elif verdict.reason is not None:
        is_told = verdict.detail and not (for_student and verdict.reason in OURS)
        more = f": {verdict.detail}" if is_told else ""
        told.append(f"It ended early ({verdict.reason}){more}.")
    elif account.exercise.kind == "code" and is_untouched(verdict):
        told.append("It was not attempted: the cell still raises NotImplementedError.")
    if verdict.error is not None:
        told.append(f"The cell raised when it ran: {verdict.error}")
    if verdict.misconceptions and not for_student:
        told.append(f"It behaves like the known mistake {', '.join(verdict.misconceptions)}.")
    if verdict.message:
        told.append(verdict.message if for_student else f"The student reads: {verdict.message}")
    told += _waiting(verdict)
    return told


def _waiting(verdict: ExerciseVerdict) -> list[str]:
    waiting = [test for test in verdict.tests if test.outcome == "pending" and test.points]
    told = []
    for test in waiting:
        whom = {"person": "a person", "cuda": "a GPU"}.get(test.device, test.symptom or test.device)
        told.append(f'"{test.claim}" ({points(test.points)}) waits for {whom}.')
    return told
