"""What the reference gives where it is asked the same: a hidden test's calls, on a right answer."""

import warnings
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.disputes.recording import Recorded, copied
from autograder.judging.answers import reference_source, student_with
from autograder.student import RemoteModule
from autograder.student.remote import RemoteAxes


@dataclass(frozen=True)
class Right:
    """What the reference gave for one call.

    Attributes:
        gave: what came back; a module of the reference's in a LocalModule.
        raised: the error that came back in its place.
    """

    gave: Any = None
    raised: StudentError | None = None


def replayed(exercise: str, asked: Sequence[Recorded]) -> list[Right | None]:
    """What the reference gives for each call; None where it was not asked, or cannot answer."""
    replay = Replay(student_with(exercise, reference_source(exercise)))
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        return [replay.answer(one) for one in asked]


class Replay:
    """Asks somebody what was asked of a student before.

    Args:
        right: whom to ask: a right answer, or the student again.
    """

    def __init__(self, right: Any) -> None:
        self._right = right
        self._own: dict[Any, Any] = {}  # for what lives in the student's process, ours

    def answer(self, one: Recorded) -> Right | None:
        """What comes back for one call; None where it cannot be made."""
        try:
            with ExitStack() as contexts:
                for device, dtype in one.autocast:
                    contexts.enter_context(self._right.autocast(device, dtype))
                gave = self._asked(one)
        except StudentError as error:
            return Right(raised=error)
        except StudentDied:
            return Right()
        except Exception:  # such as a module that was never made
            return None
        if isinstance(one.gave, RemoteModule | RemoteAxes):
            self._own.setdefault(one.gave.handle, gave)
        return Right(gave)

    def _asked(self, one: Recorded) -> Any:
        args, kwargs = self._ours(copied(one.args)), self._ours(copied(dict(one.kwargs)))
        match one.way:
            case "call" | "traced":
                return self._target(one)(*args, **kwargs)
            case "grad":
                target = one.target if isinstance(one.target, str) else self._target(one)
                return self._right.grad(target, *args, upstream=copied(one.upstream), **kwargs)
            case "linear":
                return self._right.linear(*args)
            case "axes":
                return self._right.new_axes()
            case "place":
                return self._right.place(one.name, *args)
            case "seed":
                return self._right.seed(*args)
        raise LookupError(one.way)

    def _target(self, one: Recorded) -> Any:
        if isinstance(one.target, str):
            return getattr(self._right, one.target)
        module, name = self._own[one.target.module], one.target.name
        if name == "__getattribute__":
            return module.attribute
        return module if name is None else getattr(module, name)

    def _ours(self, value: Any) -> Any:
        if isinstance(value, RemoteModule | RemoteAxes):
            return self._own[value.handle]
        if type(value) in (tuple, list):
            return type(value)(map(self._ours, value))
        if type(value) is dict:
            return {key: self._ours(item) for key, item in value.items()}
        return value
