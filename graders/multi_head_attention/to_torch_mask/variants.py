"""Right answers to to_torch_mask."""

from functools import partial

from autograder.bank import Variant

turned = partial(Variant, "to_torch_mask")

VARIANTS = (
    turned("logical_not", "def to_torch_mask(mask):\n    return mask.logical_not()"),
    turned("compared with False", "def to_torch_mask(mask):\n    return mask == False"),
    turned("compared with zero", "def to_torch_mask(mask):\n    return mask == 0"),
    turned("exclusive or", "def to_torch_mask(mask):\n    return mask ^ True"),
    turned(
        "filled in a copy",
        """
        import torch

        def to_torch_mask(mask):
            forbidden = torch.ones_like(mask)
            return forbidden.masked_fill(mask, False)
        """,
    ),
    turned(
        "chosen by where",
        """
        import torch

        def to_torch_mask(mask: torch.Tensor) -> torch.Tensor:
            if mask.dtype != torch.bool:
                raise TypeError("a boolean mask is wanted")
            return torch.where(mask, False, True)
        """,
    ),
    turned("through numbers", "def to_torch_mask(mask):\n    return (1 - mask.float()).bool()"),
    turned(
        "a helper, another name and more arguments",
        """
        def _turn(mask):
            return ~mask

        def to_torch_mask(allowed, *, turn=_turn):
            return turn(allowed)
        """,
    ),
)
