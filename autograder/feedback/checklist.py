"""What was checked, as rows: tests that differ only in their device share one."""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.course.points import added
from autograder.verdicts.verdict import ExerciseVerdict, Outcome, TestResult

ROWS = 40
DEVICES = {"cpu": "CPU", "cuda": "GPU"}


@dataclass(frozen=True)
class ChecklistRow:
    """One line of the checklist.

    Attributes:
        claim: what was checked.
        outcome: how it went; `untried` where the exercise was not attempted, `unanswered` where
            the code was stopped before it answered, `absent` where the grader lacked a package,
            `remark` where it was not passed and costs nothing.
        earned: points that it earned.
        points: points that it carries.
        symptom: what was seen to be wrong, or None.
        device: "CPU", "GPU" or "CPU and GPU", named where it matters; else None.
    """

    claim: str
    outcome: str
    earned: float
    points: float
    symptom: str | None = None
    device: str | None = None


@dataclass(frozen=True)
class Aspect:
    """What an exercise's tests of one aspect come to.

    Attributes:
        name: the aspect, as a student reads it.
        outcome: `passed`, `part` or `failed`.
        earned: points that they earned.
        points: points that they carry; those that wait are left out.
    """

    name: str
    outcome: str
    earned: float
    points: float


def aspects(verdict: ExerciseVerdict, names: Mapping[str, str]) -> tuple[Aspect, ...]:
    """How the points earned are shared among aspects; empty where there is but one.

    Args:
        verdict: the verdict.
        names: what a student reads, by aspect, in order.
    """
    found = []
    for aspect, name in names.items():
        tests = [t for t in verdict.tests if t.aspect == aspect and t.outcome != "pending"]
        points = added(test.points for test in tests)
        if points:
            earned = added(test.points for test in tests if test.outcome == "passed")
            outcome = "passed" if earned == points else "part" if earned else "failed"
            found.append(Aspect(name, outcome, earned, points))
    return tuple(found) if len(found) > 1 else ()


def checklist(verdict: ExerciseVerdict, *, attempted: bool) -> tuple[ChecklistRow, ...]:
    """The rows of a verdict, in the order of its tests.

    A test that passed here and waits for a GPU as well is one row, the one that passed: what waits
    is told once, beside the marks. So is what did not run and carries no points, below the rows.
    """
    shown = [test for test in verdict.tests if not is_unrun(test)]
    answered = {test.name for test in shown if test.outcome != "pending"}
    several_devices = len({test.device for test in shown}) > 1
    groups: dict[tuple[str, Outcome, str | None], list[TestResult]] = {}
    for test in shown:
        if test.outcome == "pending" and test.name in answered:
            continue
        groups.setdefault((test.name, test.outcome, test.symptom), []).append(test)
    died = verdict.reason is not None
    rows = [_row(tests, several_devices, attempted, died) for tests in groups.values()]
    return tuple(rows[:ROWS])


def is_unrun(test: TestResult) -> bool:
    """Whether a test did not run, and costs nobody anything by that."""
    return test.outcome == "pending" and not test.points


def shared_symptom(rows: tuple[ChecklistRow, ...]) -> str | None:
    """The symptom of all rows that cost points, where there are several: it is better said once."""
    symptoms = [row.symptom for row in rows if row.outcome == "failed" and row.points]
    return symptoms[0] if len(symptoms) > 1 and len(set(symptoms)) == 1 else None


def _row(
    tests: list[TestResult], several_devices: bool, attempted: bool, died: bool
) -> ChecklistRow:
    first = tests[0]
    carried = added(test.points for test in tests)
    names = [DEVICES.get(test.device, test.device) for test in tests]
    outcome: str = first.outcome
    if not attempted and outcome != "pending":
        outcome = "untried"
    elif outcome == "pending" and first.symptom is not None:
        outcome = "absent"
    elif died and outcome == "failed" and first.symptom is None:
        outcome = "unanswered"
    elif outcome == "failed" and first.remark:
        outcome = "remark"
    return ChecklistRow(
        claim=first.claim,
        outcome=outcome,
        earned=carried if first.outcome == "passed" else 0.0,
        points=carried,
        symptom=first.symptom if attempted or outcome == "absent" else None,
        device=" and ".join(dict.fromkeys(names)) if several_devices else None,
    )
