"""An answer that stops because of an earlier one cannot be judged yet, and is told which that is.

The reference, called as the student's answer is and built on the student's own earlier functions,
stops with the same error: inside one of them, or at what one of them gives. Whatever else the
answer does then is not known, so that no mistake of its own may be named.
"""

import ast
import warnings
from collections.abc import Callable
from typing import Any

from torch import Tensor

from autograder.checks.errors import MissingName, StudentDied, StudentError
from autograder.course.exercise_cell import Definition
from autograder.judging.answers import (
    reference_source,
    solution_module,
    standing_before,
    student_with,
)
from autograder.judging.assertions import Wrong, assert_matches
from autograder.judging.devices import kind_of
from autograder.judging.own_parts import fault_of
from autograder.judging.registry import probe_of
from autograder.judging.tolerance import expected
from autograder.sandbox import SandboxLost

Look = Callable[[], object]


def stopped_inside(exercise: str, student: Any) -> str | None:
    """What to tell a student whose answer stops inside an earlier one; None where it does not.

    Args:
        exercise: the exercise's name; nothing is known unless its grader has been imported.
        student: the student's code.

    Raises:
        StudentDied: the student's process ended while it was observed.
    """
    probe, names = probe_of(exercise), _parts(exercise)
    if probe is None or not names:
        return None
    module = solution_module(exercise)
    own = {name: _Part(student, name, getattr(module, name)) for name in names}
    source = reference_source(exercise)
    trusted = probe(student_with(exercise, source))
    on_parts = probe(student_with(exercise, source, own))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a part warns of is no news here
        for name, look in probe(student).items():
            error = _raised(look)
            if error is not None and not _of_device(error) and _raised(trusted[name]) is None:
                return _blamed(error, on_parts[name], own)
    return None


class _Part:
    """An earlier function of the student's, which remembers what went wrong in it first.

    Args:
        student: the student's code.
        name: the function's.
        trusted: the reference's.
    Attributes:
        error: the first error that it raised.
        wrong: whether it gave something else than the reference's.
    """

    def __init__(self, student: Any, name: str, trusted: Callable[..., Any]) -> None:
        self.name = name
        self.error: Exception | None = None
        self.wrong = False
        self._student = student
        self._trusted = trusted

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        cut = [arg.detach() if isinstance(arg, Tensor) else arg for arg in args]
        try:
            found = getattr(self._student, self.name)(*cut, **kwargs)
            self.wrong = self.wrong or not _as_trusted(found, self._trusted, cut, kwargs)
            return found
        except (StudentError, StudentDied, SandboxLost) as error:
            self.error = self.error or error
            raise


def _blamed(error: StudentError, on_parts: Look, own: dict[str, _Part]) -> str | None:
    """The sentence about the part that raises the same error under the reference; None without."""
    for one in own.values():
        one.error, one.wrong = None, False
    after = _raised(on_parts)
    part = next((one for one in own.values() if one.error is not None), None)
    if part is None or part.error is None:
        wrong = next((one for one in own.values() if one.wrong), None)
        if wrong is None or after is None or fault_of(after) != fault_of(error):
            return None
        return _told(f"stops at what your own {wrong.name} gives: mend")
    if isinstance(part.error, SandboxLost):
        raise part.error
    # An exercise whose cell ended its process is bound for nobody.
    unbound = isinstance(part.error, MissingName | StudentDied)
    fault = MissingName(part.name) if unbound else part.error
    if fault_of(fault) != fault_of(error):
        return None
    if unbound:
        return _told(f"needs your own {part.name}, which is not defined: write")
    if error.builtin != "NotImplementedError":
        return _told(f"stops inside your own {part.name}: mend")
    # Without the text of the stub, an answer that is not written itself looks the same.
    written = part.name not in error.message
    return None if written else _told(f"needs your own {part.name}, not written yet: write")


def _as_trusted(
    found: object, trusted: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
) -> bool:
    """Whether a part gave what the reference's gives, or was asked what that one cannot take."""
    try:
        assert_matches(found, expected(trusted, *args, **kwargs))
    except Wrong:
        return False
    except Exception:  # what one wrong part gave is no input for the next
        return True
    return True


def _told(where: str) -> str:
    return f"Your code {where} that first; then this one can be judged."


def _raised(look: Look) -> StudentError | None:
    """The student's error that an observation meets."""
    try:
        look()
    except (StudentDied, SandboxLost):
        raise
    except StudentError as error:
        return error
    except Exception:  # a probe cannot foresee everything that an answer may give back
        return None
    return None


def _of_device(error: StudentError) -> bool:
    """Whether it is about the meta device, where right code may stop, too."""
    return kind_of(error) != error.type_name


def _parts(exercise: str) -> list[str]:
    """The earlier exercises of the assignment that the reference calls."""
    before = [node.name for node in standing_before(exercise) if isinstance(node, Definition)]
    used = ast.walk(ast.parse(reference_source(exercise)))
    called = {node.id for node in used if isinstance(node, ast.Name)}
    return [name for name in before if name in called]
