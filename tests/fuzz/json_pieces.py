"""Strategies for JSON that is not what it should be: junk, and real JSON with junk in places."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

LETTERS = st.characters()  # surrogates among them
WORDS = st.sampled_from(["", "\ud800", "\x00", "\u202e", "<b>", "=1+1", "../x", "é" * 300])
TEXT = WORDS | st.text(LETTERS, max_size=20)
EDGES = [2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**400]
INTEGERS = st.sampled_from([0, 1, -1, 2, 16, 64, 255, *EDGES, -(2**31), -(2**63), -(2**64)])
FLOATS = st.sampled_from([0.0, -0.0, 0.5, 1e308, -1e-320, float("inf"), float("nan")])
SCALARS = st.none() | st.booleans() | INTEGERS | st.integers(-9, 70) | FLOATS | TEXT


def _deep(levels: int) -> Any:
    value: Any = 0
    for level in range(levels):
        value = [value] if level % 2 else {"tuple": value}
    return value


JUNK = st.recursive(
    SCALARS | st.sampled_from([14, 17, 40, 300]).map(_deep),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """The paths of everything inside a JSON value."""
    found = [path] if path else []
    inside: Any = ()
    if type(value) in (dict, list):
        inside = value.items() if type(value) is dict else enumerate(value)
    for key, item in inside:
        found += places(item, (*path, key))
    return found


@st.composite
def mutated(draw: Any, value: Any, junk: st.SearchStrategy, most: int = 3) -> Any:
    """The JSON value after a few changes: parts replaced, dropped, doubled, moved or renamed."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(0, most))):
        paths = places(value)
        if not paths:
            break
        *above, last = draw(st.sampled_from(paths))
        holder = value
        for key in above:
            holder = holder[key]
        change = draw(st.sampled_from(["replace", "replace", "drop", "double", "move", "rename"]))
        if change == "drop":
            del holder[last]
        elif change == "double" and type(holder) is list:
            holder.insert(draw(st.integers(0, len(holder))), copy.deepcopy(holder[last]))
        elif change == "rename" and type(holder) is dict:
            holder[draw(TEXT)] = holder.pop(last)
        elif change == "move":
            holder[last] = copy.deepcopy(_at(value, draw(st.sampled_from(paths))))
        else:
            holder[last] = copy.deepcopy(draw(junk))  # some strategies give one object to all
    return value


def _at(value: Any, path: tuple) -> Any:
    for key in path:
        value = value[key]
    return value


RAW = [b"NaN", b"1e999", b"9" * 5000, b"1." + b"1" * 3000, b"-", b",", b"{", b"}", b'"', b"\\"]
RAW += [b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\ud800", b"\x00", b"[" * 2000]
RAW += [b'{"id":1,"id":2}']


@st.composite
def mangled(draw: Any, data: bytes) -> bytes:
    """The bytes after a few changes that know nothing of JSON."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 40)))
        piece = draw(st.binary(max_size=8) | st.sampled_from(RAW))
        data = data[:start] + piece + data[end:]
    return data


def as_bytes(value: Any) -> bytes:
    """JSON as json writes it, NaN and lone surrogates included."""
    return json.dumps(value).encode()
