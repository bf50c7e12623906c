"""Known mistakes in causal_mask."""

from functools import partial

from autograder.bank import Mistake
from graders.families import masks

EXERCISE = "causal_mask"
mistake = partial(Mistake, EXERCISE)

PRINT_SHAPE = "Print mask.shape. Broadcasting adds the leading axes by itself."
WHOLE = "torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another mask."""
    return ((WHOLE, call),)


MISTAKES = (
    masks.mask_inverted(EXERCISE, change=instead(WHOLE.replace("tril()", "triu(1)"))),
    masks.mask_turned_round(EXERCISE, change=instead(WHOLE.replace("tril", "triu"))),
    masks.diagonal_excluded(EXERCISE, change=instead(WHOLE.replace("tril()", "tril(-1)"))),
    masks.one_step_ahead(EXERCISE, change=instead(WHOLE.replace("tril()", "tril(1)"))),
    masks.float_mask(
        EXERCISE, change=instead("torch.tril(torch.ones(seq_len, seq_len, device=device))")
    ),
    mistake(
        "float-mask-inverted",
        "Your mask holds ones where attention is forbidden; True where it is allowed was promised.",
        "Look at mask.dtype, then read the first row aloud: which keys may the first query see?",
        change=instead("torch.triu(torch.ones(seq_len, seq_len, device=device), diagonal=1)"),
    ),
    masks.whole_number_mask(EXERCISE, change=instead(WHOLE.replace("bool", "long"))),
    masks.additive_mask(
        EXERCISE,
        change=instead(
            "torch.full((seq_len, seq_len), -torch.inf, device=device).triu(diagonal=1)"
        ),
    ),
    mistake(
        "everything-allowed",
        "Your mask allows every key to every query.",
        "Which entries should be False for the first query?",
        change=instead(WHOLE.replace(".tril()", "")),
    ),
    mistake(
        "only-itself",
        "Your mask lets every position see itself only.",
        "What about the keys that came before?",
        change=instead("torch.eye(seq_len, dtype=torch.bool, device=device)"),
    ),
    mistake(
        "turned-by-a-quarter",
        "Your triangle hangs from the wrong corner.",
        "The first query sees one key, the last query sees all. Do your rows grow in that order?",
        change=instead(WHOLE + ".flip(0)"),
    ),
    mistake(
        "neighbour-only",
        "Your mask reaches back one step only; everything earlier is allowed as well.",
        "How many keys does the last row allow?",
        change=instead(WHOLE + ".triu(-1)"),
    ),
    mistake(
        "device-ignored",
        "Your mask is made on the default device, whatever `device` says.",
        "Where in your code is `device` used?",
        change=((", device=device", ""),),
    ),
    mistake(
        "made-for-one-device",
        "Your mask is sent to the GPU by name, so that your code fails without one.",
        "The caller says where the mask belongs. How do you find out?",
        change=instead(WHOLE + ".cuda()"),
    ),
    *(
        mistake(
            "default-device-ignored",
            "Without `device`, your mask is not made on torch's default device.",
            "What does None promise, and where does your code put the mask then?",
            change=change,
        )
        for change in (
            (("device=device", "device=device or 'cpu'"),),
            (("device: torch.device | str | None = None", 'device: torch.device | str = "cpu"'),),
        )
    ),
    mistake(
        "length-hard-coded",
        "Your mask has one fixed size, whatever `seq_len` says.",
        "Where in your code is `seq_len` used?",
        change=instead("torch.ones(5, 5, dtype=torch.bool, device=device).tril()"),
    ),
    mistake(
        "extra-axes",
        "Your mask has axes for batch and heads; (seq_len, seq_len) was promised.",
        PRINT_SHAPE,
        change=instead(WHOLE + "[None, None]"),
    ),
    mistake(
        "extra-axis",
        "Your mask has an axis in front that nobody needs; (seq_len, seq_len) was promised.",
        PRINT_SHAPE,
        change=instead(WHOLE + "[None]"),
    ),
    mistake(
        "array-for-tensor",
        "Your mask is a NumPy array; a tensor was promised.",
        "Look at type(mask), and think of a model on a GPU.",
        change=instead("__import__('numpy').tri(seq_len, dtype=bool)"),
    ),
    mistake(
        "one-row",
        "Your mask is a single row; every query needs one of its own.",
        "What shape has a table of who may attend to whom?",
        change=instead("torch.arange(seq_len, device=device) <= seq_len - 1"),
    ),
    mistake(
        "table-too-short",
        "You cut your mask from a table of a fixed size, which ends before long sequences do.",
        "What does your code give for a sequence of 10,000 tokens?",
        code="""
        table = torch.ones(64, 64, dtype=torch.bool).tril()

        def causal_mask(seq_len, device=None):
            return table[:seq_len, :seq_len].to(device)
        """,
    ),
    mistake(
        "kept-for-one-device",
        "You keep masks by their length, so that the device of the first call decides for all.",
        "Ask for the same length twice, on two devices. What comes back the second time?",
        code="""
        kept = {}

        def causal_mask(seq_len, device=None):
            if seq_len not in kept:
                kept[seq_len] = torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()
            return kept[seq_len]
        """,
    ),
)
