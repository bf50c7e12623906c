"""Which answers are the same up to names and layout, and which are not."""

import re

import pytest

from autograder.notebooks.normal_form import NoPython, imports_of, normal_form

WRITTEN = '''
def predict(x, slope, intercept):
    """The height of the line."""
    grown = [slope * one for one in x]
    return np.array(grown) + intercept
'''
SAME = {
    "other names": """
def predict(xs, m, b):
    list_ = [m * value for value in xs]
    return np.array(list_) + b
""",
    "another layout, with comments": """
# my answer
def predict(  x, slope,
              intercept ):
    grown = [(slope) * one   # one at a time
             for one in x]; return (np.array(grown)
                                    + intercept)
""",
    "annotations, prints and a docstring": """
def predict(x: "Array", slope: float, intercept: float = ...) -> "Array":
    'mine'
    print("here", x)
    grown: list[float] = [slope * one for one in x]
    total: int
    pass
    return np.array(grown) + intercept
""".replace(" = ...", ""),
    "an import of its own": """
import numpy
def predict(x, slope, intercept):
    from numpy import array as make
    grown = [slope * one for one in x]
    return make(grown) + intercept
""",
    "a name of the comprehension that is a parameter's": """
def predict(x, slope, intercept):
    grown = [slope * x for x in x]
    return np.array(grown) + intercept
""",
    "a magic": "%matplotlib inline\n" + WRITTEN,
}
OTHER = {
    "another constant": WRITTEN.replace("slope *", "2 * slope *"),
    "an int for a float": WRITTEN.replace("+ intercept", "+ intercept + 1.0"),
    "parameters in another order": WRITTEN.replace("slope, intercept", "intercept, slope"),
    "another operator": WRITTEN.replace("+ intercept", "- intercept"),
    "another function of the library": WRITTEN.replace("np.array", "np.asarray"),
    "another order of operands": WRITTEN.replace("slope * one", "one * slope"),
    "a call of another's function": WRITTEN.replace("np.array(grown)", "helper(grown)"),
}
IMPORTS = (("np", "numpy"),)


def test_an_int_is_no_float() -> None:
    one, other = WRITTEN + "x = 1", WRITTEN + "x = 1.0"
    assert normal_form(one, "predict") != normal_form(other, "predict")


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_names_and_layout_do_not_count(text: str) -> None:
    assert normal_form(text, "predict", IMPORTS) == normal_form(WRITTEN, "predict", IMPORTS)


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_what_is_computed_counts(text: str) -> None:
    assert normal_form(text, "predict", IMPORTS) != normal_form(WRITTEN, "predict", IMPORTS)


def test_two_functions_may_share_names_or_not() -> None:
    one = "def a(x):\n    return x\ndef f(x):\n    return a(x)"
    other = "def helper(t):\n    return t\ndef f(u):\n    return helper(u)"
    assert normal_form(one, "f") == normal_form(other, "f")


def test_a_name_that_looks_like_a_number_of_ours_is_not_taken_for_one() -> None:
    assert normal_form("y = v0", "f") != normal_form("y = y", "f")


def test_every_kind_of_statement_has_a_form() -> None:
    text = """
@cached
class f(torch.nn.Module, metaclass=M):
    size: int = 3
    def __init__(self, *args, key=None, **kwargs):
        super().__init__()
        global counted
        counted += 1
        def inside():
            nonlocal key
            key = lambda *, a=1: a
        try:
            with open(self) as file, other:
                for line in file: self.lines = line
                else: pass
        except (ValueError, TypeError) as error:
            raise error from None
        finally:
            del file
    async def g(self):
        async for i in self: yield i
        match i:
            case {"a": [1, *rest], **more} if (n := 2) > 1: return rest
            case str(y) | y: return {k: v for k, v in y.items() if k}
            case _: assert not i, f"{i!r:>{n}}"
        while True: break
        x = y = z[1:2, ...] if a else (yield)
"""
    form = normal_form(text, "f")
    renamed = re.sub(r"\b(line|error|rest|inside|counted|i|k)\b", r"\1_", text)
    assert normal_form(renamed.replace("counted_", "counted"), "f") == form
    for kept in ("super", "torch.nn.Module", "__init__", "AsyncFor", "counted", ".lines"):
        assert kept in form


def test_methods_keep_their_names() -> None:
    text = "class f(nn.Module):\n    def forward(self, x):\n        return x"
    assert normal_form(text, "f") == normal_form(text.replace("x", "y"), "f")
    assert normal_form(text, "f") != normal_form(text.replace("forward", "call"), "f")


@pytest.mark.parametrize(
    "text",
    ["def f(:", "x = \x00", "(" * 5000, "x = " + "-" * 50_000 + "1", "a" * 300_000],
    ids=["no syntax", "a null", "brackets", "a deep expression", "long"],
)
def test_what_cannot_be_read_is_told(text: str) -> None:
    with pytest.raises(NoPython):
        normal_form(text, "f")


def test_imports_say_what_names_mean() -> None:
    text = "import numpy as np, os.path\nfrom torch.nn import functional as F, Linear"
    assert dict(imports_of(text)) == {
        "np": "numpy",
        "os": "os",
        "F": "torch.nn.functional",
        "Linear": "torch.nn.Linear",
    }
    assert imports_of("import (") == ()
