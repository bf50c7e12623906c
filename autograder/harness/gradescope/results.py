"""Marks in the format of Gradescope's results.json.

What waits has neither `score` nor `max_score`: a 0 would be a mark. The total is therefore given as
`score`, which Gradescope's specification asks for where a test has none.
"""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.feedback.reasons import reason_of
from autograder.feedback.words import number, points, prose, sentence

NOT_A_NOTEBOOK = ("bad_notebook", "missing_notebook")
"""Why a submission is not graded that its author can mend; all other reasons are our faults."""
WAITING = ("pending", "absent")
"""Outcomes of a check whose points are not given yet."""
CLOSE = 0.01  # points; scores are rounded to four decimals each

Json = dict[str, Any]


def results_of(submission: Json, notes: list[str], seconds: float) -> Json:
    """The results of a graded submission.

    Args:
        submission: its entry in the JSON of `autograder grade`, with its feedback.
        notes: what else its author should know, in sentences.
        seconds: what grading took; told in whole seconds, since finer times tell work apart.
    """
    exercises = submission["exercises"]
    entries = [
        entry | {"number": f"{place}.{part}"}
        for place, (name, one) in enumerate(exercises.items(), 1)
        for part, entry in enumerate(_entries(name, one), 1)
    ]
    lost = [(name, one) for name, one in exercises.items() if _is_lost(one)]
    waiting = [(name, one) for name, one in exercises.items() if one["pending_points"]]
    output = _render("summary", s=submission, lost=lost, waiting=waiting, notes=notes)
    return {"score": submission["score"], "tests": entries, **_frame(output, submission, seconds)}


def results_without_marks(submission: Json, available: float, notes: list[str]) -> Json:
    """The results where what was handed in is no notebook that can be graded.

    Args:
        submission: its entry, with the reason.
        available: the points that could be had.
        notes: what else its author should know.
    """
    why = reason_of("bad_notebook")
    output = _render("not_graded", s=submission, why=why, notes=notes)
    entry = {
        "name": "Nothing was graded: hand in again",
        "score": 0.0,
        "max_score": available,
        "status": "failed",
        "output": output,
        "output_format": "html",
    }
    return {"score": 0.0, "tests": [entry], **_frame(output, submission, 0.0)}


def _frame(output: str, submission: Json, seconds: float) -> Json:
    """What all results have beside marks."""
    return {
        "output": output,
        "output_format": "html",
        "test_output_format": "html",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": math.ceil(seconds),
        "extra_data": {"autograder": _without_faults(submission)},
    }


def _without_faults(submission: Json) -> Json:
    """The entry without what a fault of ours said: it may hold hidden values."""
    exercises = {
        name: one | ({"detail": None} if one["status"] == "ungraded" else {})
        for name, one in submission["exercises"].items()
    }
    return submission | {"exercises": exercises}


def _entries(name: str, exercise: Json) -> list[Json]:
    """An exercise as Gradescope's tests: one a claim, where the course tells claims."""
    if _is_written(exercise) and not exercise["pending_points"]:
        # Nobody has to read it. Its points are still none of those that grading here gives.
        return [{"name": f"{name}: {exercise['feedback']['state']}"}]
    rows = [_row(name, exercise, check) for check in exercise["feedback"]["checks"]]
    told = sum(row.get("score", 0.0) for row in rows)
    worth = sum(check["points"] for check in exercise["feedback"]["checks"])
    complete = abs(told - exercise["score"]) < CLOSE and abs(worth - exercise["max_score"]) < CLOSE
    entries = rows if rows and complete else list(_whole(name, exercise))
    said = _render("exercise", f=exercise["feedback"])
    if said:
        first = next((one for one in entries if one.get("status") != "passed"), entries[0])
        first["output"] = said + first.get("output", "")
    return entries


def _row(name: str, exercise: Json, check: Json) -> Json:
    bonus = exercise["bonus"]
    device = f" (on the {check['device']})" if check["device"] else ""
    entry: Json = {"name": f"{name}: {sentence(check['claim'])}{device}"}
    if check["symptom"]:
        entry["output"] = f"<p>{prose(sentence(check['symptom']))}</p>"
    if check["outcome"] in WAITING:
        waits = _waits(check["points"], bonus, exercise["feedback"]["waits_for"])
        return entry | {"output": entry.get("output", "") + waits}
    if not check["points"]:
        return entry
    passed = check["outcome"] == "passed"
    return entry | _marks(check["earned"], check["points"], bonus, passed)


def _whole(name: str, exercise: Json) -> Iterator[Json]:
    """An exercise in one test, and what of it waits in another."""
    bonus, pending = exercise["bonus"], exercise["pending_points"]
    decided = exercise["max_score"] - pending
    if decided > CLOSE:
        passed = exercise["score"] > decided - CLOSE
        title = f"{name}: {exercise['feedback']['state']}"
        yield {"name": title} | _marks(exercise["score"], decided, bonus, passed)
    if pending or decided <= CLOSE:
        waits_for = exercise["feedback"]["waits_for"]
        title = f"{name}: waits for {waits_for or 'a later grading'}"
        yield {"name": title, "output": _waits(pending, bonus, waits_for)}


def _marks(score: float, available: float, bonus: bool, passed: bool) -> Json:
    """The marks of a test; those of a bonus have no maximum, since they count on top of it."""
    found: Json = {"score": round(score, 4), "status": "passed" if passed else "failed"}
    return found if bonus else found | {"max_score": round(available, 4)}


def _waits(worth: float, bonus: bool, waits_for: str | None) -> str:
    waiting = points(worth, bonus=bonus)
    return (
        f"<p>Not graded yet: {waiting}, from {waits_for or 'a later grading'}. "
        "They are not in this total, neither as earned nor as lost.</p>"
    )


def _is_written(exercise: Json) -> bool:
    return {test["device"] for test in exercise["tests"]} == {"person"}


def _is_lost(exercise: Json) -> bool:
    missing = exercise["max_score"] - exercise["score"] - exercise["pending_points"]
    return missing > CLOSE and not exercise["bonus"]


def _render(template: str, **values: Any) -> str:
    text = _templates().get_template(f"{template}.html.j2").render(**values)
    return " ".join(text.split()) if template == "exercise" else text.strip()


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.harness.gradescope"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "points": points, "prose": prose}
    environment.filters["sentence"] = sentence
    return environment
