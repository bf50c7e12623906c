"""Loads and exercises what submissions use, once, so that no submission pays for it.

The first use of a part of torch may import hundreds of modules: autograd alone 487, for 250 ms.
"""

import contextlib
import gc
import importlib
import importlib.util

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .dynamo import leave_out_compiler
from .failure import describe
from .output import BoundedOutput
from .shell import GradingShell

USUAL_IMPORTS = (
    "asyncio",
    "collections",
    "dataclasses",
    "functools",
    "itertools",
    "math",
    "typing",
)
OPTIONAL_IMPORTS = ("jaxtyping", "matplotlib.pyplot")


def warm(shell: GradingShell, without_driver: bool = False) -> None:
    """Use torch, NumPy and the shell as a typical submission does; leaves no thread behind.

    Args:
        shell: runs cells.
        without_driver: keep away from what asks PyTorch for a GPU, autograd and optimisers among
            it. The driver does not survive a fork, and each child is to reach it.
    """
    torch.set_num_threads(1)  # a forked child of a process with worker threads would hang
    leave_out_compiler()
    gc.freeze()  # taking the cells' traces out would look at all objects there are
    _run_cells(shell)
    for name in USUAL_IMPORTS:
        importlib.import_module(name)
    for name in OPTIONAL_IMPORTS:
        if _is_here(name):
            importlib.import_module(name)
    _compute()
    if not without_driver:
        _differentiate()
        _use_half_precision()
    _seed()


def warm_the_rest(without_driver: bool = False) -> None:
    """Use what few submissions do, which whoever grades a single one does not wait for.

    Args:
        without_driver: as above.
    """
    tensor = torch.zeros(2)
    torch.testing.assert_close(tensor, tensor)  # imports torch.distributed.tensor
    if _is_here("matplotlib"):
        _draw()
    if not without_driver:
        _optimise()
    _seed()


def _optimise() -> None:
    """Take a step with the usual optimisers."""
    layer = nn.Linear(2, 2)
    for optimiser in (torch.optim.SGD, torch.optim.AdamW):
        stepper = optimiser(layer.parameters(), lr=0.1)
        layer(torch.ones(2)).sum().backward()
        stepper.step()
        stepper.zero_grad()


def _seed() -> None:
    """The same random numbers for every submission."""
    torch.manual_seed(0)
    np.random.seed(0)


def _is_here(name: str) -> bool:
    return importlib.util.find_spec(name.partition(".")[0]) is not None


def _draw() -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    figure.colorbar(axes.imshow(np.eye(2)), ax=axes)
    axes.set_xticks(range(2), "ab", rotation=45)
    figure.canvas.draw()
    pyplot.close(figure)


def _compute() -> None:
    x = torch.randn(2, 4, 8, 16)
    lower = torch.ones(8, 8).tril().bool()
    products = torch.einsum("abik,abjk->abij", x, x).masked_fill(~lower, float("-inf"))
    torch.softmax(products, -1) @ x
    functional.scaled_dot_product_attention(x, x, x, is_causal=True)
    functional.scaled_dot_product_attention(x, x, x, attn_mask=lower)
    nn.MultiheadAttention(16, 2, batch_first=True)(x[:, 0], x[:, 0], x[:, 0])
    meta = torch.empty(2, 4, 8, 16, device="meta")
    torch.softmax(meta @ meta.mT, -1) @ meta
    array = np.random.default_rng(0).standard_normal((3, 4))
    np.exp(array - array.max(-1, keepdims=True)) @ array.T
    np.einsum("ij,kj->ik", array, array)
    repr(x), repr(array)


def _differentiate() -> None:
    x = torch.randn(2, 8, 16, requires_grad=True)
    model = nn.Sequential(
        nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Dropout(0.1), nn.Linear(32, 10)
    )
    target = torch.zeros(16, dtype=torch.long)
    functional.cross_entropy(model(x).view(-1, 10), target).backward()
    y = functional.scaled_dot_product_attention(x, x, x)
    torch.autograd.grad(y, x, torch.ones_like(y), allow_unused=True)
    model.load_state_dict(model.state_dict())
    nn.Embedding(10, 4)(torch.arange(3)).sum().backward()


def _use_half_precision() -> None:
    x = torch.randn(2, 8, 16).bfloat16()
    torch.softmax(x @ x.mT, -1) @ x
    functional.scaled_dot_product_attention(x, x, x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        nn.Linear(16, 16)(x.float()) @ x.float().mT


_CELLS = (
    "import torch, math\nimport torch.nn.functional as F\n",
    "def f(x: torch.Tensor) -> torch.Tensor:\n    '''Doc.'''\n    return torch.softmax(x, -1)\n",
    "class M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n",
    "f(torch.zeros(3))",
    "%matplotlib inline",
    "raise ValueError('warm')",
    "def broken(:",
)


def _run_cells(shell: GradingShell) -> None:
    """Run some cells, then take every trace of them out of the shell."""
    output = BoundedOutput(1 << 16)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        for source in _CELLS:
            result = shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
            if error is not None:
                describe(error)
    shell.reset()
