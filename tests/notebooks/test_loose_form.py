"""Which answers may have the same origin, whatever was done to hide it."""

import re

import pytest

from autograder.notebooks.loose_form import loose_form

WRITTEN = """
def attend(q, k, v, mask=None):
    width = q.shape[-1]
    scores = q @ k.mT / math.sqrt(width)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    rows, columns = scores.shape[-2:]
    total = rows + columns
    shares = torch.softmax(scores, dim=-1)
    return shares @ v, total
"""
DISGUISED = {
    "other names": """
def attend(a, b, c, m=None):
    d = a.shape[-1]
    s = a @ b.mT / math.sqrt(d)
    if m is not None:
        s = s.masked_fill(~m, float("-inf"))
    n, o = s.shape[-2:]
    t = n + o
    w = torch.softmax(s, dim=-1)
    return w @ c, t
""",
    "lines in another order": """
def attend(q, k, v, mask=None):
    width = q.shape[-1]
    scores = q @ k.mT / math.sqrt(width)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    shares = torch.softmax(scores, dim=-1)
    rows, columns = scores.shape[-2:]
    total = columns + rows
    return shares @ v, total
""",
    "no names in between, and one too many": """
def attend(q, k, v, mask=None):
    unused = 7
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    rows, columns = scores.shape[-2:]
    result = torch.softmax(scores, dim=-1) @ v
    return result, rows + columns
""",
}
OTHER = {
    "another axis": WRITTEN.replace("dim=-1", "dim=-2"),
    "no root": WRITTEN.replace("math.sqrt(width)", "width"),
    "operands the other way round": WRITTEN.replace("q @ k.mT", "k @ q.mT"),
    "another constant": WRITTEN.replace('float("-inf")', "-1e9"),
}


@pytest.mark.parametrize("text", DISGUISED.values(), ids=DISGUISED)
def test_a_disguise_does_not_count(text: str) -> None:
    assert loose_form(text, "attend") == loose_form(WRITTEN, "attend")


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_what_is_computed_counts(text: str) -> None:
    assert loose_form(text, "attend") != loose_form(WRITTEN, "attend")


def test_the_sides_of_a_comparison_may_change_places() -> None:
    one, other = "def f(a, b):\n    return a < b", "def f(a, b):\n    return b > a"
    assert loose_form(one, "f") == loose_form(other, "f")
    assert loose_form(one, "f") != loose_form("def f(a, b):\n    return b < a", "f")


def test_values_within_values_do_not_grow_without_end() -> None:
    lines = [f"    a{i + 1} = a{i} * a{i}\n" for i in range(200)]
    text = "def f(a0):\n" + "".join(lines) + "    return a200"
    renamed = re.sub(r"\ba(?=\d)", "b", text)
    assert loose_form(text, "f") == loose_form(renamed, "f")


def test_a_name_that_is_its_own_value_has_a_form() -> None:
    assert loose_form("def f():\n    x = x + 1\n    return x", "f")


def test_what_is_no_python_is_compared_by_its_words() -> None:
    assert loose_form("def f(:\n  return", "f") == loose_form("def  f(:\n\n    return\n", "f")
    assert loose_form("def f(:\n  return", "f") != loose_form("def g(:\n  return", "f")
