"""Signatures: what is an array and what a number, as people write them."""

import pytest

from autograder.scaffolding.filling import fitting
from autograder.scaffolding.signature import read_signature


def kinds(name: str, text: str) -> dict[str, str]:
    """Each parameter's type, or `array`, with its default."""
    return {
        one.name: (one.kind or "array") + (f" = {one.default}" if one.default else "")
        for one in read_signature(name, text).parameters
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "f(x, gamma, beta, eps)",
            {"x": "array", "gamma": "array", "beta": "array", "eps": "float"},
        ),
        ("f(x, axis=-1)", {"x": "array", "axis": "int = -1"}),
        ("f(x, eps=1e-5)", {"x": "array", "eps": "float = 1e-5"}),
        ("(x, mode='mean')", {"x": "array", "mode": 'str = "mean"'}),
        ("(x, y=None)", {"x": "array", "y": "object = None"}),
        ("def f(n, num_groups, top_k: int):", {"n": "int", "num_groups": "int", "top_k": "int"}),
        ('f(x: Float[Tensor, "n d"])', {"x": 'Float[Tensor, "n d"]'}),
    ],
)
def test_parameters(text: str, wanted: dict[str, str]) -> None:
    assert kinds("f", text) == wanted


def test_what_a_class_is_made_with_is_numbers() -> None:
    read = read_signature("LSTMBlock", "LSTMBlock(self, d_in, hidden, bias=True)")
    assert read.is_class
    assert read.snake == "lstm_block"
    assert read.bare() == ["d_in", "hidden", "bias=True"]
    assert read.declared("Tensor") == ["d_in: int", "hidden: int", "bias: bool = True"]
    assert [one.name for one in read.needed] == ["d_in", "hidden"]


def test_a_list_takes_as_few_lines_as_it_can() -> None:
    assert fitting("f(", ["a", "b"], ")") == "f(a, b)"
    assert fitting("f" * 50 + "(", ["a" * 30, "b" * 30], ")").count("\n") == 2
    assert fitting("f(", ["a" * 60, "b" * 60], ")").splitlines()[1] == f"    {'a' * 60},"
