"""Gradients of a call with one cotangent or several: what comes back, and what is refused."""

import pytest
import torch

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.sandbox.worker import Method

SOURCE = """
import torch
def products(x, w):
    return x @ w, (x @ w).half(), 3 * x

class Both(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.other = torch.nn.Linear(3, 2), torch.nn.Linear(3, 4)
    def forward(self, x):
        return self.one(x), self.other(x)
"""
X, W = torch.arange(6.0).view(2, 3) / 5, torch.arange(12.0).view(3, 4) / 7
UPSTREAM = torch.ones(2, 4), torch.full((2, 4), 0.5), torch.full((2, 3), 2.0)


@pytest.fixture
def loaded(worker):
    worker.run_cell(SOURCE)
    return worker


def test_several_outputs_are_pulled_back_at_once_whatever_their_dtypes(loaded):
    found = loaded.grad("products", [X, W], upstream=UPSTREAM)
    on_product = torch.full((2, 4), 1.5)
    assert torch.allclose(found.inputs[0], on_product @ W.T + 6)
    assert torch.allclose(found.inputs[1], X.T @ on_product)
    assert [one.dtype for one in found.value] == [torch.float32, torch.float16, torch.float32]


def test_a_skipped_output_gives_nothing(loaded):
    found = loaded.grad("products", [X, W], upstream=(None, None, UPSTREAM[2]))
    assert torch.equal(found.inputs[0], torch.full((2, 3), 6.0))
    assert found.inputs[1] is None


def test_parameters_get_theirs_from_every_output(loaded):
    module = loaded.call("Both").value
    cotangents = torch.ones(2, 2), torch.ones(2, 4)
    found = loaded.grad(Method(module), [X], upstream=cotangents).parameters
    assert torch.equal(found["one.bias"], torch.full((2,), 2.0))
    assert torch.equal(found["other.bias"], torch.full((4,), 2.0))
    found = loaded.grad(Method(module), [X], upstream=cotangents[0]).parameters
    assert found["other.bias"] is None


@pytest.mark.parametrize(
    "value", ["(x, x.long(), x)", "x", "(x, (x, x))", "{'a': x, 'b': x, 'c': x}", "None"]
)
def test_another_number_of_outputs_is_the_students_error_and_no_death(loaded, value):
    loaded.run_cell(f"def odd(x):\n    return {value}")
    with pytest.raises(StudentError, match="floating-point tensors returned, not 3"):
        loaded.grad("odd", [X], upstream=(X, X, X))
    assert loaded.death is None


@pytest.mark.parametrize(
    "answer",
    [
        "None",
        "(0, [None, None], {})",
        "(0, (None,), {})",
        "(0, (None, None, None), {})",
        "(0, (None, 'a gradient'), {})",
        "(0, (None, (torch.ones(2), torch.ones(2))), {})",
        "(0, (None, None), {'weight': 1.0})",
        "(0, (None, None), {1: None})",
    ],
)
def test_odd_gradients_for_several_cotangents_end_the_process(loaded, answer):
    loaded.run_cell(
        "import sys\n"
        "def odd(x, w):\n"
        "    serve = next(m for n, m in sys.modules.items() if n.endswith('inside.serve'))\n"
        f"    wrong = {answer}\n"
        "    plain = serve.Encoder.encode\n"
        "    serve.Encoder.encode = lambda self, value, depth=0: plain(\n"
        "        self, wrong if depth == 0 else value, depth\n"
        "    )\n"
        "    return x, w\n"
    )
    with pytest.raises(StudentDied, match="protocol: an odd answer about gradients"):
        loaded.grad("odd", [X, W], upstream=(X, W))
