"""Known mistakes in causal_mask_for_cache and sliding_window_mask."""

from functools import partial

from autograder.bank import Mistake
from graders.families import masks, refusals

cache = partial(Mistake, "causal_mask_for_cache")
window = partial(Mistake, "sliding_window_mask")

WINDOW_OF_ONE = "A window of 1: which keys does each row allow?"

MASK = "torch.ones(num_queries, num_keys, dtype=torch.bool).tril(num_keys - num_queries)"
REFUSAL = """if num_queries > num_keys:
        raise ValueError(f"{num_queries} queries cannot be the last of {num_keys} positions")
    """
BACK = "positions[:, None] - positions"
BAND = "(back >= 0) & (back < window)"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another mask for a cache."""
    return ((MASK, call),)


def banded(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another band of positions."""
    return ((BAND, call),)


CACHE = (
    cache(
        "top-left-aligned",
        "Your first query stands at position 0; it should stand right behind the cache.",
        "Three keys are in the cache, one token is new. Which position is the new one's?",
        change=instead("torch.ones(num_queries, num_keys, dtype=torch.bool).tril()"),
    ),
    cache(
        "cache-behind-the-new-tokens",
        "You put the cache behind the new tokens; it holds what came before them.",
        "Which columns of your mask belong to the cache: the first or the last ones?",
        change=instead(f"{MASK}.roll(num_queries, dims=1)"),
    ),
    cache(
        "everything-allowed",
        "Your mask allows every key to every query; that is right for a single query only.",
        "Two new tokens come at once. May the first of them see the second?",
        change=instead("torch.ones(num_queries, num_keys, dtype=torch.bool)"),
    ),
    cache(
        "only-the-cache",
        "Your queries see the cache and nothing of the new tokens, not even themselves.",
        "What can the very first token of a text attend to, when the cache is empty?",
        change=instead("(torch.arange(num_keys) < num_keys - num_queries).repeat(num_queries, 1)"),
    ),
    cache(
        "one-step-ahead",
        "Every query sees one step into its future.",
        "How many keys may the last query but one see?",
        change=instead(MASK.replace("num_queries)", "num_queries + 1)")),
    ),
    cache(
        "diagonal-excluded",
        "Your queries see what came before them, but not themselves.",
        "How many keys should the last query see?",
        change=instead(MASK.replace("num_queries)", "num_queries - 1)")),
    ),
    masks.mask_inverted("causal_mask_for_cache", change=instead(f"~{MASK}")),
    cache(
        "keys-by-queries",
        "Your rows are keys and your columns are queries.",
        "Print mask.shape. Row i belongs to query i.",
        change=instead(f"{MASK}.mT"),
    ),
    cache(
        "shifted-the-wrong-way",
        "You shift the diagonal the wrong way, so that queries lose keys.",
        "Should a query behind a longer cache see more keys or fewer?",
        change=instead(MASK.replace("num_keys - num_queries", "num_queries - num_keys")),
    ),
    cache(
        "hanging-from-the-wrong-side",
        "Your rows see the future: the triangle is the upper one.",
        "The last query sees all. How many keys does the one before it see?",
        change=instead(MASK.replace("tril", "triu")),
    ),
    cache(
        "new-tokens-alone",
        "Your queries see new tokens only; what is in the cache is forgotten.",
        "What is the cache good for?",
        change=instead(f"{MASK}.triu(num_keys - num_queries)"),
    ),
    cache(
        "square-of-the-keys",
        "Your mask has a row for every position; only the new ones ask.",
        "Print mask.shape. How many queries are there?",
        change=instead("torch.ones(num_keys, num_keys, dtype=torch.bool).tril()"),
    ),
    cache(
        "queries-in-reverse",
        "Your first query sees the most and your last one the least.",
        "Which of the queries comes last in the text?",
        change=instead(f"{MASK}.flip(0)"),
    ),
    cache(
        "more-queries-accepted",
        "You do not refuse more queries than keys: some of them would have no position.",
        "Which position does the first of 5 queries have when there are 3 keys?",
        change=((REFUSAL, ""),),
    ),
    cache(
        "equal-numbers-refused",
        "You refuse as many queries as keys, which is the case without a cache.",
        "What should come out when nothing is in the cache yet?",
        change=(("num_queries > num_keys", "num_queries >= num_keys"),),
    ),
    refusals.error_without_numbers(
        "causal_mask_for_cache",
        change=(
            ('f"{num_queries} queries cannot be the last of {num_keys} positions"', '"too many"'),
        ),
    ),
    refusals.another_kind_of_error(
        "causal_mask_for_cache",
        what="there are more queries than keys",
        change=(
            (REFUSAL, 'assert num_queries <= num_keys, f"{num_queries} and {num_keys}"\n    '),
        ),
    ),
    masks.float_mask(
        "causal_mask_for_cache", change=instead(MASK.replace(", dtype=torch.bool", ""))
    ),
    masks.additive_mask("causal_mask_for_cache", around=MASK),
)

WINDOW = (
    window(
        "one-position-too-many",
        "Your window is one position too wide: the query itself counts, too.",
        WINDOW_OF_ONE,
        change=banded(BAND.replace("< window", "<= window")),
    ),
    window(
        "one-position-too-few",
        "Your window is one position too narrow.",
        WINDOW_OF_ONE,
        change=banded(BAND.replace("< window", "< window - 1")),
    ),
    window(
        "itself-excluded",
        "Your window ends before the query itself.",
        "Is the query one of the `window` keys, or not?",
        change=banded("(back > 0) & (back <= window)"),
    ),
    *(
        window(
            "window-to-both-sides",
            "Your window reaches into the future as far as into the past.",
            "May a token that writes see the next ones?",
            change=change,
        )
        for change in (banded("back.abs() < window"), ((BACK, f"({BACK}).abs()"),))
    ),
    window(
        "future-allowed",
        "Your window limits the past, but the future is open.",
        "Which two conditions has a key to meet?",
        change=banded("back < window"),
    ),
    window(
        "window-ignored",
        "Your mask is causal, but `window` has no effect.",
        "Where in your code is `window` used?",
        change=banded("back >= 0"),
    ),
    masks.mask_turned_round("sliding_window_mask", change=banded("(back <= 0) & (-back < window)")),
    masks.mask_inverted("sliding_window_mask", around=BAND),
    window(
        "window-from-the-start",
        "Your window stays at the start of the text; it should move along with the query.",
        "Which keys should the last row allow?",
        change=banded("(back >= 0) & (positions < window)"),
    ),
    window(
        "blocks-for-a-window",
        "You cut the text into blocks; a window moves along with the query.",
        "With a window of 3, may query 3 see key 2?",
        change=banded("(back >= 0) & (positions[:, None] // window == positions // window)"),
    ),
    window(
        "outside-the-window",
        "Your mask allows the past outside of the window, and forbids what is inside.",
        "Which keys are near, those with a small distance or those with a large one?",
        change=banded("(back >= 0) & (back >= window)"),
    ),
    window(
        "start-below-zero",
        "You cut from a start below 0, which Python counts from the end: early rows lose keys.",
        "With a window of 3, where does the window of the first row start? What is x[-2:1]?",
        code="""
        def sliding_window_mask(seq_len, window):
            mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
            for query in range(seq_len):
                mask[query, query - window + 1 : query + 1] = True
            return mask
        """,
    ),
    masks.whole_number_mask("sliding_window_mask", change=banded(f"({BAND}).int()")),
    masks.float_mask("sliding_window_mask", around=BAND),
    masks.additive_mask("sliding_window_mask", around=BAND),
)

MISTAKES = (*CACHE, *WINDOW)
