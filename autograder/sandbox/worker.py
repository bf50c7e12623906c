"""The trusted handle on a submission's process: runs cells, calls what they bound, keeps limits."""

import builtins
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.checks.errors import Gradients, MissingName, StudentDied, StudentError
from autograder.course.limits import Limits
from autograder.sandbox.backend import Channel, Closed, Process, TimedOut
from autograder.sandbox.budget import Budget
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.encoding import Encoder
from autograder.sandbox.inside.failure import (
    LONGEST_MESSAGE,
    LONGEST_TYPE_NAME,
    OUT_OF_MEMORY,
    PROCESS_REFUSED,
)
from autograder.sandbox.inside.frames import Violation, write_frame
from autograder.sandbox.outcomes import CellError, CellOutcome

MOST_MODULES = 1 << 31

Autocast = Sequence[tuple[str, torch.dtype]]


@dataclass(frozen=True)
class ModuleHandle:
    """Stands for a module that lives in a worker.

    Attributes:
        worker: where it lives.
        number: which one it is there.
    """

    worker: "Worker"
    number: int


@dataclass(frozen=True)
class Method:
    """A method of a module, or the module's own call when the name is None."""

    module: ModuleHandle
    name: str | None = None


@dataclass(frozen=True)
class Answer:
    """What a call gave.

    Attributes:
        value: what it returned; a ModuleHandle where that is a module.
        changed: positions and names of the arguments whose content it changed.
    """

    value: Any
    changed: tuple[int | str, ...]


class Worker:
    """One submission's process.

    Every method that runs student code raises StudentDied when the process ends over it; after
    that, every method raises the same again.

    Args:
        process: the process.
        channel: the line to it.
        limits: bounds on calls and cells.
        budget: the time left to the submission.
    """

    def __init__(self, process: Process, channel: Channel, limits: Limits, budget: Budget) -> None:
        self._process = process
        self._channel = channel
        self._limits = limits
        self._budget = budget
        self._death: StudentDied | None = None

    @property
    def death(self) -> StudentDied | None:
        """Why the process ended, or None while it lives."""
        return self._death

    def run_cell(self, source: str, name: str = "cell", keep: str | None = None) -> CellOutcome:
        """Run a notebook cell.

        Args:
            source: the cell, with its magics.
            name: what to call the cell when it dies.
            keep: calls of this name use what it is bound to right after the cell, from then on.
        """
        text = memoryview(source.encode(errors="replace"))  # a notebook may hold invalid Unicode
        request = {"op": "cell", "keep": keep}
        reply, _ = self._ask(request, self._limits.cell_seconds, f"cell {name}", [text])
        try:
            return _cell_outcome(reply["cell"], self._limits)
        except (KeyError, TypeError, Violation) as error:
            raise self._die("protocol", f"an odd answer about a cell: {error}") from error

    def call(
        self,
        target: str | Method,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        autocast: Autocast = (),
    ) -> Answer:
        """Call a function, a class, or a module's method.

        Raises:
            StudentError: the code raised, or returned what cannot be graded.
            MissingName: the name is not bound.
        """
        reply, value = self._call(target, args, kwargs or {}, autocast, None)
        return Answer(value, self._changed(reply, len(args), kwargs or {}))

    def grad(
        self,
        target: str | Method,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        upstream: Tensor,
        autocast: Autocast = (),
    ) -> Gradients:
        """Call, then pull `upstream` back to the arguments and parameters."""
        _, value = self._call(target, args, kwargs or {}, autocast, upstream)
        if not _is_gradients(value, len(args)):
            raise self._die("protocol", "an odd answer about gradients")
        return Gradients(*value)

    def value(self, name: str) -> Any:
        """What a variable holds."""
        reply, blob = self._ask({"op": "value", "name": name}, self._limits.call_seconds, "a value")
        return self._result(reply, blob)

    def seed(self, number: int) -> None:
        """Seed torch's random numbers there."""
        self._ask({"op": "seed", "number": number}, self._limits.call_seconds, "seeding")

    def peak_bytes(self) -> int:
        """The most memory that the process has held so far."""
        if self._death is not None:
            raise self._death
        try:
            return self._process.peak_bytes()
        except ProcessLookupError:
            raise self._bury() from None

    def close(self) -> None:
        """End the process; may be repeated."""
        self._process.kill()
        self._channel.close()
        if self._death is None:
            self._death = StudentDied("crashed", "the submission's process was closed")

    def _call(
        self,
        target: str | Method,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        autocast: Autocast,
        upstream: Tensor | None,
    ) -> tuple[dict[str, Any], Any]:
        encoder = Encoder(self._number_of, keeps_gradients=True)
        request = {
            "op": "call",
            "target": self._described(target),
            "args": encoder.encode(list(args)),
            "kwargs": encoder.encode(dict(kwargs)),
            "autocast": encoder.encode(list(autocast)),
            "upstream": None if upstream is None else encoder.encode(upstream),
            "tensors": encoder.records,
        }
        what = target if isinstance(target, str) else target.name or "a module"
        seconds = self._limits.call_seconds
        reply, blob = self._ask(request, seconds, f"one call of {what}", encoder.parts)
        return reply, self._result(reply, blob)

    def _ask(
        self,
        request: dict[str, Any],
        seconds: float,
        what: str,
        parts: Sequence[memoryview] = (),
    ) -> tuple[dict[str, Any], memoryview]:
        """Send a request and take its one answer, within the time there is."""
        if self._death is not None:
            raise self._death
        if self._budget.left <= 0:
            raise self._die("timeout", self._lateness(seconds, 0.0, what))
        if self._channel.has_unread():
            raise self._die("protocol", "an answer that nobody asked for")
        request["id"] = secrets.token_hex(8)
        allowed = min(seconds, self._budget.left)
        with self._budget.running():
            deadline = time.monotonic() + allowed
            try:
                self._channel.send(write_frame(request, parts), deadline)
                reply, blob = self._channel.receive(deadline)
            except TimedOut:
                raise self._die("timeout", self._lateness(seconds, allowed, what)) from None
            except Closed:
                raise self._bury() from None
            except Violation as error:
                raise self._die("protocol", str(error)) from error
        if reply.get("id") != request["id"]:
            raise self._die("protocol", "an answer to another question")
        return reply, blob

    def _lateness(self, seconds: float, allowed: float, what: str) -> str:
        if allowed < seconds:
            return f"the submission's {self._budget.total:g} seconds are used up"
        return f"more than {seconds:g} seconds for {what}"

    def _result(self, reply: dict[str, Any], blob: memoryview) -> Any:
        """The value in a reply, or the exception that it tells of."""
        try:
            if "missing" in reply:
                raise MissingName(_missing_name(reply["missing"]))
            if "error" in reply:
                error = _cell_error(reply["error"])
            else:
                return Decoder(reply["tensors"], blob, self._module).decode(reply["result"])
        except (KeyError, Violation) as broken:
            raise self._die("protocol", f"an odd answer: {broken}") from broken
        died = error.as_death(self._limits)
        if died is not None:
            raise died
        raise StudentError(error.type_name, error.message, error.line, error.builtin)

    def _changed(
        self, reply: dict[str, Any], count: int, kwargs: Mapping[str, Any]
    ) -> tuple[int | str, ...]:
        changed = reply.get("changed")
        known: set[int | str] = {*range(count), *kwargs}
        if type(changed) is not list or any(
            type(place) not in (int, str) or place not in known for place in changed
        ):
            raise self._die("protocol", "an odd answer about arguments")
        return tuple(changed)

    def _described(self, target: str | Method) -> dict[str, Any]:
        if isinstance(target, str):
            return {"name": target}
        return {"module": self._number_of(target.module), "method": target.name}

    def _number_of(self, value: Any) -> int | None:
        if isinstance(value, ModuleHandle) and value.worker is self:
            return value.number
        return None

    def _module(self, number: int) -> ModuleHandle:
        if number > MOST_MODULES:
            raise Violation("a module's number")
        return ModuleHandle(self, number)

    def _die(self, reason: str, detail: str) -> StudentDied:
        """End the process, for this reason."""
        self._death = StudentDied(reason, detail)
        self._process.kill()
        self._channel.close()
        return self._death

    def _bury(self) -> StudentDied:
        """The process has ended by itself: find out how."""
        why = self._process.why_it_ended()
        return self._die(why.reason, why.detail)


def _missing_name(name: Any) -> str:
    if type(name) is not str:
        raise Violation("a missing name")
    return _bounded(name, LONGEST_TYPE_NAME)


def _cell_error(described: Any) -> CellError:
    if type(described) is not dict:
        raise Violation("an exception")
    kind, message = described.get("type"), described.get("message")
    line, reason = described.get("line"), described.get("reason")
    builtin = described.get("builtin")
    if type(kind) is not str or type(message) is not str:
        raise Violation("an exception")
    if type(builtin) is not str or not _is_exception(builtin):
        raise Violation("an exception's type")
    if reason not in (None, OUT_OF_MEMORY, PROCESS_REFUSED):
        raise Violation("an exception's reason")
    if line is not None and (type(line) is not int or not 0 <= line < 1 << 31):
        raise Violation("an exception's line")
    name, text = _bounded(kind, LONGEST_TYPE_NAME), _bounded(message, LONGEST_MESSAGE)
    return CellError(name, text, line, reason, builtin)


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _bounded(text: str, longest: int) -> str:
    return text.encode(errors="replace")[:longest].decode(errors="ignore")


def _cell_outcome(described: Any, limits: Limits) -> CellOutcome:
    if type(described) is not dict:
        raise Violation("a cell")
    error, printed, bound = described["error"], described["printed"], described["bound"]
    if type(printed) is not str or type(bound) is not bool:
        raise Violation("a cell")
    longest = limits.output_bytes + 100  # and a line that tells how much was dropped
    return CellOutcome(
        None if error is None else _cell_error(error), _bounded(printed, longest), bound
    )


def _is_gradients(value: Any, count: int) -> bool:
    """Whether this is (value, one gradient an argument, gradients by parameter name)."""
    if type(value) is not tuple or len(value) != 3:
        return False
    _, inputs, parameters = value
    if type(inputs) is not tuple or len(inputs) != count or type(parameters) is not dict:
        return False
    gradients = [*inputs, *parameters.values()]
    return all(one is None or type(one) is Tensor for one in gradients) and all(
        type(name) is str for name in parameters
    )
