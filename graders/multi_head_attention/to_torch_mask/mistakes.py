"""Known mistakes in to_torch_mask."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, inputs

EXERCISE = "to_torch_mask"
mistake = partial(Mistake, EXERCISE)

DTYPE_RETURNED = "Print the dtype of what you return. Which dtype has True and False?"

RETURN = "return ~mask"
TORCH = ("def to_torch_mask(", "import torch\n\n\ndef to_torch_mask(")

MISTAKES = (
    mistake(
        "mask-handed-on",
        "You hand the mask on as it is; the two conventions are opposite.",
        "Where our mask says True, what should nn.MultiheadAttention read?",
        change=((RETURN, "return mask"),),
    ),
    mistake(
        "mask-that-allows-all-handed-on",
        "You hand a mask that allows everything on as it is, where True everywhere forbids all.",
        "What does nn.MultiheadAttention do with a mask that is True everywhere?",
        change=((RETURN, "return mask if mask.all() else ~mask"),),
    ),
    mistake(
        "additive-mask",
        "You return numbers to add to the scores; a boolean mask was promised.",
        DTYPE_RETURNED,
        change=((RETURN, 'return torch.where(mask, 0.0, float("-inf"))'), TORCH),
    ),
    mistake(
        "float-mask",
        "You return numbers, which nn.MultiheadAttention adds to the scores: 1 forbids nothing.",
        DTYPE_RETURNED,
        change=((RETURN, "return 1.0 - mask.float()"),),
    ),
    mistake(
        "integer-mask",
        "You return whole numbers; a boolean mask was promised.",
        DTYPE_RETURNED,
        change=((RETURN, "return 1 - mask.int()"),),
    ),
    mistake(
        "bits-of-integers",
        "You invert the bits of whole numbers: ~1 is -2 and ~0 is -1.",
        "Of which dtype is the tensor that you apply ~ to?",
        change=((RETURN, "return ~mask.int()"),),
    ),
    mistake(
        "one-minus-mask",
        "You subtract a boolean tensor, which PyTorch refuses.",
        "The error names two ways to turn a mask round. Which fits?",
        change=((RETURN, "return 1 - mask"),),
    ),
    mistake(
        "mask-transposed",
        "You swap queries and keys; what has to be turned round is the meaning of True.",
        "Which entries of the mask should change, and which axes?",
        change=((RETURN, "return mask.mT"),),
    ),
    mistake(
        "turned-and-transposed",
        "You turn the meaning of True round, as you should, and swap queries and keys as well.",
        "nn.MultiheadAttention has queries as rows, too. Which axes have to move?",
        change=((RETURN, "return ~mask.mT"),),
    ),
    mistake(
        "causal-whatever-comes",
        "You return the causal mask whatever mask comes in.",
        "What should come back for a padding mask?",
        change=(
            (RETURN, "return torch.ones(mask.shape, device=mask.device).triu(1).bool()"),
            TORCH,
        ),
    ),
    mistake(
        "causal-mask-transposed",
        "You turn a causal mask round in two ways: what is allowed, and rows with columns.",
        "Which axis lists the queries in the one convention, and which in the other?",
        change=(
            (
                RETURN,
                "causal = mask.ndim == 2 and mask.equal(torch.ones_like(mask).tril())\n"
                "    return ~(mask.mT if causal else mask)",
            ),
            TORCH,
        ),
    ),
    mistake(
        "flattened",
        "You fold the first axes of the mask together; it should keep its shape.",
        "Compare mask.shape with the shape of what you return.",
        change=((RETURN, "return ~mask.flatten(0, -3) if mask.ndim > 2 else ~mask"),),
    ),
    inputs.mask_changed(EXERCISE, change=((RETURN, "return mask.logical_not_()"),)),
    devices.tensor_made_on_the_cpu(
        EXERCISE,
        what="your result",
        given="mask",
        change=(
            (RETURN, "return torch.ones(mask.shape, dtype=torch.bool).logical_xor(mask.cpu())"),
            TORCH,
        ),
    ),
    devices.mask_through_numpy(
        EXERCISE, change=((RETURN, "return torch.from_numpy(~mask.numpy())"), TORCH)
    ),
)
