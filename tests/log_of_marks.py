"""The log of marks, read without the engine, and whether it says what the gradebook holds."""

import json
from pathlib import Path
from typing import Any

from gradebook_rows import grades, url_of

FIELDS = {"when", "by", "student", "assignment", "exercise", "what", "from", "to", "why"}


def log_file(course: Path, assignment: str) -> Path:
    return course / ".autograder" / "log" / f"{assignment}.jsonl"


def lines(course: Path, assignment: str) -> list[dict[str, Any]]:
    """Every line of an assignment's log; each is whole."""
    text = log_file(course, assignment).read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines() if line]
    assert all(one.keys() - {"content"} == FIELDS for one in found)
    return found


def marks_in_log(course: Path, assignment: str) -> dict[tuple[str, str], float]:
    """The automatic scores that the log's lines come to, by student and exercise."""
    scores: dict[tuple[str, str], float | None] = {}
    away: set[str] = set()
    for one in lines(course, assignment):
        if one["what"] != "auto_score":
            continue
        if one["exercise"] is not None:
            scores[one["student"], one["exercise"]] = one["to"]
        elif one["to"] is None:
            away.add(one["student"])
        else:
            away.discard(one["student"])
    return {
        name: score for name, score in scores.items() if score is not None and name[0] not in away
    }


def marks_in_gradebook(course: Path, assignment: str) -> dict[tuple[str, str], float]:
    """The automatic scores that the gradebook holds, by student and exercise."""
    return {
        (row.student, row.cell.removeprefix("test_")): row.score
        for row in grades(url_of(course))
        if row.assignment == assignment and row.score is not None
    }
