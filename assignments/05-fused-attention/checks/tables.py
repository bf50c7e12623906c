"""Sees how large the tensors are that a student's code makes, as it runs."""

from typing import Any

from torch import Tensor
from torch.overrides import TorchFunctionMode


class Made(TorchFunctionMode):
    """Notes what PyTorch's functions give back while it is entered.

    Attributes:
        largest: how many numbers the largest tensor has.
        names: the names of the functions that were called.
    """

    def __init__(self) -> None:
        super().__init__()
        self.largest = 0
        self.names: set[str] = set()

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function, and note its name and what it gives."""
        result = func(*args, **(kwargs or {}))
        self.names.add(str(getattr(func, "__name__", func)))
        for one in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(one, Tensor):
                self.largest = max(self.largest, one.numel())
        return result
