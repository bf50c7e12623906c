"""Known mistakes in decode_step that a few steps do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import softmaxes

EXERCISE = "decode_step"
mistake = partial(Mistake, EXERCISE)

GROW = "k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)"
ATTEND = "F.scaled_dot_product_attention(q, k, v)"

MISTAKES = (
    mistake(
        "one-buffer-for-all",
        "You keep the steps in a store of your own, which every sequence writes into.",
        "Two texts are written at the same time. Where does your code keep them apart?",
        change=(
            (
                "if cache is not None:",
                "past = 0 if cache is None else cache[0].shape[2]\n"
                "    store = attention.__dict__.setdefault('store', {})\n"
                "    kept = store.setdefault((q.shape, q.dtype, q.device), {})\n"
                "    kept[past] = (k, v)\n"
                "    if cache is not None:",
            ),
            (
                GROW,
                "pairs = [kept.get(step, (k, v)) for step in range(past + 1)]\n"
                "        k, v = (torch.cat(parts, dim=2) for parts in zip(*pairs))",
            ),
        ),
    ),
    mistake(
        "cache-widened-in-half-precision",
        "In half precision, your cache comes back in float32.",
        "Which dtype have the parts of the cache that came in? What does float() do to them?",
        change=(
            (
                "(k, v)\n    ### END",
                "tuple(t.float() if t.dtype.itemsize == 2 else t for t in (k, v))\n    ### END",
            ),
        ),
    ),
    softmaxes.exponentials_unbounded(
        EXERCISE,
        change=(
            (
                ATTEND,
                "(e := (q @ k.mT / math.sqrt(k.shape[-1])).exp()) / e.sum(-1, keepdim=True) @ v",
            ),
        ),
    ),
)
