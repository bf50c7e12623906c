"""Known mistakes in recall_batch."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import recall, refusals

EXERCISE = "recall_batch"
mistake = partial(Mistake, EXERCISE)

UPPER_BOUND = "Does the upper bound of randint belong to what it draws?"
EACH_DRAW = "Go through your draws one by one: to which of them do you hand the generator?"

KEYS = "torch.rand(batch, num_keys, generator=numbers).argsort(dim=1)[:, :pairs]"
VALUES = "torch.randint(num_values, (batch, pairs), generator=numbers)"
ASKED = "torch.randint(pairs, (batch, 1), generator=numbers)"
SEEDED = "numbers = torch.Generator().manual_seed(seed)"
CHECK = "if not 1 <= pairs <= num_keys:"
RETURN = "return keys * num_values + values, query, answer"

keys_in_order = Family(
    "keys-in-order",
    "The keys of your sequences stand in the order of their size.",
    "Can the largest key stand at the first place, and the smallest one as well?",
)

global_seed = Family(
    "global-seed",
    "You seed a generator that all share, so that a batch changes everyone's numbers.",
    "Which object of torch's can hold a random state of its own?",
)

wrong_way_round = Family(
    "key-and-value-swapped",
    "You build a token the wrong way round: it is the key that is multiplied, and not the value.",
    "Which token is the pair of key 2 and value 1 when there are 4 values?",
)

MISTAKES = (
    mistake(
        "keys-repeat",
        "In your sequences a key can stand twice, so that a query has two answers.",
        "Drawing with randint puts every key back. How do you draw without putting back?",
        change=((KEYS, "torch.randint(num_keys, (batch, pairs), generator=numbers)"),),
    ),
    mistake(
        "largest-key-asked-for",
        "Your queries go by the size of the keys: one that is large is asked for more often.",
        "Whatever keys a sequence holds, how often should its smallest one be the query?",
        change=((ASKED, "keys.argmax(dim=1, keepdim=True)"),),
    ),
    mistake(
        "same-keys-for-all",
        "All sequences of a batch hold the same keys.",
        "How often do you draw keys: once, or once for every sequence?",
        change=((KEYS, "torch.randperm(num_keys, generator=numbers)[:pairs].repeat(batch, 1)"),),
    ),
    mistake(
        "first-keys-always",
        "Your sequences always hold the first keys; all keys should be able to come.",
        "Which keys does your code never draw?",
        change=((KEYS, "torch.rand(batch, pairs, generator=numbers).argsort(dim=1)"),),
    ),
    keys_in_order(EXERCISE, change=((KEYS, f"{KEYS}.sort(dim=1).values"),)),
    keys_in_order(EXERCISE, change=((KEYS, f"{KEYS}.sort(dim=1, descending=True).values"),)),
    mistake(
        "keys-tied-to-each-other",
        "The keys of a sequence depend on each other: some keys, or orders of them, never meet.",
        "When the first key is drawn, which keys may come next, and how often each?",
        change=(
            (
                KEYS,
                "(torch.randint(num_keys, (batch, 1), generator=numbers) + torch.arange(pairs)) "
                "% num_keys",
            ),
        ),
    ),
    mistake(
        "values-tied-to-each-other",
        "The values of a sequence depend on each other; each should be drawn by itself.",
        "If you know all values but one, what do you know about that one?",
        change=((VALUES, f"{VALUES}\n    values[:, -1] = values[:, 0]"),),
    ),
    mistake(
        "values-tied-to-other-keys",
        "The values of a sequence depend on keys that they do not even stand with.",
        "What must somebody know to foretell a value? It should be impossible.",
        change=((VALUES, f"{VALUES}\n    values[:, -1] = keys[:, 0] % num_values"),),
    ),
    mistake(
        "asked-for-by-value",
        "Which pair is asked for depends on the values.",
        "Whatever values a sequence holds, how often should its first pair be asked for?",
        change=((ASKED, "values.argmax(dim=1, keepdim=True)"),),
    ),
    mistake(
        "draws-from-the-same-numbers",
        "Your draws all begin with the same random numbers, so they have to do with each other.",
        "A generator that starts anew with the same seed: what does it give the second time?",
        change=tuple(
            (one, one.replace("numbers", "torch.Generator().manual_seed(seed)"))
            for one in (
                KEYS,
                VALUES,
                ASKED,
            )
        ),
    ),
    mistake(
        "rows-drawn-twice",
        "Some sequences of a batch are copies of others.",
        "How many different sequences does your batch of 64 hold?",
        change=(
            (
                RETURN,
                "half = torch.arange(batch) // 2\n"
                "    return (keys * num_values + values)[half], query[half], answer[half]",
            ),
        ),
    ),
    recall.axes_squeezed_away(EXERCISE, what="query", change=((".squeeze(1)", ".squeeze()"),)),
    mistake(
        "value-tied-to-key",
        "In your batches a key always comes with the same value, so nothing has to be looked up.",
        "What could a model answer that reads the query and nothing else?",
        change=((VALUES, "keys % num_values"),),
    ),
    mistake(
        "one-value-a-sequence",
        "All pairs of a sequence have the same value, so that any of them will do.",
        "How many values do you draw for a sequence of five pairs?",
        change=(
            (
                VALUES,
                "torch.randint(num_values, (batch, 1), generator=numbers).repeat(1, pairs)",
            ),
        ),
    ),
    mistake(
        "last-value-never-comes",
        "The largest value never comes.",
        UPPER_BOUND,
        change=((VALUES, VALUES.replace("randint(num_values,", "randint(num_values - 1,")),),
    ),
    mistake(
        "values-come-unevenly",
        "Some values come more often than others.",
        "How wide is the range of numbers that ends up as the first value, and as the second?",
        change=(
            (
                VALUES,
                "torch.rand(batch, pairs, generator=numbers).mul(num_values - 1).round().long()",
            ),
        ),
    ),
    mistake(
        "same-values-for-all",
        "All sequences of a batch have the same values, place by place.",
        "How often do you draw values: once, or once for every sequence?",
        change=((VALUES, f"{VALUES.replace('(batch, pairs)', '(1, pairs)')}.repeat(batch, 1)"),),
    ),
    wrong_way_round(EXERCISE, change=((RETURN, "return values * num_keys + keys, query, answer"),)),
    wrong_way_round(
        EXERCISE, change=((RETURN, "return values * num_values + keys, query, answer"),)
    ),
    mistake(
        "key-times-keys",
        "You multiply the key by the number of keys; two pairs can share a token then.",
        "How many tokens must lie between key 2 and key 3, so that every value has one?",
        change=((RETURN, "return keys * num_keys + values, query, answer"),),
    ),
    mistake(
        "place-for-query",
        "Your query is the place of a pair in its sequence; the key at that place was promised.",
        "Could a person answer who sees the pairs and this query, and looks for the key?",
        change=((RETURN, f"{RETURN.replace(', query,', ', asked.squeeze(1),')}"),),
    ),
    mistake(
        "token-for-query",
        "Your query is the whole pair, which holds the answer already.",
        "What would a model have to look up with this query?",
        change=(
            (RETURN, "return keys * num_values + values, query * num_values + answer, answer"),
        ),
    ),
    mistake(
        "query-from-all-keys",
        "Your query can be a key that does not stand in the sequence.",
        "Which keys can be asked for so that there is an answer?",
        change=(
            (RETURN, "query = torch.randint(num_keys, (batch,), generator=numbers)\n    " + RETURN),
        ),
    ),
    mistake(
        "answer-of-another-pair",
        "Your answer is the value of another pair than the one asked for.",
        "Follow one sequence on paper: at which place does the query stand, and the answer?",
        change=((RETURN, f"answer = values[:, 0]\n    {RETURN}"),),
    ),
    mistake(
        "token-for-answer",
        "Your answer is the whole pair; its value was promised.",
        "Which numbers can be an answer when there are 4 values?",
        change=((RETURN, "return keys * num_values + values, query, query * num_values + answer"),),
    ),
    mistake(
        "first-pair-asked",
        "You always ask for the first pair.",
        "What could a model answer that reads the first pair and nothing else?",
        change=((ASKED, "torch.zeros(batch, 1, dtype=torch.int64)"),),
    ),
    mistake(
        "last-pair-asked",
        "You always ask for the last pair.",
        "What could a model answer that reads the last pair and nothing else?",
        change=((ASKED, "torch.full((batch, 1), pairs - 1)"),),
    ),
    mistake(
        "last-pair-never-asked",
        "The last pair of a sequence is never asked for.",
        UPPER_BOUND,
        change=((ASKED, ASKED.replace("randint(pairs,", "randint(max(pairs - 1, 1),")),),
    ),
    mistake(
        "places-asked-unevenly",
        "Some places are asked for more often than others.",
        "How wide is the range of numbers that ends up as the first place, and as the second?",
        change=((ASKED, "torch.rand(batch, 1, generator=numbers).mul(pairs - 1).round().long()"),),
    ),
    mistake(
        "places-asked-in-turn",
        "Which place is asked for goes by the number of the sequence: it is not drawn.",
        "If you know what the first sequence was asked for, what do you know of the next one?",
        change=((ASKED, "torch.arange(batch)[:, None] % pairs"),),
    ),
    mistake(
        "same-place-asked",
        "In a batch, the pair at the same place is asked for in every sequence.",
        "How many places do you draw for a batch of 64?",
        change=((ASKED, f"{ASKED.replace('(batch, 1)', '(1, 1)')}.repeat(batch, 1)"),),
    ),
    global_seed(
        EXERCISE,
        change=(
            (SEEDED, "torch.manual_seed(seed)"),
            (KEYS, KEYS.replace(", generator=numbers", "")),
            (VALUES, VALUES.replace(", generator=numbers", "")),
            (ASKED, ASKED.replace(", generator=numbers", "")),
        ),
    ),
    global_seed(
        EXERCISE,
        change=(
            (SEEDED, "before = torch.initial_seed()\n    torch.manual_seed(seed)"),
            (KEYS, KEYS.replace(", generator=numbers", "")),
            (VALUES, VALUES.replace(", generator=numbers", "")),
            (ASKED, ASKED.replace(", generator=numbers", "")),
            (RETURN, f"torch.manual_seed(before)\n    {RETURN}"),
        ),
    ),
    global_seed(
        EXERCISE,
        code="""
        import random

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if not 1 <= pairs <= num_keys:
                raise ValueError(f"{pairs} pairs, {num_keys} keys")
            random.seed(seed)
            tokens, query, answer = [], [], []
            for _ in range(batch):
                keys = random.sample(range(num_keys), pairs)
                values = [random.randrange(num_values) for _ in keys]
                asked = random.randrange(pairs)
                tokens.append([key * num_values + value for key, value in zip(keys, values)])
                query.append(keys[asked])
                answer.append(values[asked])
            return torch.tensor(tokens), torch.tensor(query), torch.tensor(answer)
        """,
    ),
    global_seed(
        EXERCISE,
        code="""
        import numpy as np

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if not 1 <= pairs <= num_keys:
                raise ValueError(f"{pairs} pairs, {num_keys} keys")
            np.random.seed(seed)
            keys = np.random.rand(batch, num_keys).argsort(axis=1)[:, :pairs]
            values = np.random.randint(num_values, size=(batch, pairs))
            asked = np.random.randint(pairs, size=(batch, 1))
            rows = keys * num_values + values, *(
                np.take_along_axis(row, asked, axis=1)[:, 0] for row in (keys, values)
            )
            return tuple(torch.from_numpy(row) for row in rows)
        """,
    ),
    recall.seed_ignored(
        EXERCISE, what="batch", change=((SEEDED, "numbers = torch.Generator().manual_seed(0)"),)
    ),
    mistake(
        "no-seed-at-all",
        "Your batch is another one each time, whatever the seed.",
        recall.USE_OF_THE_SEED,
        change=((SEEDED, "numbers = torch.default_generator"),),
    ),
    mistake(
        "a-draw-without-generator",
        "One of your draws takes its numbers from torch's global random state.",
        EACH_DRAW,
        change=((VALUES, VALUES.replace(", generator=numbers", "")),),
    ),
    mistake(
        "queries-without-generator",
        "The choice of the pair asked for comes from torch's global random state.",
        EACH_DRAW,
        change=((ASKED, ASKED.replace(", generator=numbers", "")),),
    ),
    mistake(
        "too-many-pairs-let-through",
        "You do not check whether there are enough keys for so many pairs.",
        "What comes back for 12 pairs of 7 keys?",
        change=((CHECK, "if pairs < 1:"),),
    ),
    mistake(
        "no-pairs-let-through",
        "You accept sequences without a pair.",
        "What could be asked of a sequence that holds nothing?",
        change=((CHECK, "if pairs > num_keys:"),),
    ),
    refusals.assertion_for_value_error(
        EXERCISE, number="number of pairs", change=(("raise ValueError(", "raise AssertionError("),)
    ),
    refusals.numbers_not_named(
        EXERCISE,
        what="code",
        change=(
            ('f"pairs ({pairs}) must be from 1 to num_keys ({num_keys})"', '"too many pairs"'),
        ),
    ),
    mistake(
        "columns-for-rows",
        "Your query and answer keep an axis of length one; one number a sequence was promised.",
        "Print the shapes of all three. What does `gather` leave behind?",
        change=((".squeeze(1)", ""),),
    ),
    mistake(
        "floats-for-tokens",
        "Your tokens are floats; an embedding takes whole numbers.",
        "Print the dtypes of all three.",
        change=((RETURN, RETURN.replace("+ values,", "+ values.float(),")),),
    ),
)
