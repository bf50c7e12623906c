"""Known mistakes in to_torch_mask."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "to_torch_mask")

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
        "Print the dtype of what you return. Which dtype has True and False?",
        change=((RETURN, 'return torch.where(mask, 0.0, float("-inf"))'), TORCH),
    ),
    mistake(
        "float-mask",
        "You return numbers, which nn.MultiheadAttention adds to the scores: 1 forbids nothing.",
        "Print the dtype of what you return. Which dtype has True and False?",
        change=((RETURN, "return 1.0 - mask.float()"),),
    ),
    mistake(
        "integer-mask",
        "You return whole numbers; a boolean mask was promised.",
        "Print the dtype of what you return. Which dtype has True and False?",
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
        "flattened",
        "You fold the first axes of the mask together; it should keep its shape.",
        "Compare mask.shape with the shape of what you return.",
        change=((RETURN, "return ~mask.flatten(0, -3) if mask.ndim > 2 else ~mask"),),
    ),
    mistake(
        "mask-changed",
        "You write into the mask that you were given, so that the caller's mask changes.",
        "What do functions do whose name ends in an underscore?",
        change=((RETURN, "return mask.logical_not_()"),),
    ),
    mistake(
        "through-the-cpu",
        "Your mask passes through the CPU, or is made there.",
        "On which device is the mask, and on which one is the tensor that you make?",
        change=(
            (RETURN, "return torch.ones(mask.shape, dtype=torch.bool).logical_xor(mask.cpu())"),
            TORCH,
        ),
    ),
    mistake(
        "through-numpy",
        "Your mask passes through NumPy, which knows no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=((RETURN, "return torch.from_numpy(~mask.numpy())"), TORCH),
    ),
)
