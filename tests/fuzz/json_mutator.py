"""A mutator for atheris that keeps JSON whole, so that what lies behind the parser is reached."""

import copy
import json
import random
from typing import Any

import atheris
from json_pieces import places

JUNK: list[Any] = [None, True, 0, -1, 1, 2**31, 2**63, 2**64, 1.5, 1e308, "", "é", "\ud800", [], {}]
JUNK += [
    [[]],
    {"": 0},
    {"tuple": []},
    {"tensor": 0},
    {"array": 0},
    {"number": 0},
    {"dict": [[0, 0]]},
]
JUNK += ["cpu", "meta", "cuda:0", "cuda:01", "float32", "bool", {"int": "0xff"}, {"size": [2**40]}]
JUNK += [
    "f",
    "test_f",
    "q1",
    "test_q1",
    "code",
    "markdown",
    "raw",
    "heading",
    3,
    4,
    5,
    ["a\n", "b"],
]


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Change the JSON at the start of the data, up to a NUL byte, or else any byte."""
    drawn = random.Random(seed)
    text, nul, rest = data.partition(b"\0")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or drawn.random() < 0.2:
        return atheris.Mutate(data, max_size)
    for _ in range(drawn.randint(1, 3)):
        _change(value, drawn)
    if nul and drawn.random() < 0.3:
        rest = atheris.Mutate(rest, 1 << 10)
    changed = json.dumps(value).encode() + nul + rest
    return changed if len(changed) <= max_size else data


def _change(value: dict[str, Any], drawn: random.Random) -> None:
    paths = places(value)
    if not paths:
        return
    *above, last = drawn.choice(paths)
    holder: Any = value
    for key in above:
        holder = holder[key]
    how = drawn.randrange(5)
    if how == 0:
        del holder[last]
    elif how == 1 and type(holder) is list:
        holder.insert(drawn.randint(0, len(holder)), copy.deepcopy(holder[last]))
    elif how == 2:
        other: Any = value
        for key in drawn.choice(paths):
            other = other[key]
        holder[last] = copy.deepcopy(other)
    elif how == 3 and type(holder[last]) is int:
        holder[last] += drawn.choice([-1, 1, 63, -64])
    else:
        holder[last] = copy.deepcopy(drawn.choice(JUNK))
