"""An answer that stops inside an earlier one cannot be judged yet, and is told which one that is.

The reference, called as the student's answer is and built on the student's own earlier functions,
stops there with the same error. Whatever else the answer does then is not known, so that no mistake
of its own may be named.
"""

import ast
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from torch import Tensor

from autograder.checks.errors import MissingName, StudentDied, StudentError
from autograder.judging.answers import reference_source, solution_module, student_with
from autograder.judging.devices import kind_of
from autograder.judging.own_parts import fault_of
from autograder.judging.registry import probe_of
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
    own = {name: _Part(student, name) for name in names}
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
    """An earlier function of the student's, which remembers the first error it raised.

    Args:
        student: the student's code.
        name: the function's.
    """

    def __init__(self, student: Any, name: str) -> None:
        self.name = name
        self.error: Exception | None = None
        self._student = student

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        cut = [arg.detach() if isinstance(arg, Tensor) else arg for arg in args]
        try:
            return getattr(self._student, self.name)(*cut, **kwargs)
        except (StudentError, StudentDied, SandboxLost) as error:
            self.error = self.error or error
            raise


def _blamed(error: StudentError, on_parts: Look, own: dict[str, _Part]) -> str | None:
    """The sentence about the part that raises the same error under the reference; None without."""
    for one in own.values():
        one.error = None
    _raised(on_parts)
    part = next((one for one in own.values() if one.error is not None), None)
    if part is None or part.error is None:
        return None
    if isinstance(part.error, SandboxLost):
        raise part.error
    # An exercise whose cell ended its process is bound for nobody.
    unbound = isinstance(part.error, MissingName | StudentDied)
    fault = MissingName(part.name) if unbound else part.error
    if fault_of(fault) != fault_of(error):
        return None
    if unbound:
        return _sentence(f"needs your own {part.name}, which is not defined: write")
    if error.builtin != "NotImplementedError":
        return _sentence(f"stops inside your own {part.name}: mend")
    # Without the text of the stub, an answer that is not written itself looks the same.
    written = part.name not in error.message
    return None if written else _sentence(f"needs your own {part.name}, not written yet: write")


def _sentence(where: str) -> str:
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
    before = []
    for node in ast.parse(inspect.getsource(solution_module(exercise))).body:
        name = getattr(node, "name", None)
        if name == exercise:
            break
        if name is not None:
            before.append(name)
    used = ast.walk(ast.parse(reference_source(exercise)))
    called = {node.id for node in used if isinstance(node, ast.Name)}
    return [name for name in before if name in called]
