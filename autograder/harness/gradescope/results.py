"""Marks in the format of Gradescope's results.json.

What waits has neither `score` nor `max_score`: a 0 would be a mark. The total is therefore given as
`score`, which Gradescope's specification asks for where a test has none.
"""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from autograder.feedback.words import number, points, prose, sentence
from autograder.harness.told import Paragraph, as_html, not_a_notebook, told_of, total, waits

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
    told = {"lost": lost, "waiting": waiting, "notes": notes}
    output = _summary().render(total=total(submission), **told).strip()
    return {"score": submission["score"], "tests": entries, **_frame(output, submission, seconds)}


def results_without_marks(submission: Json, available: float, notes: list[str]) -> Json:
    """The results where what was handed in is no notebook that can be graded.

    Args:
        submission: its entry, with the reason.
        available: the points that could be had.
        notes: what else its author should know.
    """
    output = str(as_html([*not_a_notebook(submission), *map(Paragraph, notes)]))
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
    if said := told_of(exercise):
        first = next((one for one in entries if one.get("status") != "passed"), entries[0])
        first["output"] = as_html(said) + first.get("output", "")
    return entries


def _row(name: str, exercise: Json, check: Json) -> Json:
    bonus = exercise["bonus"]
    device = f" (on the {check['device']})" if check["device"] else ""
    entry: Json = {"name": f"{name}: {sentence(check['claim'])}{device}"}
    if check["symptom"]:
        entry["output"] = as_html([Paragraph(sentence(check["symptom"]))])
    if check["outcome"] in WAITING:
        waiting = as_html([waits(exercise, check["points"])])
        return entry | {"output": entry.get("output", "") + waiting}
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
        yield {"name": title, "output": as_html([waits(exercise, pending)])}


def _marks(score: float, available: float, bonus: bool, passed: bool) -> Json:
    """The marks of a test; those of a bonus have no maximum, since they count on top of it."""
    found: Json = {"score": round(score, 4), "status": "passed" if passed else "failed"}
    return found if bonus else found | {"max_score": round(available, 4)}


def _is_written(exercise: Json) -> bool:
    return {test["device"] for test in exercise["tests"]} == {"person"}


def _is_lost(exercise: Json) -> bool:
    missing = exercise["max_score"] - exercise["score"] - exercise["pending_points"]
    return missing > CLOSE and not exercise["bonus"]


@cache
def _summary() -> Template:
    environment = Environment(
        loader=PackageLoader("autograder.harness.gradescope"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "points": points, "prose": prose}
    environment.filters["sentence"] = sentence
    return environment.get_template("summary.html.j2")
