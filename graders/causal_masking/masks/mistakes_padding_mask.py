"""Known mistakes in padding_mask."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, inputs, masks

EXERCISE = "padding_mask"
mistake = partial(Mistake, EXERCISE)

LAST_REAL = "Positions count from 0. Which is the last real position of a sequence of length 2?"

MASK = "torch.arange(max_len, device=lengths.device) < lengths[:, None]"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another mask."""
    return ((MASK, call),)


MISTAKES = (
    mistake(
        "padding-mask-inverted",
        "Your mask is True where the padding is; here True stands for a real token.",
        "Who may be attended to: the tokens that are there, or the filling behind them?",
        change=instead(MASK.replace("<", ">=")),
    ),
    mistake(
        "one-position-too-many",
        "Your rows allow one position too many: the first padding token counts as real.",
        LAST_REAL,
        change=instead(MASK.replace("<", "<=")),
    ),
    mistake(
        "one-position-too-few",
        "Your rows allow one position too few: the last real token counts as padding.",
        LAST_REAL,
        change=instead(MASK.replace("lengths[:, None]", "lengths[:, None] - 1")),
    ),
    mistake(
        "padding-mask-transposed",
        "Your rows are positions and your columns are sequences; it should be one row a sequence.",
        "Print mask.shape. Which axis was promised first?",
        change=instead("torch.arange(max_len, device=lengths.device)[:, None] < lengths"),
    ),
    mistake(
        "lengths-against-positions",
        "You compare position j with the length of sequence j; each sequence has all positions.",
        "Which shapes do your two sides have, and how does broadcasting line them up?",
        change=instead("torch.arange(max_len, device=lengths.device) < lengths"),
    ),
    mistake(
        "padding-at-the-start",
        "Your mask puts the padding before the tokens; here it stands at the end.",
        "At which end of a row do the real tokens stand?",
        change=instead(
            "torch.arange(max_len, device=lengths.device) >= max_len - lengths[:, None]"
        ),
    ),
    mistake(
        "max-len-ignored",
        "Your mask is as wide as the longest sequence, whatever `max_len` says.",
        "Where in your code is `max_len` used?",
        change=instead(MASK.replace("max_len", "int(lengths.max())")),
    ),
    mistake(
        "max-len-only-as-a-limit",
        "Your mask ends with the longest sequence when that is shorter than max_len.",
        "How many columns are there when every sequence has 3 tokens and max_len is 10?",
        change=instead(MASK.replace("max_len", "min(max_len, int(lengths.max()))")),
    ),
    mistake(
        "full-sequences-only",
        "Your rows are all True or all False: a sequence is real or not as a whole.",
        "What should a row look like whose sequence is half as long as max_len?",
        change=instead("(lengths[:, None] >= max_len).expand(-1, max_len)"),
    ),
    mistake(
        "last-token-only",
        "Your mask allows one position a sequence, where its last token stands.",
        "How many of a sequence's tokens may be attended to?",
        change=instead(MASK.replace("<", "==").replace("[:, None]", "[:, None] - 1")),
    ),
    masks.float_mask(EXERCISE, around=MASK),
    masks.additive_mask(EXERCISE, around=MASK),
    masks.whole_number_mask(EXERCISE, change=instead(f"({MASK}).long()")),
    mistake(
        "axes-for-heads-already",
        "Your mask has axes for heads and queries; one row a sequence was promised.",
        "Print mask.shape. Which function of this notebook adds the other axes?",
        change=instead(f"({MASK})[:, None, None, :]"),
    ),
    mistake(
        "square-for-every-sequence",
        "Your mask holds a table for every sequence; one row a sequence was promised.",
        "Does it depend on the query whether a key is padding?",
        change=instead(f"({MASK})[:, None, :].expand(-1, max_len, -1)"),
    ),
    devices.made_on_the_cpu(
        EXERCISE, what="your positions", given="lengths", change=((", device=lengths.device", ""),)
    ),
    devices.mask_made_on_the_cpu(
        EXERCISE,
        given="lengths",
        code="""
        def padding_mask(lengths, max_len):
            mask = torch.zeros(len(lengths), max_len, dtype=torch.bool)
            for row, length in enumerate(lengths):
                mask[row, : int(length)] = True
            return mask
        """,
    ),
    mistake(
        "lists-refused",
        "Your code takes a tensor of lengths only; a list was promised to work as well.",
        "What has a tensor that a list has not? Which function makes a tensor of either?",
        change=(("lengths = torch.as_tensor(lengths)\n    ", ""),),
    ),
    mistake(
        "tensors-refused",
        "Your code takes a list of lengths only; a tensor was promised to work as well.",
        "What has a list that a tensor has not? Which function makes a tensor of either?",
        code="""
        def padding_mask(lengths, max_len):
            rows = [[True] * n + [False] * (max_len - n) for n in lengths + []]
            return torch.tensor([row[:max_len] for row in rows])
        """,
    ),
    mistake(
        "rows-grow-beyond-max-len",
        "A sequence longer than max_len makes its row longer than the others.",
        "What is left of a sequence of 9 tokens that was cut to 6?",
        code="""
        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            rows = [[True] * n + [False] * (max_len - n) for n in lengths.tolist()]
            return torch.tensor(rows, device=lengths.device)
        """,
    ),
    mistake(
        "same-for-all-sequences",
        "All your rows are alike: the longest sequence decides for every other.",
        "Each sequence has a length of its own. Where does yours enter?",
        change=instead(
            "torch.arange(max_len, device=lengths.device) < lengths.max().expand(len(lengths), 1)"
        ),
    ),
    *(
        mistake(
            "lengths-changed",
            "You write into the lengths that you were given, so that the caller's tensor changes.",
            inputs.UNDERSCORES,
            change=instead(MASK.replace("lengths[:, None]", changed)),
        )
        for changed in ("lengths.sub_(1)[:, None] + 1", "lengths.clamp_(max=max_len)[:, None]")
    ),
    devices.mask_through_numpy(
        EXERCISE,
        code="""
        import numpy as np

        def padding_mask(lengths, max_len):
            real = np.arange(max_len) < np.asarray(lengths)[:, None]
            return torch.from_numpy(real)
        """,
    ),
)
