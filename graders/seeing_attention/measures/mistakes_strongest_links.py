"""Known mistakes in strongest_links."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import refusals, softmaxes

EXERCISE = "strongest_links"
mistake = partial(Mistake, EXERCISE)

FIRST_LINK = "Which of the k should a reader meet first?"

WHICH_IS_EARLIER = (
    "Two keys share the largest weight. Which of them stands earlier in the sentence?"
)

SORTED = "weights.sort(dim=-1, descending=True, stable=True)"
PAIR = "(tokens[place], weight)"
CHECK = "if weights.shape[-1] != len(tokens):"

one_token_one_link = Family(
    "one-token-one-link",
    "You collect links by token, so that of two keys with the same token one is lost.",
    "How many entries has a dict after two writes to one key? Think of two words *the*.",
)

largest_last = Family(
    "largest-last", "You find the right keys, but list the largest last.", FIRST_LINK
)

sorted_down_the_columns = Family(
    "sorted-down-the-columns",
    "You sort along the wrong axis: queries are compared with queries.",
    softmaxes.KEYS_OF_ONE_QUERY,
)

MISTAKES = (
    mistake(
        "ties-reversed",
        "Of equal weights, you list the later key first.",
        "Sort 0.5, 0.5 upwards and read the result backwards. Which one comes first?",
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights:
                order = row.argsort(stable=True).flip(0)[:k]
                links.append([(tokens[i], float(row[i])) for i in order])
            return links
        """,
    ),
    mistake(
        "ties-by-chance",
        "You leave the order of equal weights to chance; the earlier key should come first.",
        "Does your sort, or topk, promise to leave equal numbers in their order?",
        change=((SORTED, "weights.topk(min(k, weights.shape[-1]), dim=-1)"),),
    ),
    mistake(
        "ties-by-name-backwards",
        "Of equal weights, you list first what comes last in the alphabet.",
        WHICH_IS_EARLIER,
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights.tolist():
                pairs = sorted(zip(row, tokens), reverse=True)[:k]
                links.append([(token, weight) for weight, token in pairs])
            return links
        """,
    ),
    mistake(
        "ties-by-name",
        "Of equal weights, you list first what comes first in the alphabet.",
        WHICH_IS_EARLIER,
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights.tolist():
                pairs = sorted(zip(tokens, row), key=lambda link: (-link[1], link[0]))
                links.append(pairs[:k])
            return links
        """,
    ),
    mistake(
        "own-key-left-out",
        "You leave out the key at the query's own place; all keys were asked for.",
        "A token looks at itself most. What do you list first for it?",
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for query, row in enumerate(weights.tolist()):
                order = sorted(range(len(row)), key=lambda place: -row[place])
                others = [place for place in order if place != query]
                links.append([(tokens[place], row[place]) for place in others[:k]])
            return links
        """,
    ),
    mistake(
        "zeros-left-out",
        "You leave out keys whose weight is 0; with fewer keys than k, all of them belong there.",
        "A query has three keys, one of them with weight 0. How many links does it get?",
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights.tolist():
                order = sorted(range(len(row)), key=lambda place: -row[place])[:k]
                links.append([(tokens[place], row[place]) for place in order if row[place] > 0])
            return links
        """,
    ),
    mistake(
        "one-link-too-many",
        "You list one link more than was asked for.",
        "How many numbers does a slice up to k + 1 hold?",
        change=(("zip(row[:k], where[:k]", "zip(row[: k + 1], where[: k + 1]"),),
    ),
    mistake(
        "tokens-counted-by-rows",
        "You compare the number of tokens with the queries; they are the keys'.",
        "Weights of (4, 7) come with how many tokens?",
        change=((CHECK, "if weights.shape[0] != len(tokens):"),),
    ),
    mistake(
        "too-many-tokens-accepted",
        "You refuse too few tokens and accept too many.",
        "Five keys and eight tokens: what becomes of the last three?",
        change=((CHECK, "if weights.shape[-1] > len(tokens):"),),
    ),
    mistake(
        "smallest-first",
        "You list the smallest weights.",
        "In which direction does your sort go?",
        change=(("descending=True", "descending=False"),),
    ),
    largest_last(
        EXERCISE,
        change=(
            ("place in zip(row[:k], where[:k]", "place in zip(row[:k][::-1], where[:k][::-1]"),
        ),
    ),
    largest_last(
        EXERCISE,
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights:
                links.append([(tokens[i], row[i].item()) for i in row.argsort()[-k:]])
            return links
        """,
    ),
    mistake(
        "in-order-of-position",
        "You find the right keys, but list them by position.",
        FIRST_LINK,
        change=(
            (
                "for weight, place in zip(row[:k], where[:k], strict=True)",
                "for place, weight in sorted(zip(where[:k], row[:k], strict=True))",
            ),
        ),
    ),
    mistake(
        "one-link-too-few",
        "You list one link less than was asked for.",
        "How many numbers does a slice from 1 to k hold?",
        change=(("zip(row[:k], where[:k]", "zip(row[: k - 1], where[: k - 1]"),),
    ),
    mistake(
        "strongest-left-out",
        "You leave out the largest weight, perhaps since it is often the token's own.",
        "The task asks for the largest weights, whosever they are. What is dropped?",
        change=(("zip(row[:k], where[:k]", "zip(row[1 : k + 1], where[1 : k + 1]"),),
    ),
    mistake(
        "k-hard-coded",
        "You list three links, whatever k says.",
        "Where in your code is `k` used?",
        change=(("zip(row[:k], where[:k]", "zip(row[:3], where[:3]"),),
    ),
    mistake(
        "columns-for-rows",
        "You go down the columns: that lists, for each key, who looks at it most.",
        "Which index of weights[i, j] is the query?",
        change=((SORTED, "weights.mT.sort(dim=-1, descending=True, stable=True)"),),
    ),
    sorted_down_the_columns(EXERCISE, change=(("dim=-1", "dim=0"),)),
    sorted_down_the_columns(
        EXERCISE,
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} keys, but {len(tokens)} tokens")
            order = weights.argsort(dim=0, descending=True, stable=True)[:, :k]
            return [
                [(tokens[j], float(row[j])) for j in places.tolist()]
                for row, places in zip(weights, order)
            ]
        """,
    ),
    mistake(
        "positions-for-tokens",
        "Your pairs name positions; tokens were promised.",
        "What would a reader of (5, 0.4) have to look up?",
        change=((PAIR, "(place, weight)"),),
    ),
    mistake(
        "pairs-turned-round",
        "Your pairs have the weight first; the token comes first.",
        "Compare with the example: what stands first in each pair?",
        change=((PAIR, "(weight, tokens[place])"),),
    ),
    mistake(
        "tokens-without-weights",
        "You list the tokens alone; each should come with its weight.",
        "How would a reader tell 0.9 from 0.3?",
        change=((PAIR, "tokens[place]"),),
    ),
    one_token_one_link(
        EXERCISE,
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights.tolist():
                by_token = dict(zip(tokens, row))
                links.append(sorted(by_token.items(), key=lambda link: -link[1])[:k])
            return links
        """,
    ),
    one_token_one_link(
        EXERCISE,
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights.tolist():
                order = sorted(range(len(row)), key=lambda place: -row[place])[:k]
                links.append(list({tokens[place]: row[place] for place in order}.items()))
            return links
        """,
    ),
    mistake(
        "token-of-the-place-in-the-list",
        "Your tokens come from the place in the sorted list, not from the key's own position.",
        "After sorting, what tells where a number stood before?",
        change=((PAIR, "(tokens[where.index(place)], weight)"),),
    ),
    mistake(
        "weights-as-tensors",
        "Your weights are tensors; plain numbers were promised.",
        "What makes a Python number of a tensor with one element?",
        change=((PAIR, "(tokens[place], torch.tensor(weight))"),),
    ),
    mistake(
        "weights-rounded",
        "You round the weights; a caller can round by itself.",
        "What is the sum of all weights of a row after your rounding?",
        change=((PAIR, "(tokens[place], round(weight, 2))"),),
    ),
    mistake(
        "one-flat-list",
        "You return one list of all links; a list for each query was promised.",
        "How would a caller find the links of query 2?",
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            links = []
            for row in weights.tolist():
                order = sorted(range(len(row)), key=lambda place: -row[place])[:k]
                links += [(tokens[place], row[place]) for place in order]
            return links
        """,
    ),
    mistake(
        "too-few-keys-forgotten",
        "Your code fails where there are fewer keys than k.",
        "What does topk do when it is asked for 5 of 2 numbers?",
        code="""
        def strongest_links(weights, tokens, k=3):
            if weights.shape[-1] != len(tokens):
                raise ValueError(f"{weights.shape[-1]} {len(tokens)}")
            if k > weights.shape[-1]:
                raise IndexError(k)
            order = weights.argsort(dim=-1, descending=True, stable=True)
            return [
                [(tokens[j], float(row[j])) for j in places[:k].tolist()]
                for row, places in zip(weights, order)
            ]
        """,
    ),
    mistake(
        "no-check-of-tokens",
        "You do not check whether there is a token for each key.",
        "What does a caller see who passes one token too few?",
        change=((CHECK, "if False:"),),
    ),
    refusals.numbers_not_named(
        EXERCISE,
        change=(
            ('f"{weights.shape[-1]} keys, but {len(tokens)} tokens"', '"keys and tokens differ"'),
        ),
    ),
)
