"""Known mistakes in additive_mask."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, inputs, masks, precision

EXERCISE = "additive_mask"
mistake = partial(Mistake, EXERCISE)

SHAPES = "Which shapes may a mask have?"

ZEROS = "torch.zeros(mask.shape, dtype=dtype, device=mask.device)"
FILL = "zeros.masked_fill(~mask, -torch.inf)"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another result."""
    return ((FILL, call),)


MISTAKES = (
    *(
        mistake(
            "minus-1e9-for-infinity",
            "You use -1e9 for minus infinity: another number, and one that float16 cannot hold.",
            precision.LOWEST_FLOAT16,
            change=instead(way),
        )
        for way in ("zeros.masked_fill(~mask, -1e9)", "(1.0 - mask.to(dtype)) * -1e9")
    ),
    mistake(
        "lowest-number-for-infinity",
        "You use the lowest number of the dtype, which is not minus infinity.",
        "What is that number plus a score of -1? And exp of a row that holds nothing else?",
        change=instead("zeros.masked_fill(~mask, torch.finfo(dtype).min)"),
    ),
    mistake(
        "fill-too-soft",
        "You lower forbidden scores by a small number, which leaves them a weight.",
        "What is exp(-20)? Which number has an exponential of exactly 0?",
        change=instead("zeros.masked_fill(~mask, -20.0)"),
    ),
    mistake(
        "minus-ten-thousand",
        "You use -10000 for minus infinity; a large enough score climbs out of that hole.",
        "Add it to a score of 20000. Which number stays what it is, whatever you add?",
        change=instead("zeros.masked_fill(~mask, -10000.0)"),
    ),
    mistake(
        "mask-inverted",
        "Your minus infinities stand where attention is allowed.",
        "Is a key allowed or forbidden where the mask is True?",
        change=instead("zeros.masked_fill(mask, -torch.inf)"),
    ),
    masks.zero_times_infinity(EXERCISE, change=instead("(~mask).to(dtype) * -torch.inf")),
    mistake(
        "zeros-and-ones",
        "You turn True into 1 and False into 0: forbidden scores stay as they are.",
        "What happens to a forbidden score when you add yours?",
        change=instead("mask.to(dtype)"),
    ),
    mistake(
        "minus-one-for-infinity",
        "You lower forbidden scores by 1 only.",
        "A step of 1 in the score: by which factor does it change the weight?",
        change=instead("mask.to(dtype) - 1"),
    ),
    mistake(
        "plus-infinity",
        "Your infinities are positive: forbidden keys would win everything.",
        "Which infinity has an exponential of 0?",
        change=instead("zeros.masked_fill(~mask, torch.inf)"),
    ),
    mistake(
        "ones-where-allowed",
        "You add 1 where attention is allowed; such scores should stay as they are.",
        "Which number changes nothing when it is added?",
        change=instead("torch.ones_like(zeros).masked_fill(~mask, -torch.inf)"),
    ),
    mistake(
        "dtype-ignored",
        "Your mask is float32, whatever `dtype` says.",
        "Where in your code is `dtype` used?",
        change=((", dtype=dtype", ""),),
    ),
    mistake(
        "boolean-returned",
        "You return a mask of True and False; numbers were promised.",
        "What does True add to a score?",
        change=instead("~mask"),
    ),
    devices.made_on_the_cpu(
        EXERCISE, what="your numbers", given="mask", change=((", device=mask.device", ""),)
    ),
    mistake(
        "through-lists",
        "Your numbers pass through Python lists or the CPU, for which a GPU would have to wait.",
        "Which operation chooses between two numbers for a whole tensor at once?",
        code="""
        def additive_mask(mask, dtype):
            numbers = [0.0 if allowed else -math.inf for allowed in mask.flatten().tolist()]
            return torch.tensor(numbers, dtype=dtype, device=mask.device).reshape(mask.shape)
        """,
    ),
    devices.mask_through_numpy(
        EXERCISE,
        result="numbers",
        code="""
        import numpy as np

        def additive_mask(mask, dtype):
            return torch.from_numpy(np.where(mask.numpy(), 0.0, -np.inf)).to(dtype)
        """,
    ),
    mistake(
        "square-only",
        "You make a square of the last axis, so that only square masks work.",
        SHAPES,
        change=(("mask.shape,", "(mask.shape[-1], mask.shape[-1]),"),),
    ),
    mistake(
        "two-axes-only",
        "Your code works for masks with two axes only.",
        SHAPES,
        code="""
        def additive_mask(mask, dtype):
            queries, keys = mask.shape
            zeros = torch.zeros(queries, keys, dtype=dtype, device=mask.device)
            return zeros.masked_fill(~mask, -torch.inf)
        """,
    ),
    masks.fill_dropped(EXERCISE, change=instead("zeros")),
    inputs.mask_changed(
        EXERCISE, change=instead("zeros.masked_fill(mask.logical_not_(), -torch.inf)")
    ),
)
