"""What right answers with tensors give: forward and backward, functions and modules.

What would become too large is refused before it is computed.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.utils import _pytree as trees
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.judging.answering import Answers
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.encoding import Encoder
from autograder.sandbox.inside.forms import DEVICE

MOST_BYTES = 256 << 20  # of all results of one answer's operations together
MOST_FORMS = 1000  # that are remembered to be small enough

# What a layer is made with, by the names that it keeps it under.
LAYERS = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "LSTM": ("input_size", "hidden_size", "num_layers", "batch_first"),
}


class TooLarge(MemoryError):
    """An answer would take too much memory."""


class TensorAnswers(Answers):
    """What right answers give.

    Args:
        parts: the right answers by exercise, functions or classes of modules.
    """

    def __init__(self, parts: Mapping[str, Any]) -> None:
        super().__init__(parts)
        self._made: dict[str, nn.Module] = {}
        self._small: set[str] = set()
        self.ways |= {"pull": self._pull, "make": self._make}

    def answer(self, frame: dict[str, Any], blob: memoryview) -> tuple[dict[str, Any], Encoder]:
        """The answer to one question, computed on the CPU and told as of the asking device."""
        device = _brought_near(frame.get("tensors"))
        answer, encoder = super().answer(frame, blob)
        for record in encoder.records:
            record[2] = device if device is not None and record[2] == "cpu" else record[2]
        return answer, encoder

    def sendable(self, found: Any) -> Any:
        """What comes back, its tensors without their history."""
        return trees.tree_map(_sendable, found)

    def call(self, question: dict[str, Any], given: Decoder) -> Any:
        """What a right answer gives for these arguments."""
        (state, args, kwargs), *modes = given.decode(question["given"])
        run = self._runner(question)
        self._refuse_large(question, run, state, args, kwargs)
        with torch.no_grad(), _modes(*modes):
            return run(state, *_on_cpu(args, kwargs))

    def _pull(self, question: dict[str, Any], given: Decoder) -> list[Tensor | None]:
        called, *modes = given.decode(question["given"])
        upstream = given.decode(question["upstream"])
        run = self._runner(question)
        self._refuse_large(question, run, *called)
        leaves, form = trees.tree_flatten(called)
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        for tensor, wanted in zip(tensors, question["wanted"], strict=True):
            tensor.requires_grad_(wanted and tensor.is_floating_point())
        with torch.enable_grad(), _modes(*modes):
            state, args, kwargs = trees.tree_unflatten(leaves, form)
            found = run(state, *_on_cpu(args, kwargs))
        outputs = [leaf for leaf in trees.tree_leaves(found) if isinstance(leaf, Tensor)]
        pairs = [
            (one, up)
            for one, up in zip(outputs, upstream, strict=True)
            if up is not None and one.requires_grad
        ]
        sources = [one for one in tensors if one.requires_grad]
        if not pairs or not sources:
            return [None] * len(tensors)
        results, cotangents = zip(*pairs, strict=True)
        gradients = iter(torch.autograd.grad(results, sources, cotangents, allow_unused=True))
        return [next(gradients) if one.requires_grad else None for one in tensors]

    def _make(self, question: dict[str, Any], given: Decoder) -> dict[str, Any]:
        module = self._module(question["part"], given.decode(question["given"]))
        return {
            "attributes": {
                name: value
                for name, value in vars(module).items()
                if type(value) in (bool, int, float, str) and name != "training"
            },
            "layers": {name: _layer(layer) for name, layer in module.named_children()},
        }

    def _runner(self, question: dict[str, Any]) -> Callable[..., Any]:
        """Runs a part on a state, arguments and keyword arguments."""
        part, how = question["part"], question["module"]
        if how is None:
            return lambda state, args, kwargs: self.parts[part](*args, **kwargs)
        module = self._module(part, how["with"]).train(how["training"] is True)
        return lambda state, args, kwargs: functional_call(module, state, tuple(args), kwargs)

    def _module(self, part: str, made_with: Any) -> nn.Module:
        """A right module without content; it is made once."""
        key = f"{part} {json.dumps(made_with)}"
        if key not in self._made:
            args, kwargs = made_with
            with torch.device("meta"):
                module: nn.Module = self.parts[part](*args, **kwargs)
            if sum(one.nbytes for one in module.parameters()) > MOST_BYTES:
                raise TooLarge("a module that is too large")
            self._made[key] = module
        return self._made[key]

    def _refuse_large(
        self, question: dict[str, Any], run: Callable[..., Any], *called: Any
    ) -> None:
        """Refuse what would take too much memory, by a run without content.

        Raises:
            TooLarge: it would.
        """
        leaves, form = trees.tree_flatten(called)
        key = repr((question["part"], question["module"], form, list(map(_form, leaves))))
        if key in self._small or any(isinstance(leaf, np.ndarray) for leaf in leaves):
            return  # an array's answer is as large as the array
        with contextlib.suppress(Exception), torch.device("meta"), _Measured() as measured:
            run(*trees.tree_unflatten([_without_content(leaf) for leaf in leaves], form))
        if measured.bytes > MOST_BYTES:
            raise TooLarge("what would come back is too large")
        if len(self._small) < MOST_FORMS:
            self._small.add(key)


class _Measured(TorchDispatchMode):
    """Adds up the bytes of all that operations give, and stops at too many.

    Attributes:
        bytes: the sum so far.
    """

    bytes = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Whether PyTorch's compiler is to be loaded, to be told to leave this alone: no."""
        return False

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        found = operation(*args, **(kwargs or {}))
        self.bytes += sum(one.nbytes for one in trees.tree_leaves(found) if _is_tensor(one))
        if self.bytes > MOST_BYTES:
            raise TooLarge("what would come back is too large")
        return found


def _is_tensor(value: object) -> bool:
    return isinstance(value, Tensor)


def _form(leaf: Any) -> object:
    """All of an argument that says how large an answer is."""
    if isinstance(leaf, Tensor):
        return tuple(leaf.shape), leaf.dtype, leaf.device
    return leaf


def _without_content(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return leaf.to("meta")
    return "meta" if isinstance(leaf, str | torch.device) and DEVICE.fullmatch(str(leaf)) else leaf


def _on_cpu(args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The same arguments with the CPU in the place of a GPU: answers are computed here."""
    return trees.tree_map(
        lambda leaf: "cpu" if isinstance(leaf, str | torch.device) and _on_gpu(str(leaf)) else leaf,
        (args, kwargs),
    )


def _brought_near(records: Any) -> str | None:
    """Have tensors of a GPU decoded on the CPU; the GPU that they are on, if any."""
    if type(records) is not list:
        return None
    on_gpu = [one for one in records if type(one) is list and len(one) == 5 and _on_gpu(one[2])]
    device = on_gpu[0][2] if on_gpu else None
    for record in on_gpu:
        record[2] = "cpu"
    return device


def _on_gpu(device: Any) -> bool:
    return type(device) is str and device.startswith("cuda")


@contextlib.contextmanager
def _modes(autocast: list[tuple[str, torch.dtype]], device: str) -> Iterator[None]:
    """The autocast and the default device where the question was asked, with the CPU for a GPU."""
    with contextlib.ExitStack() as stack:
        for _, dtype in autocast:
            stack.enter_context(torch.autocast("cpu", dtype=dtype))
        if device == "meta":
            stack.enter_context(torch.device(device))
        yield


def _layer(layer: nn.Module) -> tuple[str, dict[str, Any]]:
    """What kind of layer it is, and what it is made with."""
    kind = type(layer).__name__
    options = {name: getattr(layer, name) for name in LAYERS[kind]}
    if hasattr(layer, "bias"):
        options["bias"] = layer.bias is True or isinstance(layer.bias, Tensor)
    return kind, options


def _sendable(leaf: Any) -> Any:
    """A tensor without its history, laid out as it was made: code of one's own may `view` it."""
    return leaf.detach().contiguous() if isinstance(leaf, Tensor) else leaf
