"""What PrairieLearn reads of an external grader: `results.json`, of at most 1 MB.

Its score is a share from 0 to 1 of what could be earned by now: points that wait are in neither
part of it. What is no mark is `gradable: false`, and costs no attempt.
"""

import json
from typing import Any

from autograder.feedback.words import points
from autograder.harness.marked_exercises import MarkedExercise, NotGradable, marked_exercises
from autograder.harness.told import total

MOST_BYTES = 1_000_000
CUT = " … (cut: PrairieLearn takes 1 MB)"
OURS = (
    "Grading failed by itself. That is our mistake, not yours: you lose no points and no attempt. "
    "Please tell your instructor."
)


def results_of(submission: dict[str, Any]) -> dict[str, Any]:
    """What PrairieLearn is told of a submission.

    Args:
        submission: its entry in the JSON of `autograder grade`.
    Raises:
        NoMark: there is no mark, through a fault of ours.
    """
    try:
        exercises = marked_exercises(submission)
    except NotGradable as why:
        return not_gradable(str(why))
    decided = sum(one.decided for one in exercises if not one.bonus)
    waiting = sum(one.waiting for one in exercises)
    marks = {name: submission[name] for name in ("score", "max_score", "pending_points")}
    if not decided:
        return not_gradable("Nothing of this is graded by a program: a person reads it.")
    return {
        "gradable": True,
        "score": min(1.0, submission["score"] / decided),
        "message": _message(submission, decided, waiting, exercises),
        "tests": [_test(one) for one in exercises],
        "points": marks,
    }


def not_gradable(*why: str) -> dict[str, Any]:
    """What says that an attempt does not count, and why."""
    return {"gradable": False, "format_errors": list(why)}


def as_json(results: dict[str, Any], most: int = MOST_BYTES) -> bytes:
    """The results as JSON of at most so many bytes: the longest text is cut, and says so.

    Raises:
        ValueError: they are larger though all their texts are short.
    """
    while len(encoded := json.dumps(results, ensure_ascii=False).encode()) > most:
        holder, key = max(_texts(results), key=lambda place: len(place[0][place[1]]))
        text = holder[key].removesuffix(CUT)
        if len(text) <= len(CUT):
            raise ValueError(f"The results have {len(encoded)} bytes, and no text to cut.")
        holder[key] = text[: len(text) // 2] + CUT
    return encoded


def _texts(value: Any) -> list[tuple[Any, Any]]:
    """Where texts stand in the results, as what holds them and under which key."""
    places = value.items() if isinstance(value, dict) else enumerate(value)
    found: list[tuple[Any, Any]] = []
    for key, inner in places:
        if isinstance(inner, str):
            found.append((value, key))
        elif isinstance(inner, dict | list):
            found += _texts(inner)
    return found


def _message(
    submission: dict[str, Any], decided: float, waiting: float, exercises: list[MarkedExercise]
) -> str:
    message = f"{total(submission)}."
    if waiting:
        message += (
            f" The score is out of the {points(decided)} that are decided, so it may still change."
        )
    bonus = sum(one.score for one in exercises if one.bonus)
    if bonus:
        message += f" This counts {points(bonus, bonus=True)} on top of the maximum."
        if submission["score"] > decided:
            message += " PrairieLearn's score ends at 100%."
    return message


def _test(exercise: MarkedExercise) -> dict[str, Any]:
    """One exercise. Its maximum is what is decided: PrairieLearn shows 0 of 0 as a note."""
    beside = ["bonus"] if exercise.bonus else []
    if exercise.waiting:
        beside.append(f"{points(exercise.waiting)} wait")
    return {
        "name": exercise.name,
        "description": ", ".join(beside),
        "points": exercise.score,
        "max_points": exercise.decided,
        "message": "\n".join(exercise.told),
        "output": "",
    }
