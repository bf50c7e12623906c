"""The request loop of a student's process: run a cell, call what it bound, answer with data.

All of this is in reach of the student's code. An answer is what that code says, and no more.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from autograder.checks.kit.changes import drawn_from, same_content
from autograder.checks.kit.drawn import closing_figures, described, new_axes
from autograder.checks.kit.values import values

from .decoding import Decoder
from .encoding import Encoder, Unsendable
from .failure import LONGEST_MESSAGE, plain
from .line import NO_MEMORY, receive, send
from .notebook import Notebook, Unbound
from .stand_ins import stand_in


def serve(requests: "Requests", reply_bytes: int) -> None:
    """Answer requests for ever."""
    try:
        while True:
            _serve_one(requests, reply_bytes)
    except MemoryError:  # too little for even the request or the answer itself
        os._exit(NO_MEMORY)


def _serve_one(requests: "Requests", reply_bytes: int) -> None:
    request, blob = receive()
    answer, encoder = requests.answer(request, blob)
    size = sum(part.nbytes for part in encoder.parts)
    if size > reply_bytes:
        answer = _refusal(f"a value of {size >> 20} MiB; {reply_bytes >> 20} MiB are allowed")
        encoder = requests.encoder()
    answer |= {"id": request["id"], "tensors": encoder.records}
    try:
        send(answer, encoder.parts)
    except ValueError as error:
        send(_refusal(str(error)) | {"id": request["id"], "tensors": []})


def _refusal(what: str) -> dict[str, Any]:
    message = plain(f"{what} was returned, which cannot be graded", LONGEST_MESSAGE)
    error = {"type": "TypeError", "builtin": "TypeError", "message": message}
    return {"error": error | {"line": None, "reason": None}}


class Requests:
    """What the trusted side may ask for; each method named for an `op` answers one request.

    Where there are tensors, `autograder.tensors.inside` has more to ask for.
    """

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._held: list[Any] = []  # modules, and the Axes that were asked for
        self.answers: dict[str, Callable[[dict[str, Any], memoryview, Encoder], Any]] = {
            "cell": self._cell,
            "judged": self._judged,
            "call": self._call,
            "value": self._value,
            "seed": self._seed,
            "linear": self._linear,
            "axes": self._axes,
            "stand_in": self._stand_in,
        }

    def encoder(self) -> Encoder:
        """A fresh encoder that knows the modules."""
        return Encoder(self._handle_of, drawing_of=_drawing_of)

    def answer(self, request: dict[str, Any], blob: memoryview) -> tuple[dict[str, Any], Encoder]:
        """The answer to one request, whatever the student's code does meanwhile."""
        encoder = self.encoder()
        try:
            return self.answers[request["op"]](request, blob, encoder), encoder
        except Unbound as error:
            return {"missing": str(error)}, self.encoder()
        except Unsendable as error:
            return _refusal(str(error)), self.encoder()
        except BaseException as error:  # SystemExit and KeyboardInterrupt end a call, not us
            return {"error": self._notebook.describe(error)}, self.encoder()

    def _cell(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        cell = self._notebook.run_cell(
            bytes(blob).decode(), request["own"], request["checks"], request["follow"]
        )
        try:
            self.await_work()
        except RuntimeError as error:
            cell["error"] = self._notebook.describe(error)
        return {"cell": cell}

    def _judged(
        self, request: dict[str, Any], blob: memoryview, encoder: Encoder
    ) -> dict[str, Any]:
        return {"judged": self._notebook.judged()}

    def _value(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        return {"result": encoder.encode(self._notebook.look_up(request["name"]))}

    def _seed(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        values().seed(request["number"])
        return {"result": None}

    def _call(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        given = Decoder(request["tensors"], blob, self.get, owns=True)
        args = given.decode(request["args"])
        kwargs = given.decode(request["kwargs"])
        target = self.target(request["target"])
        upstream = None
        if request["upstream"] is not None:
            upstream = given.decode(request["upstream"])
        states = values().random_states()
        with self.once(given.decode(request["autocast"])):
            result = self.run(target, args, kwargs, upstream, request["traced"])
            self.await_work()
        drawn = drawn_from(states)
        result = self.as_data(target, result)
        after: dict[Any, Any] = dict(enumerate(args)) | kwargs
        changed = [place for place, value in after.items() if not given.is_as_sent(value)]
        if changed:
            sent = Decoder(request["tensors"], blob, self.get)
            before: dict[Any, Any] = dict(enumerate(sent.decode(request["args"])))
            before |= sent.decode(request["kwargs"])
            changed = [place for place in changed if not same_content(after[place], before[place])]
        return {"result": encoder.encode(result), "changed": changed, "drawn": drawn}

    @contextmanager
    def once(self, autocast: Sequence[tuple[str, Any]]) -> Iterator[None]:
        """One call: what it opens, prints and sets is nobody else's."""
        try:
            with closing_figures():
                yield
        finally:
            self._notebook.forget_output()

    def run(
        self,
        target: Callable[..., Any],
        args: list[Any],
        kwargs: Mapping[str, Any],
        upstream: Any,
        traced: bool,
    ) -> Any:
        """What a call gives, and what is asked for beside it.

        Args:
            target: what is called.
            args, kwargs: its arguments.
            upstream: what is pulled back, or None.
            traced: whether the operations that run are asked for.
        """
        if traced:
            raise TypeError("nothing here knows the operations that run")
        if upstream is None:
            return target(*args, **kwargs)
        module = target if values().is_module(target) else None
        return values().gradients(lambda *given: target(*given, **kwargs), args, upstream, module)

    def await_work(self) -> None:
        """Wait for what a call has left running: what fails there fails within its request."""

    def as_data(self, target: Callable[..., Any], result: Any) -> Any:
        """What a call returns, without the subclasses that a library wraps it in."""
        return result

    def target(self, asked: dict[str, Any]) -> Callable[..., Any]:
        """What a request means: a name of the notebook's, or a module or its method."""
        if "name" in asked:
            found = self._notebook.look_up(asked["name"])
            if not callable(found):
                kind = type(found).__name__
                raise TypeError(f"{asked['name']} is of type {kind}, not a function or class")
            return found
        module = self.get(asked["module"])
        return getattr(module, asked["method"]) if asked["method"] else module

    def _linear(
        self, request: dict[str, Any], blob: memoryview, encoder: Encoder
    ) -> dict[str, Any]:
        given = Decoder(request["tensors"], blob, self.get, owns=True)
        layer = values().linear(*given.decode(request["parameters"]))
        return {"result": encoder.encode(layer)}

    def _axes(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        self._held.append(new_axes())
        return {"result": {"module": len(self._held) - 1}}

    def _stand_in(
        self, request: dict[str, Any], blob: memoryview, encoder: Encoder
    ) -> dict[str, Any]:
        self._notebook.bind(request["name"], self.stand_in(request["name"], request["kind"]))
        return {"result": None}

    def stand_in(self, name: str, kind: str) -> Any:
        """What stands for an earlier exercise."""
        return stand_in(name, kind)

    def get(self, handle: int) -> Any:
        """What is held under a number."""
        return self._held[handle]

    def _handle_of(self, value: Any) -> int | None:
        if not values().is_module(value):
            return None
        for handle, module in enumerate(self._held):
            if module is value:
                return handle
        self._held.append(value)
        return len(self._held) - 1


def _drawing_of(value: Any) -> dict[str, Any] | None:
    shown = described(value)
    return None if shown is None else asdict(shown)
