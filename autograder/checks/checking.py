"""`check("softmax")`: runs the visible checks on the notebook's code and shows what they found."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import StudentError
    from .running import Finding
    from .showing import Drawing


class CheckFailed(Exception):
    """Some check does not pass yet; the text says which and what to look at."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows in place of a traceback, which would lead into the checks' code."""
        return [f"{type(self).__name__}: {self}"]


def check(exercise: str) -> None:
    """Check one exercise of the notebook: show a table and a picture.

    Args:
        exercise: the exercise's name, such as "softmax" or "q1".
    Raises:
        CheckFailed: something does not pass yet, so that `nbgrader validate` fails too.
        ValueError: there are no checks of that name here.
    """
    from .discovery import exercises_here, module_of
    from .running import run_checks
    from .showing import show

    module = module_of(exercise)
    if module is None:
        here = ", ".join(exercises_here())
        raise ValueError(f"There are no checks for {exercise!r} here; there are some for: {here}.")
    namespace = vars(sys.modules["__main__"])
    findings = run_checks(exercise, module, namespace)
    to_do = _not_started(exercise, findings)
    if to_do is not None:
        show(to_do, [], None)
        raise CheckFailed(to_do) from None
    failed = [finding for finding in findings if not finding.passed]
    heading = f"{exercise}: {len(findings) - len(failed)} of {len(findings)} checks pass."
    show(heading, findings, _draw(exercise, namespace))
    if failed:
        raise CheckFailed(f"{heading} First to look at: {failed[0].says}") from None


def _not_started(exercise: str, findings: list[Finding]) -> str | None:
    """What to do first where the exercise's cell was not run or its stub still stands."""
    from .errors import MissingName

    for finding in findings:
        if isinstance(finding.error, MissingName):
            return (
                f"{exercise} is not known here yet. Run the cell above, which defines it, and then "
                "this one. After a restart, run all cells from the top."
            )
        if finding.error is not None and _is_stub(exercise, finding.error):
            return (
                f"{exercise} is not written yet. In the cell above, put your code in place of the "
                "line `raise NotImplementedError(...)`, run that cell, and then this one."
            )
    return None


def _is_stub(exercise: str, error: StudentError) -> bool:
    """Whether the stub's own line raised; torch raises NotImplementedError for its own reasons."""
    text = error.message
    return error.type_name == "NotImplementedError" and (not text or text.startswith(exercise))


def _draw(exercise: str, namespace: dict[str, Any]) -> Drawing | None:
    """The picture that the student's own result draws; None where there is none."""
    from .discovery import example_of
    from .local_student import LocalStudent
    from .showing import Drawing

    example = example_of(exercise)
    if example is None:
        return None
    try:
        result = example.run(LocalStudent(namespace))
    except Exception:  # whatever it is, the table says it; a picture must not hide the table
        return None
    import base64
    import io

    from matplotlib.figure import Figure  # not pyplot: the notebook's own figures stay as they are

    figure = Figure(figsize=example.picture.size, layout="constrained")
    example.draw(result, figure.subplots())
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=100)
    return Drawing(base64.b64encode(image.getvalue()).decode("ascii"), example.alt(result))
