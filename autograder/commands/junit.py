"""What hidden tests found as JUnit XML, in the shape of pytest's `xunit2`, which CI shows.

A suite is a submission, a case is a hidden test by its claim. Some programs show neither a suite's
name nor a failure's `message`: so each case names the student, and its text says what was found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from xml.etree import ElementTree

from autograder.checks.kit.plain_text import plain
from autograder.commands.marks_table import points

Found = Literal["passed", "failure", "error", "skipped"]
BY_PERSON = "person"
FAULT_OF_OURS = "A hidden test failed by itself, which is no fault of the student: its points wait."


@dataclass(frozen=True)
class Case:
    """One case of a suite.

    Attributes:
        exercise: the exercise that it belongs to; empty for the submission as a whole.
        name: the claim, in words.
        found: what there is to tell of it.
        kind: the kind of failure, error or wait, in one word.
        text: what was found, in words.
    """

    exercise: str
    name: str
    found: Found = "passed"
    kind: str = ""
    text: str = ""


def as_junit(contract: dict[str, Any]) -> str:
    """The whole run as JUnit XML.

    Args:
        contract: what `verdicts.contract.as_contract` gives.
    Returns:
        the document, with a line for each element.
    """
    root = ElementTree.Element("testsuites", name="autograder")
    root.extend(_suite(submission) for submission in contract["submissions"])
    root.extend(_absent(one) for one in contract.get("absent", []))
    for one in contract.get("misplaced", []):
        text = f"{one['why']}. Is {one['near']} meant?" if one["near"] else one["why"]
        case = Case("", "It lies in an assignment's folder.", "error", "misplaced", text)
        root.append(_suite_of(one["path"], [case]))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _suite(submission: dict[str, Any]) -> ElementTree.Element:
    name = f"{submission['student']}/{submission['assignment']}"
    suite = _suite_of(name, list(_cases(submission)))
    suite.set("time", f"{submission['seconds']:.3f}")
    properties = ElementTree.Element("properties")
    suite.insert(0, properties)
    for field in ("status", "score", "max_score", "pending_points", "late_penalty"):
        if submission[field] is not None:
            value = str(submission[field])
            ElementTree.SubElement(properties, "property", name=field, value=value)
    return suite


def _absent(told: dict[str, Any]) -> ElementTree.Element:
    """A suite for who handed in nothing, which is nothing that went wrong here."""
    due = f", due {told['due']}" if told["due"] else ""
    case = Case("", "It is handed in.", "skipped", told["status"], f"{told['status']}{due}")
    return _suite_of(f"{told['student']}/{told['assignment']}", [case])


def _suite_of(name: str, cases: Sequence[Case]) -> ElementTree.Element:
    counted: dict[str, str] = {
        plural: str(sum(case.found == one for case in cases))
        for plural, one in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    suite = ElementTree.Element("testsuite", counted, name=_line(name), tests=str(len(cases)))
    for case in cases:
        classname = f"{name}/{case.exercise}" if case.exercise else name
        element = ElementTree.SubElement(
            suite, "testcase", classname=_line(classname), name=_line(case.name)
        )
        if case.found != "passed":
            told = ElementTree.SubElement(element, case.found, type=case.kind)
            told.text = "\n".join(map(plain, case.text.splitlines()))
            told.set("message", told.text.partition("\n")[0])
        elif case.text:
            ElementTree.SubElement(element, "system-out").text = _line(case.text)
    return suite


def _cases(submission: dict[str, Any]) -> Iterator[Case]:
    if submission["status"] == "ungraded":
        reason, detail = submission["reason"], submission["detail"]
        yield Case("", "The submission can be graded.", "error", reason, f"{reason}: {detail}")
    for name, exercise in submission["exercises"].items():
        if exercise["status"] == "ungraded":
            text = f"{FAULT_OF_OURS}\n{exercise['detail']}"
            yield Case(name, "The answer can be judged.", "error", exercise["reason"], text)
            continue
        named: set[str] = set()
        for test in exercise["tests"]:
            claim = test["claim"] if test["device"] != "cuda" else f"{test['claim']} (on a GPU)"
            if claim in named:  # some programs show one of two that have the same name
                claim = f"{claim} [{test['name']}]"
            named.add(claim)
            yield _case(name, claim, exercise, test)


def _case(name: str, claim: str, exercise: dict[str, Any], test: dict[str, Any]) -> Case:
    if exercise["bonus"] and not exercise["attempted"]:
        return Case(name, claim, "skipped", "bonus", "A bonus that was not tried.")
    if test["device"] == BY_PERSON and exercise["manual_score"] is not None:
        given, most = exercise["score"], exercise["max_score"]
        text = f"A person gave {points(given)} of {points(most)} points."
        return Case(name, claim, "passed" if given >= most else "failure", "by_hand", text)
    if test["outcome"] == "pending":
        waits = "a person" if test["device"] == BY_PERSON else "a GPU"
        text = f"{points(test['points'])} points wait for {waits}."
        return Case(name, claim, "skipped", "pending", test["symptom"] or text)
    if test["outcome"] == "passed":
        return Case(name, claim)
    if test["remark"]:
        return Case(name, claim, text=f"A remark, which costs nothing: {test['symptom'] or claim}")
    by_itself = "failed" if exercise["attempted"] else "not_attempted"
    kind = exercise["reason"] or exercise["misconception"] or by_itself
    why = exercise["reason"] and f"{exercise['reason']}: {exercise['detail'] or 'no more is known'}"
    told = [test["symptom"], why, exercise["message"]]
    return Case(name, claim, "failure", kind, "\n".join(filter(None, told)) or f"Not so: {claim}")


def _line(text: str) -> str:
    """Text of unknown origin as one line that XML can hold."""
    return plain(" ".join(text.splitlines()))
