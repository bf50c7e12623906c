"""`check("row_sums")`: runs the visible checks on the notebook's code and shows what they found."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .chart import Chart
    from .errors import StudentError
    from .running import Finding


STUB = re.compile(r"(\w+) is not written yet")
"""How the message of a stub begins."""


class CheckFailed(Exception):
    """Some check does not pass yet; the text says which and what to look at.

    Args:
        text: what a terminal shows.
        line: what a notebook shows, where the report above says more.
    """

    def __init__(self, text: str, line: str) -> None:
        super().__init__(text)
        self._line = line

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows in place of a traceback, which would lead into the checks' code."""
        return [f"Not yet: {self._line}"]


@dataclass(frozen=True)
class Checked:
    """The last check of an exercise here.

    Attributes:
        found: what it found.
        bound: what the exercise's name was bound to.
    """

    found: Looked
    bound: Any


warned: set[str] = set()
"""What was said of imports in this kernel."""

checked: dict[str, Checked] = {}
"""The last check of each exercise or question in this kernel."""


def check(exercise: str) -> None:
    """Check one exercise of the notebook: show a table and a picture.

    Args:
        exercise: the exercise's name, such as "row_sums" or "q1".
    Raises:
        CheckFailed: something does not pass yet, so that `nbgrader validate` fails too.
        ValueError: there are no checks of that name here.
    """
    from .showing import show

    namespace = vars(sys.modules["__main__"])
    ran = namespace.get("In", ())
    found = _unread(exercise, ran) or _look_now(exercise, namespace, ran)
    checked[exercise] = Checked(found, namespace.get(exercise))
    if found.findings or found.failure is None:  # else the failure says it all
        show(found.heading, found.findings, found.drawing, found.hint)
    _warn(namespace.get("In", ()))
    if found.failure is not None:
        raise CheckFailed(found.failure, found.heading) from None


def _warn(ran: Sequence[str]) -> None:
    """Say once what was imported here and is not there in grading."""
    from .imports import warnings_of
    from .notebook import FOLDER

    for line in warnings_of(ran, FOLDER):
        if line not in warned:
            warned.add(line)
            sys.stdout.write(f"{line}\n")


@dataclass(frozen=True)
class Looked:
    """What the checks of one exercise found.

    Attributes:
        exercise: the exercise's name.
        heading: how many checks pass, whether a question is answered, what to do first, or why
            nothing can be checked here.
        findings: one a check; empty where the exercise is not begun, or cannot be checked.
        drawing: the picture of the student's own result, or None.
        failure: what to look at first; None when all checks pass, or none can run.
        hint: what to type for a hint; None where there is none.
        is_right: of a prediction, whether it is right; None where nothing tells that here.
    """

    exercise: str
    heading: str
    findings: list[Finding]
    drawing: Chart | None
    failure: str | None
    hint: str | None = None
    is_right: bool | None = None


def _look_now(exercise: str, namespace: dict[str, Any], ran: Sequence[str]) -> Looked:
    """Run the checks on what is judged in a notebook that is being worked on."""
    from .discovery import exercises_here
    from .judged import judged_now, standing_for, told_of
    from .notebook import saved_cells

    saved = saved_cells()
    judged = {name: judged_now(name, namespace, ran, saved) for name in exercises_here()}
    meanwhile = {name: one.value for name, one in judged.items() if one is not None}
    with standing_for(meanwhile, namespace):
        found = look(exercise, namespace)
    return replace(found, heading=found.heading + told_of(judged.get(exercise)))


def look(exercise: str, namespace: dict[str, Any]) -> Looked:
    """Run the checks of one exercise on the names that a notebook has bound.

    Raises:
        ValueError: there are no checks of that name here.
    """
    from .discovery import exercises_here, module_of
    from .hinting import ladders
    from .packages import absent
    from .questions import questions_here
    from .running import run_checks

    module = module_of(exercise)
    if module is None:
        here = ", ".join(exercises_here())
        raise ValueError(f"There are no checks for {exercise!r} here; there are some for: {here}.")
    missing = absent(exercise)
    if missing is not None:
        return Looked(exercise, missing, [], None, None)
    findings = run_checks(exercise, module, namespace)
    to_do = _not_started(exercise, findings)
    if to_do is not None:
        return Looked(exercise, to_do, [], None, to_do)
    if exercise in questions_here():
        return _looked_at_answer(exercise, findings, namespace)
    begin, first = exercise, _to_mend_first(exercise, findings, namespace)
    if first is not None:
        begin, finding = first
        findings = [finding, *findings]
    failed = [finding for finding in findings if not finding.passed]
    heading = f"{exercise}: {_count(findings)}."
    failure, hint = None, None
    if failed:
        failure = f"{heading} First to look at: {failed[0].says}"
        if begin in ladders():
            hint = f'from checks import hint; hint("{begin}")'
            failure += f" A hint: {hint}"
    return Looked(exercise, heading, findings, _draw(exercise, namespace), failure, hint)


def _count(findings: Sequence[Finding]) -> str:
    return f"{sum(one.passed for one in findings)} of {len(findings)} checks pass"


def _to_mend_first(
    exercise: str,
    findings: Sequence[Finding],
    namespace: dict[str, Any],
    above: tuple[str, ...] = (),
) -> tuple[str, Finding] | None:
    """The exercise that this one calls and that does not pass its own checks, and what to say.

    Of several, one that calls none of the others: what it gives is wrong in all that call it.

    Args:
        exercise: an exercise; where all its checks pass, nothing is to be mended.
        findings: what its checks found.
        namespace: the notebook's.
        above: the exercises that call it; one that calls these in turn is not to blame.
    """
    from .discovery import exercises_here, module_of
    from .judged import names_read
    from .packages import absent
    from .questions import questions_here
    from .running import Finding, run_checks

    if all(one.passed for one in findings):
        return None
    others = set(exercises_here()) - questions_here().keys() - {exercise}
    asked = frozenset[str]().union(*(one.asked for one in findings if not one.passed))
    for name in sorted((names_read(exercise, namespace, others) | asked) & others):
        module = module_of(name)
        is_above = bool(names_read(name, namespace, ()) & {exercise, *above})
        if module is None or is_above or absent(name) is not None:
            continue
        found = run_checks(name, module, namespace)
        if all(one.passed for one in found) or _not_started(name, found) is not None:
            continue
        deeper = _to_mend_first(name, found, namespace, (exercise, *above))
        says = f"Mend {name} first: {exercise} calls it, and {name} does not pass its own check."
        claim = f"{name}, which {exercise} calls, passes its own check."
        call, wanted = f'check("{name}")', "all of them pass"
        return deeper or (name, Finding(claim, False, call, _count(found), wanted, says))
    return None


def _looked_at_answer(name: str, findings: list[Finding], namespace: dict[str, Any]) -> Looked:
    """What was found of a question: its form, in words that nobody reads as "correct".

    Of a prediction, whether it is right: once it is made, there is nothing left to do about it.
    """
    from . import predictions
    from .questions import questions_here
    from .quiz import UNANSWERED, wanted_form

    question = questions_here()[name]
    wanted, example = wanted_form(question)
    if any(one.came_back == UNANSWERED for one in findings):
        to_do = f"{name} is not answered yet. Your answer goes in place of the dots, as in "
        to_do += f"`{name} = {example}`."
        return Looked(name, to_do, [], None, to_do)
    told = [replace(one, expected=one.expected or wanted, only_form=True) for one in findings]
    advice = next((one.says for one in told if not one.passed), None)
    if advice is None and question.told:
        is_right, why = predictions.told(question, namespace[name])
        heading = f"{name}: right." if is_right else f"{name}: not right."
        said = [replace(one, passed=is_right, says=why) for one in told]
        return Looked(name, heading, said, None, None, is_right=is_right)
    if advice is None:
        heading = f"{name}: answered, in the right form. Whether it is right, grading tells."
        return Looked(name, heading, told, None, None)
    heading = f"{name}: no answer of the right form yet."
    return Looked(name, heading, told, None, f"{heading} {advice}")


def _unread(exercise: str, ran: Sequence[str]) -> Looked | None:
    """What to say where the cell that was run last for an exercise is no Python.

    What it was to replace still stands, and its result would be taken for that of the new text.

    Args:
        exercise: its name.
        ran: the cells that were run, as IPython keeps them.
    """
    defines = re.compile(rf"(?:\b|\\n)(?:def|class)\s+{re.escape(exercise)}\b")
    last = next((source for source in reversed(ran) if defines.search(source)), "")
    try:
        compile(last, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        says = (
            f"{exercise}: the cell that you ran last stops with {type(error).__name__} in line "
            f"{error.lineno} ({error.msg}). Mend that first: what you wrote before it would be "
            "checked otherwise."
        )
        return Looked(exercise, says, [], None, says)
    except ValueError:  # such as a null character
        return None
    return None


def _not_started(exercise: str, findings: list[Finding]) -> str | None:
    """What to do first where a cell was not run or a stub still stands, this one's or another's."""
    from .errors import MissingName

    for finding in findings:
        if isinstance(finding.error, MissingName):
            name = finding.error.name
            where = "above, which" if name == exercise else "that"
            return (
                f"{name} is not known here yet. Run the cell {where} defines it, and then this "
                "one. If that cell stops with an error, mend it first."
                f"{_quotation_marks(name)}"
            )
        stub = None if finding.error is None else _stub_in(exercise, finding.error)
        if stub == exercise:
            return (
                f"{exercise} is not written yet. In the cell above, replace the line that raises "
                "NotImplementedError."
            )
        if stub is not None:
            return f"{stub} is not written yet, and this check needs it. Begin with its cell."
    return None


def _quotation_marks(name: str) -> str:
    """What else to say of a missing answer in letters: `q3 = b` stops before it binds q3."""
    from .questions import questions_here

    question = questions_here().get(name)
    if question is None or not question.letters:
        return ""
    letter = question.letters[0]
    return f' After a NameError: letters need quotation marks, as in `"{letter}"`.'


def _stub_in(exercise: str, error: StudentError) -> str | None:
    """The exercise whose stub raised; None where torch did, for reasons of its own."""
    if error.type_name != "NotImplementedError":
        return None
    named = STUB.match(error.message)
    if named is not None:
        return named[1]
    return exercise if not error.message or error.message.startswith(exercise) else None


def _draw(exercise: str, namespace: dict[str, Any]) -> Chart | None:
    """The picture that the student's own result draws; None where there is none."""
    from .discovery import example_of
    from .local_student import LocalStudent

    example = example_of(exercise)
    if example is None:
        return None
    try:
        result = example.run(LocalStudent(namespace))
    except Exception:  # whatever it is, the table says it; a picture must not hide the table
        return None
    return example.picture.chart(result)
