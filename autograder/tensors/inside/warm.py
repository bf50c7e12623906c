"""Loads and exercises what submissions use of torch, once, so that no submission pays for it.

The first use of a part of torch may import hundreds of modules: autograd alone 487, for 250 ms.
"""

import torch
from torch import nn
from torch.nn import functional

from .dynamo import leave_out_compiler

CELLS = (
    "import torch, math\nimport torch.nn.functional as F\n",
    "def f(x: torch.Tensor) -> torch.Tensor:\n    '''Doc.'''\n    return torch.softmax(x, -1)\n",
    "class M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n",
    "f(torch.zeros(3))",
)


def prepare() -> None:
    """Before anything runs: one thread, and no compiler."""
    torch.set_num_threads(1)  # a forked child of a process with worker threads would hang
    leave_out_compiler()


def warm(without_driver: bool) -> None:
    """Use torch as a typical submission does.

    Args:
        without_driver: keep away from what asks PyTorch for a GPU, autograd and optimisers among
            it. The driver does not survive a fork, and each child is to reach it.
    """
    _compute()
    if not without_driver:
        _differentiate()
        _use_half_precision()
    torch.manual_seed(0)


def warm_the_rest(without_driver: bool) -> None:
    """Use what few submissions do."""
    tensor = torch.zeros(2)
    torch.testing.assert_close(tensor, tensor)  # imports torch.distributed.tensor
    if not without_driver:
        _optimise()
    torch.manual_seed(0)


def _optimise() -> None:
    """Take a step with the usual optimisers."""
    layer = nn.Linear(2, 2)
    for optimiser in (torch.optim.SGD, torch.optim.AdamW):
        stepper = optimiser(layer.parameters(), lr=0.1)
        layer(torch.ones(2)).sum().backward()
        stepper.step()
        stepper.zero_grad()


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
    repr(x)


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
