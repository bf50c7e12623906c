"""What the trusted side may ask for where there are tensors, beside what it always may."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

from autograder.checks.kit.values import values
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.encoding import Encoder
from autograder.sandbox.inside.notebook import Notebook
from autograder.sandbox.inside.serve import Requests

from .fresh import count_waits, device_made_on, gradients_left, in_one_graph, run_fresh
from .recording import record
from .stand_ins import stand_in

# Ways to run code other than to call it once, by the name that a request gives.
FRESH: dict[str, Callable[..., Any]] = {
    "runs": run_fresh,
    "waits": count_waits,
    "graph": in_one_graph,
    "default device": device_made_on,
    "gradients": gradients_left,
}


class TensorRequests(Requests):
    """What may be asked for: also runs on fresh inputs, and recordings of what ran."""

    def __init__(self, notebook: Notebook) -> None:
        super().__init__(notebook)
        self.answers["fresh"] = self._fresh

    @contextmanager
    def once(self, autocast: Sequence[tuple[str, Any]]) -> Iterator[None]:
        """One call: gradients are on, too, and torch's defaults are put back."""
        with super().once(autocast), torch.enable_grad(), _keeping_defaults(), ExitStack() as stack:
            for device, dtype in autocast:
                stack.enter_context(torch.autocast(device, dtype=dtype))
            yield

    def run(
        self,
        target: Callable[..., Any],
        args: list[Any],
        kwargs: Mapping[str, Any],
        upstream: Any,
        traced: bool,
    ) -> Any:
        """What a call gives, and what is asked for beside it."""
        if traced:
            return record(target, args, dict(kwargs))
        return super().run(target, args, kwargs, upstream, traced)

    def await_work(self) -> None:
        """Wait until a GPU has done all: what fails there fails within the request.

        Raises:
            RuntimeError: it has failed.
        """
        if torch.cuda.is_initialized():
            torch.cuda.synchronize()

    def as_data(self, target: Callable[..., Any], result: Any) -> Any:
        """What a module's own method returns, without the subclasses that torch wraps it in."""
        if not values().is_module(getattr(target, "__self__", None)):
            return result
        if target.__name__ == "load_state_dict":
            return list(result[0]), list(result[1])
        return dict(result) if target.__name__ == "state_dict" else result

    def stand_in(self, name: str, kind: str) -> Any:
        """What stands for an earlier exercise."""
        return stand_in(name, kind)

    def _fresh(self, request: dict[str, Any], blob: memoryview, encoder: Encoder) -> dict[str, Any]:
        given = Decoder(request["tensors"], blob, self.get, owns=True)
        arguments = given.decode(request["arguments"])
        with _keeping_defaults():
            found = FRESH[request["way"]](self.target(request["target"]), *arguments)
            self.await_work()
        return {"result": encoder.encode(found)}


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
