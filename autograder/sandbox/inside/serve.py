"""The request loop of a student's process: run a cell, call what it bound, answer with data.

All of this is in reach of the student's code. An answer is what that code says, and no more.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from typing import Any

import torch
from autograder_drawn import closing_figures, described, new_axes
from torch import nn

from .backward import pull_back
from .changes import same_content
from .decoding import Decoder
from .encoding import Encoder, Unsendable
from .failure import LONGEST_MESSAGE, describe, plain
from .fresh import count_waits, in_one_graph, run_fresh
from .line import NO_MEMORY, receive, send
from .notebook import Notebook, Unbound
from .recording import record
from .stand_ins import stand_in

# Ways to run code other than to call it once, by the name that a request gives.
FRESH: dict[str, Callable[..., Any]] = {
    "runs": run_fresh,
    "waits": count_waits,
    "graph": in_one_graph,
}


def serve(notebook: Notebook, reply_bytes: int) -> None:
    """Answer requests for ever."""
    requests = Requests(notebook)
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
    """What the trusted side may ask for; each method named for an `op` answers one request."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._held: list[Any] = []  # modules, and the Axes that were asked for
        self._answers: dict[str, Callable[[dict[str, Any], memoryview, Encoder], Any]] = {
            "cell": self._cell,
            "call": self._call,
            "value": self._value,
            "seed": self._seed,
            "linear": self._linear,
            "axes": self._axes,
            "fresh": self._fresh,
            "stand_in": self._stand_in,
        }

    def encoder(self) -> Encoder:
        """A fresh encoder that knows the modules."""
        return Encoder(self._handle_of, drawing_of=_drawing_of)

    def answer(self, request: dict[str, Any], blob: memoryview) -> tuple[dict[str, Any], Encoder]:
        """The answer to one request, whatever the student's code does meanwhile."""
        encoder = self.encoder()
        try:
            return self._answers[request["op"]](request, blob, encoder), encoder
        except Unbound as error:
            return {"missing": str(error)}, self.encoder()
        except Unsendable as error:
            return _refusal(str(error)), self.encoder()
        except BaseException as error:  # SystemExit and KeyboardInterrupt end a call, not us
            return {"error": describe(error)}, self.encoder()

    def _cell(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        cell = self._notebook.run_cell(bytes(blob).decode(), request["keep"])
        try:
            _await_gpu()
        except RuntimeError as error:
            cell["error"] = describe(error)
        return {"cell": cell}

    def _value(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        return {"result": encoder.encode(self._notebook.look_up(request["name"]))}

    def _seed(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        torch.manual_seed(request["number"])
        return {"result": None}

    def _call(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        given = Decoder(request["tensors"], blob, self._get, owns=True)
        args = given.decode(request["args"])
        kwargs = given.decode(request["kwargs"])
        target = self._target(request["target"])
        result: Any
        with self._once(given.decode(request["autocast"])):
            if request["traced"]:
                result = record(target, args, kwargs)
            elif request["upstream"] is None:
                result = target(*args, **kwargs)
            else:
                value, inputs, parameters = pull_back(
                    target, args, kwargs, given.decode(request["upstream"])
                )
                result = (value, tuple(inputs), parameters)
            _await_gpu()
        if isinstance(getattr(target, "__self__", None), nn.Module):
            result = _as_data(target.__name__, result)
        after: dict[Any, Any] = dict(enumerate(args)) | kwargs
        changed = [place for place, value in after.items() if not given.is_as_sent(value)]
        if changed:
            sent = Decoder(request["tensors"], blob, self._get)
            before: dict[Any, Any] = dict(enumerate(sent.decode(request["args"])))
            before |= sent.decode(request["kwargs"])
            changed = [place for place in changed if not same_content(after[place], before[place])]
        return {"result": encoder.encode(result), "changed": changed}

    @contextmanager
    def _once(self, autocast: Sequence[tuple[str, torch.dtype]]) -> Iterator[None]:
        """One call: gradients are on, and what it opens, prints and sets is nobody else's."""
        try:
            with closing_figures(), torch.enable_grad(), _keeping_defaults(), ExitStack() as stack:
                for device, dtype in autocast:
                    stack.enter_context(torch.autocast(device, dtype=dtype))
                yield
        finally:
            self._notebook.forget_output()

    def _fresh(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        given = Decoder(request["tensors"], blob, self._get, owns=True)
        arguments = given.decode(request["arguments"])
        with _keeping_defaults():
            found = FRESH[request["way"]](self._target(request["target"]), *arguments)
            _await_gpu()
        return {"result": encoder.encode(found)}

    def _target(self, asked: dict[str, Any]) -> Callable[..., Any]:
        if "name" in asked:
            found = self._notebook.look_up(asked["name"])
            if not callable(found):
                kind = type(found).__name__
                raise TypeError(f"{asked['name']} is of type {kind}, not a function or class")
            return found
        module = self._get(asked["module"])
        return getattr(module, asked["method"]) if asked["method"] else module

    def _linear(
        self, request: dict[str, Any], blob: memoryview, encoder: Encoder
    ) -> dict[str, Any]:
        given = Decoder(request["tensors"], blob, self._get, owns=True)
        weight, bias = given.decode(request["parameters"])
        outputs, inputs = weight.shape
        layer = nn.Linear(inputs, outputs, device="meta")  # where no random numbers are drawn
        layer.weight = nn.Parameter(weight)
        layer.register_parameter("bias", None if bias is None else nn.Parameter(bias))
        return {"result": encoder.encode(layer)}

    def _axes(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        self._held.append(new_axes())
        return {"result": {"module": len(self._held) - 1}}

    def _stand_in(
        self, request: dict[str, Any], blob: memoryview, encoder: Encoder
    ) -> dict[str, Any]:
        self._notebook.bind(request["name"], stand_in(request["name"], request["kind"]))
        return {"result": None}

    def _get(self, handle: int) -> Any:
        return self._held[handle]

    def _handle_of(self, value: Any) -> int | None:
        if not isinstance(value, nn.Module):
            return None
        for handle, module in enumerate(self._held):
            if module is value:
                return handle
        self._held.append(value)
        return len(self._held) - 1


def _await_gpu() -> None:
    """Wait until a GPU has done all: what fails there fails within the request that asked for it.

    Raises:
        RuntimeError: it has failed.
    """
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


@contextmanager
def _keeping_defaults() -> Iterator[None]:
    """A call that sets torch's default dtype or device changes nothing for other exercises."""
    dtype, device = torch.get_default_dtype(), _set_device()
    try:
        yield
    finally:
        if torch.get_default_dtype() != dtype:
            torch.set_default_dtype(dtype)
        if _set_device() != device:
            torch.set_default_device(device)


def _set_device() -> torch.device | None:
    """The default device that was set, if any; torch's own getter tries it, which may fail."""
    held = getattr(torch, "_GLOBAL_DEVICE_CONTEXT", None)
    context = getattr(held, "device_context", None)
    return None if context is None else context.device


def _drawing_of(value: Any) -> dict[str, Any] | None:
    shown = described(value)
    return None if shown is None else asdict(shown)


def _as_data(method: str, result: Any) -> Any:
    """What a module's own method returns, without the subclasses that torch wraps it in."""
    if method == "load_state_dict":
        return list(result[0]), list(result[1])
    return dict(result) if method == "state_dict" else result
