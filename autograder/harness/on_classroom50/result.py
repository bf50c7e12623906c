"""What Classroom 50's runner reads: `result.json`, a page for the release, a line for the status.

The form is `classroom50/result/v1`: whole numbers, and no more than the maximum. It uses nothing
but Python, since it runs where little is installed.
"""

import datetime
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "classroom50/result/v1"
GIVEN = ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".github", ".classroom50.yaml", "checks", "result.json", "release-body.md"
)
"""What of a checkout is no part of what was handed in."""


@dataclass(frozen=True)
class Row:
    """One line of the result, a test to Classroom 50.

    Attributes:
        name: what it is called.
        score: what was earned, a whole number.
        most: what could be earned, a whole number.
        passed: whether all is well with it.
        told: what the student reads.
        more: what the result says of it beside that.
    """

    name: str
    score: int
    most: int
    passed: bool
    told: str = ""
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """All that is said of one submission.

    Attributes:
        rows: the tests, in order.
        summary: one line.
        page: Markdown, shown with the release.
        succeeded: whether nothing is left to do for the student.
    """

    rows: list[Row]
    summary: str
    page: str
    succeeded: bool


def publish(outcome: Outcome, checkout: Path, given: dict[str, str]) -> None:
    """Write what the runner reads.

    Args:
        outcome: what came of the submission.
        checkout: where to.
        given: the runner's variables.
    Raises:
        KeyError: a variable is missing that the runner sets.
    """
    result = json.dumps(as_result(outcome.rows, given), indent=2)
    (checkout / "result.json").write_text(result + "\n", encoding="utf-8")
    (checkout / "release-body.md").write_text(outcome.page, encoding="utf-8")
    if told := given.get("GITHUB_OUTPUT"):
        status = "success" if outcome.succeeded else "failure"
        with Path(told).open("a", encoding="utf-8") as lines:
            lines.write(f"status={status}\nsummary={outcome.summary}\n")


def as_result(rows: list[Row], given: dict[str, str]) -> dict[str, Any]:
    """The result of these rows, under the identity that the runner gives.

    Args:
        rows: the tests.
        given: the runner's variables; it stamps `owner`, `datetime` and what else it knows anew.
    """
    classroom, assignment, submission, commit, release = (given[name] for name in GIVEN)
    return {
        "schema": SCHEMA,
        "classroom": classroom,
        "assignment": assignment,
        "assignment_type": given.get("ASSIGNMENT_TYPE", "individual"),
        "owner": owner_in(given),
        "submission": submission,
        "commit": commit,
        "release": release,
        "review": given.get("REVIEW_URL") or commit,
        "datetime": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(row.score for row in rows),
        "max-score": sum(row.most for row in rows),
        "tests": [
            {
                "test-name": row.name,
                "passed": row.passed,
                "score": row.score,
                "max-score": row.most,
                "message": row.told,
                **row.more,
            }
            for row in rows
        ],
    }


def owner_in(given: dict[str, str]) -> str:
    """Whose repository it is, by the runner's variables."""
    return given.get("OWNER") or given["USERNAME"]


def where_handed_in(checkout: Path, name: str) -> Path:
    """The folder of a checkout that holds the assignment: its own, or one of the same name."""
    inner = checkout / name
    return inner if (inner / f"{name}.ipynb").is_file() else checkout


def fenced(text: str) -> str:
    """Text as a block of Markdown that nothing in it ends."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
