"""`check("row_sums")`: runs the visible checks on the notebook's code and shows what they found."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import StudentError
    from .running import Finding
    from .showing import Image


class CheckFailed(Exception):
    """Some check does not pass yet; the text says which and what to look at."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows in place of a traceback, which would lead into the checks' code."""
        return [f"{type(self).__name__}: {self}"]


def check(exercise: str) -> None:
    """Check one exercise of the notebook: show a table and a picture.

    Args:
        exercise: the exercise's name, such as "row_sums" or "q1".
    Raises:
        CheckFailed: something does not pass yet, so that `nbgrader validate` fails too.
        ValueError: there are no checks of that name here.
    """
    from .showing import show

    found = look(exercise, vars(sys.modules["__main__"]))
    show(found.heading, found.findings, found.drawing)
    if found.failure is not None:
        raise CheckFailed(found.failure) from None


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
    """

    exercise: str
    heading: str
    findings: list[Finding]
    drawing: Image | None
    failure: str | None


def look(exercise: str, namespace: dict[str, Any], is_seen: bool = True) -> Looked:
    """Run the checks of one exercise on the names that a notebook has bound.

    Args:
        exercise: the exercise's name.
        namespace: what the notebook has bound.
        is_seen: whether a picture can be shown; else only its words are made.
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
        return _looked_at_answer(exercise, findings)
    failed = [finding for finding in findings if not finding.passed]
    heading = f"{exercise}: {len(findings) - len(failed)} of {len(findings)} checks pass."
    failure = None
    if failed:
        failure = f"{heading} First to look at: {failed[0].says}"
        if exercise in ladders():
            failure += f' A hint: from checks import hint; hint("{exercise}")'
    return Looked(exercise, heading, findings, _draw(exercise, namespace, is_seen), failure)


def _looked_at_answer(name: str, findings: list[Finding]) -> Looked:
    """What was found of a question: its form, in words that nobody reads as "correct"."""
    from .questions import questions_here
    from .quiz import wanted_form

    wanted, _ = wanted_form(questions_here()[name])
    told = [replace(one, expected=one.expected or wanted, only_form=True) for one in findings]
    advice = next((one.says for one in told if not one.passed), None)
    if advice is None:
        heading = f"{name}: answered, in the right form. Whether it is right, grading tells."
        return Looked(name, heading, told, None, None)
    heading = f"{name}: no answer of the right form yet."
    return Looked(name, heading, told, None, f"{heading} {advice}")


def _not_started(exercise: str, findings: list[Finding]) -> str | None:
    """What to do first where a cell was not run or a stub still stands, this one's or another's."""
    from .errors import MissingName

    for finding in findings:
        if isinstance(finding.error, MissingName):
            name = finding.error.name
            where = "above, which" if name == exercise else "that"
            return (
                f"{name} is not known here yet. Run the cell {where} defines it, and then "
                "this one. After a restart, run all cells from the top."
                f"{_quotation_marks(name)}"
            )
        stub = None if finding.error is None else _stub_in(exercise, finding.error)
        if stub == exercise:
            return (
                f"{exercise} is not written yet. In the cell above, put your code in place of the "
                "line `raise NotImplementedError(...)`, run that cell, and then this one."
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
    return f' If that cell stops with NameError: letters need quotation marks, as in `"{letter}"`.'


def _stub_in(exercise: str, error: StudentError) -> str | None:
    """The exercise whose stub raised; None where torch did, for reasons of its own."""
    if error.type_name != "NotImplementedError":
        return None
    named = re.match(r"(\w+) is not written yet", error.message)
    if named is not None:
        return named[1]
    return exercise if not error.message or error.message.startswith(exercise) else None


def _draw(exercise: str, namespace: dict[str, Any], is_seen: bool) -> Image | None:
    """The picture that the student's own result draws; None where there is none."""
    from .discovery import example_of
    from .local_student import LocalStudent
    from .showing import Image

    example = example_of(exercise)
    if example is None:
        return None
    try:
        result = example.run(LocalStudent(namespace))
    except Exception:  # whatever it is, the table says it; a picture must not hide the table
        return None
    if not is_seen:
        return Image("", example.alt(result))
    import base64
    import io

    from matplotlib.figure import Figure  # not pyplot: the notebook's own figures stay as they are

    figure = Figure(figsize=example.picture.size, layout="constrained")
    example.draw(result, figure.subplots())
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=100)
    return Image(base64.b64encode(image.getvalue()).decode("ascii"), example.alt(result))
