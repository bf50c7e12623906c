"""Known mistakes in the exercises of `masks` that ordinary lengths do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners, devices

CAUSAL, PADDING, BOTH = "causal_mask", "padding_mask", "combine_masks"
CACHE, WINDOW = "causal_mask_for_cache", "sliding_window_mask"
causal, padded, combined = (partial(Mistake, name) for name in (CAUSAL, PADDING, BOTH))
cached, windowed = partial(Mistake, CACHE), partial(Mistake, WINDOW)

TRIANGLE = "torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()"
REAL = "torch.arange(max_len, device=lengths.device) < lengths[:, None]"
CAUSAL_AND_REAL = "causal & padding[:, None, None, :]"
LAST_OF_ALL = "torch.ones(num_queries, num_keys, dtype=torch.bool).tril(num_keys - num_queries)"
IN_WINDOW = "(back >= 0) & (back < window)"
WRONG_WHEN_LONG = "Your mask is right for short texts, and wrong for long ones."
ONE_SEQUENCE = "a batch of one sequence"

CAUSAL_MASKS = (
    causal(
        "wrong-when-long",
        WRONG_WHEN_LONG,
        "Which numbers in your code end somewhere: a table, a window, a type of few bits?",
        code="""
        table = torch.ones(512, 512, dtype=torch.bool).tril()

        def causal_mask(seq_len, device=None):
            return table[:seq_len, :seq_len].to(device or torch.get_default_device())
        """,
    ),
    *(
        causal(
            "wrong-when-long",
            WRONG_WHEN_LONG,
            hint,
            change=((f"return {TRIANGLE}", f"{positions}\n    return {allowed}"),),
        )
        for hint, positions, allowed in (
            (
                "How far back may a position look in this exercise?",
                "p = torch.arange(seq_len, device=device)\n    back = p[:, None] - p",
                "(back >= 0) & (back < 100)",
            ),
            (
                "What is the largest number in 8 bits? Which comes after it?",
                "p = torch.arange(seq_len, device=device).to(torch.int8)",
                "p[:, None] >= p",
            ),
            (
                "How many digits does bfloat16 keep? Are 256 and 257 two numbers in it?",
                "p = torch.arange(seq_len, device=device, dtype=torch.bfloat16)",
                "p[:, None] >= p",
            ),
        )
    ),
    causal(
        "one-device-known-by-name",
        "You know one device by its name; asked for it in another way, you take the CPU.",
        "In how many ways can a caller say which device is meant? Who else understands them?",
        change=(
            (
                f"return {TRIANGLE}",
                f"mask = {TRIANGLE.replace(', device=device', '')}\n"
                '    return mask.to("meta") if device == "meta" else mask',
            ),
        ),
    ),
    causal(
        "devices-as-text-only",
        "You refuse a torch.device; only the text of its name works.",
        "What is x.device of a tensor: a text? Who will call your function with it?",
        change=(
            (
                f"return {TRIANGLE}",
                "if device is not None and not isinstance(device, str):\n"
                '        raise TypeError("device must be text")\n'
                f"    return {TRIANGLE}",
            ),
        ),
    ),
)

PADDING_MASKS = (
    padded(
        "positions-in-few-bits",
        "You count positions in a type that has no room for hundreds of them.",
        "What is the largest whole number that your type can hold exactly?",
        change=((REAL, f"{REAL.replace(' <', '.to(torch.int8) <')}"),),
    ),
    padded(
        "list-of-lengths-changed",
        "Where the lengths are a list, you write into it, so that the caller's list changes.",
        "Whose list is it? What does `lengths[i] = ...` do to it?",
        change=(
            (
                "lengths = torch.as_tensor(lengths)",
                "if isinstance(lengths, list):\n"
                "        for at, length in enumerate(lengths):\n"
                "            lengths[at] = min(length, max_len)\n"
                "    lengths = torch.as_tensor(lengths)",
            ),
        ),
    ),
    padded(
        "lengths-sorted",
        "You sort the lengths, so that rows come to belong to other sequences.",
        "Whose length is lengths[0], and whose row is row 0?",
        change=((f"return {REAL}", f"lengths = lengths.sort().values\n    return {REAL}"),),
    ),
    padded(
        "at-least-one-real",
        "An empty sequence gets one real token in your mask.",
        "What should the row of a sequence of length 0 look like?",
        change=((REAL, REAL.replace("lengths[:", "lengths.clamp(min=1)[:")),),
    ),
    devices.default_device_ignored(
        PADDING,
        diagnosis="Of lengths in a list you make the mask on the CPU, whatever torch's default "
        "device is.",
        change=(
            (
                "lengths = torch.as_tensor(lengths)",
                "if not torch.is_tensor(lengths):\n"
                '        lengths = torch.tensor(lengths, device="cpu")',
            ),
        ),
    ),
    corners.turned_when_square(
        PADDING,
        given="the mask",
        change=(
            (
                f"return {REAL}",
                f"mask = {REAL}\n    return mask.mT if len(lengths) == max_len else mask",
            ),
        ),
    ),
    corners.axes_of_one_lost(
        PADDING,
        single=ONE_SEQUENCE,
        change=((REAL, f"({REAL}).squeeze(0)"),),
    ),
)

COMBINED_MASKS = (
    combined(
        "as-they-came-when-square",
        "Where there are as many sequences as positions, you combine the tables as they came.",
        "What do the rows of `padding` stand for, and what those of `causal`?",
        change=(
            (
                f"return {CAUSAL_AND_REAL}",
                "if len(padding) == len(causal):\n"
                "        return (causal & padding)[None, None].expand(len(padding), 1, -1, -1)\n"
                f"    return {CAUSAL_AND_REAL}",
            ),
        ),
    ),
    combined(
        "first-position-always",
        "Every query may attend to the first position, whatever the masks say.",
        "What may a query see that has nothing to look at? Who decides it?",
        change=(
            (
                f"return {CAUSAL_AND_REAL}",
                f"mask = {CAUSAL_AND_REAL}\n    mask[..., 0] = True\n    return mask",
            ),
        ),
    ),
    combined(
        "empty-rows-see-themselves",
        "Where a query may see nothing, you let it see itself.",
        "When is a key allowed in this exercise? Is there an exception?",
        change=(
            (
                f"return {CAUSAL_AND_REAL}",
                f"mask = {CAUSAL_AND_REAL}\n"
                "    itself = torch.eye(len(causal), dtype=torch.bool, device=causal.device)\n"
                "    return mask | (itself & ~mask.any(-1, keepdim=True))",
            ),
        ),
    ),
    combined(
        "padding-counted-and-put-last",
        "You count the real tokens and take them for the first ones, wherever they stand.",
        "May padding stand in front? What does each True in a row of `padding` say?",
        change=(
            (
                f"return {CAUSAL_AND_REAL}",
                "padding = padding_mask(padding.sum(1), padding.shape[1])\n"
                f"    return {CAUSAL_AND_REAL}",
            ),
        ),
    ),
    combined(
        "no-batch-without-padding",
        "Without any padding, your mask is one for all sequences, and not one for each.",
        "Which shape does the docstring promise? Does it depend on what the masks hold?",
        change=(
            (
                f"return {CAUSAL_AND_REAL}",
                f"return causal[None, None] if padding.all() else {CAUSAL_AND_REAL}",
            ),
        ),
    ),
    *(
        corners.axes_of_one_lost(
            BOTH,
            single=single,
            change=((CAUSAL_AND_REAL, f"({CAUSAL_AND_REAL}).squeeze({axis})"),),
        )
        for axis, single in ((0, ONE_SEQUENCE), (-1, "sequences of one position"))
    ),
)

CACHE_MASKS = (
    cached(
        "table-too-short",
        "You cut your mask out of a table of fixed size, which ends before long texts do.",
        "How long may a text be? Who made your table, and for which lengths?",
        code="""
        table = torch.ones(512, 512, dtype=torch.bool).tril()

        def causal_mask_for_cache(num_queries, num_keys):
            if num_queries > num_keys:
                raise ValueError(f"{num_queries} {num_keys}")
            return table[num_keys - num_queries : num_keys, :num_keys]
        """,
    ),
    cached(
        "one-query-too-many-let-through",
        "One query more than there are keys falls through your check.",
        "What is the smallest number of queries that has to be refused for 4 keys?",
        change=(("if num_queries > num_keys:", "if num_queries > num_keys + 1:"),),
    ),
    devices.default_device_ignored(
        CACHE,
        change=((LAST_OF_ALL, LAST_OF_ALL.replace("torch.bool", 'torch.bool, device="cpu"')),),
    ),
    devices.default_device_ignored(
        CACHE,
        hint="Does NumPy know of torch's default device?",
        change=(
            (
                LAST_OF_ALL,
                "torch.from_numpy(np.tri(num_queries, num_keys, num_keys - num_queries)).bool()",
            ),
            ("if num_queries > num_keys:", "import numpy as np\n\n    if num_queries > num_keys:"),
        ),
    ),
)

WINDOW_MASKS = (
    windowed(
        "widest-window-of-six",
        "A window wider than six is cut down to six.",
        "Which number in your code did nobody ask for?",
        change=((IN_WINDOW, "(back >= 0) & (back < min(window, 6))"),),
    ),
    windowed(
        "wide-windows-refused",
        "You refuse a window that is wider than the text.",
        "What does a window of 9 allow in a text of 4? Is anything wrong with that?",
        change=(
            (
                "positions = torch.arange(seq_len)",
                "if window > seq_len:\n"
                '        raise ValueError("too wide")\n'
                "    positions = torch.arange(seq_len)",
            ),
        ),
    ),
    windowed(
        "float-mask-for-one",
        "For a window of one position, your mask holds floating-point numbers.",
        "Look at mask.dtype for a window of 1, and for one of 2.",
        change=(
            (
                f"return {IN_WINDOW}",
                f"return torch.eye(seq_len) if window == 1 else {IN_WINDOW}",
            ),
        ),
    ),
    devices.default_device_ignored(
        WINDOW,
        change=(("torch.arange(seq_len)", 'torch.arange(seq_len, device="cpu")'),),
    ),
    corners.axes_of_one_lost(
        WINDOW,
        single="a text of one token",
        change=((IN_WINDOW, f"({IN_WINDOW}).squeeze()"),),
    ),
)

MISTAKES = CAUSAL_MASKS + PADDING_MASKS + COMBINED_MASKS + CACHE_MASKS + WINDOW_MASKS
