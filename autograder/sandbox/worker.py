"""The trusted handle on a submission's process: runs cells, calls what they bound, keeps limits."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.checks.kit.changes import DRAWN_FROM
from autograder.checks.kit.errors import Gradients, MissingName, StudentDied, StudentError
from autograder.checks.kit.judged import Where
from autograder.checks.kit.values import Array
from autograder.course.limits import Limits
from autograder.sandbox.backend import Channel, Process
from autograder.sandbox.budget import Budget
from autograder.sandbox.dialogue import Answerer, Dialogue
from autograder.sandbox.drawing import read_drawing
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.encoding import Encoder
from autograder.sandbox.inside.failure import GPU_FAULT
from autograder.sandbox.inside.frames import Violation, written
from autograder.sandbox.outcomes import CellError, CellOutcome
from autograder.sandbox.replies import (
    cell_error,
    cell_outcome,
    is_gradients,
    judged_cells,
    missing_name,
)

MOST_MODULES = 1 << 31

Autocast = Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class Place:
    """What stands where a cell of a notebook does.

    Attributes:
        own: the exercise whose own cell it is, or None.
        checks: the exercises whose checks stand right below it.
        follow: all exercises of the notebook.
    """

    own: str | None = None
    checks: tuple[str, ...] = ()
    follow: tuple[str, ...] = ()


NOWHERE = Place()
_JUDGED = {"op": "judged"}


@dataclass(frozen=True)
class ModuleHandle:
    """Stands for a module, or an Axes that we made, that lives in a worker.

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
        drawn: whose global random numbers it changed.
    """

    value: Any
    changed: tuple[int | str, ...]
    drawn: tuple[str, ...]


class Worker:
    """One submission's process.

    Every method that runs student code raises StudentDied when the process ends over it; after
    that, every method raises the same again.

    Args:
        process: the process.
        channel: the line to it.
        limits: bounds on calls and cells.
        budget: the time left to the submission.
        answerer: answers what stand-ins ask, where there are some.
    """

    def __init__(
        self,
        process: Process,
        channel: Channel,
        limits: Limits,
        budget: Budget,
        answerer: Answerer | None = None,
    ) -> None:
        self._process = process
        self._limits = limits
        self._dialogue = Dialogue(process, channel, budget, answerer)

    @property
    def death(self) -> StudentDied | None:
        """Why the process ended, or None while it lives."""
        return self._dialogue.death

    def expect_cells(self, cells: Iterable[tuple[str, Place]]) -> None:
        """Tell which cells are run next, each by its source and what stands there.

        Where they are followed, what is judged is asked then.
        """
        told = [*cells]
        asked = [(written(_cell(place)), _encoded(source)) for source, place in told]
        is_followed = any(place.follow for _, place in told)
        self._dialogue.expect([*asked, *([(written(_JUDGED), b"")] if is_followed else [])])

    def expect_values(self, names: Iterable[str]) -> None:
        """Tell which variables are asked for next."""
        self._dialogue.expect([(written(_value(name)), b"") for name in names])

    def run_cell(self, source: str, name: str = "cell", place: Place = NOWHERE) -> CellOutcome:
        """Run a notebook cell.

        Args:
            source: the cell, with its magics.
            name: what to call the cell when it dies.
            place: what stands there.
        """
        text = memoryview(_encoded(source))
        reply, _ = self._dialogue.ask(
            _cell(place), self._limits.cell_seconds, f"cell {name}", [text]
        )
        try:
            outcome = cell_outcome(reply["cell"], self._limits)
        except (KeyError, TypeError, Violation) as error:
            raise self._dialogue.die("protocol", f"an odd answer about a cell: {error}") from error
        if outcome.error is not None:
            self._end_after_gpu_fault(outcome.error)
        return outcome

    def judged(self, follow: Collection[str], cells: int) -> dict[str, tuple[Where, int]]:
        """Of each exercise that has one, which definition is judged, and of which cell that ran.

        Args:
            follow: the exercises.
            cells: how many cells have run.
        """
        seconds = self._limits.call_seconds
        reply, _ = self._dialogue.ask(_JUDGED, seconds, "telling what is bound")
        try:
            return judged_cells(reply["judged"], follow, cells)
        except (KeyError, Violation) as error:
            raise self._dialogue.die("protocol", f"an odd answer about names: {error}") from error

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
        changed = self._told_of(reply, "changed", {*range(len(args)), *(kwargs or {})})
        return Answer(value, changed, self._told_of(reply, "drawn", DRAWN_FROM))

    def grad(
        self,
        target: str | Method,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        upstream: Array | tuple[Array | None, ...],
        autocast: Autocast = (),
    ) -> Gradients:
        """Call, then pull `upstream` back to the arguments and parameters.

        Args:
            upstream: the cotangent of the first floating-point output; or a tuple of one for each.
        """
        _, value = self._call(target, args, kwargs or {}, autocast, upstream)
        if not is_gradients(value, len(args)):
            raise self._dialogue.die("protocol", "an odd answer about gradients")
        return Gradients(*value)

    def traced(
        self,
        target: str | Method,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        autocast: Autocast = (),
    ) -> tuple[Any, dict[str, Any]]:
        """Call; also what the process says of the operations that ran, which nobody has checked."""
        _, value = self._call(target, args, kwargs or {}, autocast, None, traced=True)
        if type(value) is not tuple or len(value) != 2 or type(value[1]) is not dict:
            raise self._dialogue.die("protocol", "an odd answer about operations")
        return value

    def fresh(self, way: str, target: str | Method, arguments: Sequence[Any]) -> tuple[Any, float]:
        """Run the target in a way of `tensors.inside.fresh`.

        Args:
            way: its name in `tensors.inside.requests`.
            target: what to run.
            arguments: those of that way, after the target.

        Returns:
            what it gave, and the seconds until it was here.
        """
        encoder = Encoder(self._number_of)
        request = {
            "op": "fresh",
            "way": way,
            "target": self._described(target),
            "arguments": encoder.encode(list(arguments)),
            "tensors": encoder.records,
        }
        seconds = self._limits.call_seconds
        start = time.perf_counter()
        reply, blob = self._dialogue.ask(request, seconds, "runs on fresh inputs", encoder.parts)
        took = time.perf_counter() - start
        return self._result(reply, blob), took

    def value(self, name: str) -> Any:
        """What a variable holds."""
        reply, blob = self._dialogue.ask(_value(name), self._limits.call_seconds, "a value")
        return self._result(reply, blob)

    def linear(self, weight: Array, bias: Array | None) -> ModuleHandle:
        """Make a linear layer there; the weight is (outputs, inputs)."""
        encoder = Encoder(self._number_of)
        request = {"op": "linear", "parameters": encoder.encode([weight, bias])}
        request["tensors"] = encoder.records
        seconds = self._limits.call_seconds
        reply, blob = self._dialogue.ask(request, seconds, "making a layer", encoder.parts)
        return self._handle(self._result(reply, blob))

    def new_axes(self) -> ModuleHandle:
        """Make an empty Axes there."""
        reply, blob = self._dialogue.ask({"op": "axes"}, self._limits.call_seconds, "making Axes")
        return self._handle(self._result(reply, blob))

    def stand_in(self, name: str, kind: str) -> None:
        """Let a name stand for what asks here; see `sandbox.inside.stand_ins`."""
        request = {"op": "stand_in", "name": name, "kind": kind}
        self._dialogue.ask(request, self._limits.call_seconds, f"standing in for {name}")

    def seed(self, number: int) -> None:
        """Seed the random numbers that code draws there from its library."""
        self._dialogue.ask({"op": "seed", "number": number}, self._limits.call_seconds, "seeding")

    def peak_bytes(self) -> int:
        """The most memory that the process has held so far."""
        if self.death is not None:
            raise self.death
        try:
            return self._process.peak_bytes()
        except ProcessLookupError:
            raise self._dialogue.bury() from None

    def close(self) -> None:
        """End the process; may be repeated."""
        self._dialogue.close()

    def _call(
        self,
        target: str | Method,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        autocast: Autocast,
        upstream: Array | tuple[Array | None, ...] | None,
        traced: bool = False,
    ) -> tuple[dict[str, Any], Any]:
        encoder = Encoder(self._number_of, keeps_gradients=True)
        request = {
            "op": "call",
            "target": self._described(target),
            "args": encoder.encode(list(args)),
            "kwargs": encoder.encode(dict(kwargs)),
            "autocast": encoder.encode(list(autocast)),
            "upstream": None if upstream is None else encoder.encode(upstream),
            "traced": traced,
            "tensors": encoder.records,
        }
        what = target if isinstance(target, str) else target.name or "a module"
        seconds = self._limits.call_seconds
        reply, blob = self._dialogue.ask(request, seconds, f"one call of {what}", encoder.parts)
        return reply, self._result(reply, blob)

    def _result(self, reply: dict[str, Any], blob: memoryview) -> Any:
        """The value in a reply, or the exception that it tells of."""
        try:
            if "missing" in reply:
                raise MissingName(missing_name(reply["missing"]))
            if "error" in reply:
                error = cell_error(reply["error"])
            else:
                decoder = Decoder(reply["tensors"], blob, self._module, drawing_of=read_drawing)
                return decoder.decode(reply["result"])
        except (KeyError, Violation) as broken:
            raise self._dialogue.die("protocol", f"an odd answer: {broken}") from broken
        self._end_after_gpu_fault(error)
        died = error.as_death(self._limits)
        if died is not None:
            raise died
        raise StudentError(error.type_name, error.message, error.line, error.builtin)

    def _end_after_gpu_fault(self, error: CellError) -> None:
        """End a process that can use its GPU no more, before other exercises suffer from it.

        Raises:
            StudentDied: it is one.
        """
        if error.reason == GPU_FAULT:
            raise self._dialogue.die("crashed", "what it asked of the GPU failed there")

    def _told_of(self, reply: dict[str, Any], what: str, known: Collection[Any]) -> tuple[Any, ...]:
        """Which of what is known a reply tells of."""
        told = reply.get(what)
        if type(told) is not list or any(
            type(one) not in (int, str) or one not in known for one in told
        ):
            raise self._dialogue.die("protocol", f"an odd answer about what is {what}")
        return tuple(told)

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

    def _handle(self, made: Any) -> ModuleHandle:
        if not isinstance(made, ModuleHandle):
            raise self._dialogue.die("protocol", "an odd answer about what was to be made")
        return made


def _cell(place: Place) -> dict[str, Any]:
    return {"op": "cell", "own": place.own, "checks": place.checks, "follow": place.follow}


def _encoded(source: str) -> bytes:
    return source.encode(errors="replace")  # a notebook may hold invalid Unicode


def _value(name: str) -> dict[str, Any]:
    return {"op": "value", "name": name}
