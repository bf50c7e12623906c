"""Triton's interpreter runs inside, and what its kernels did comes out as a claim."""

import pytest
import torch

from autograder.judging.answers import reference_source

pytest.importorskip("triton")

# The image of the tests in containers has no Triton.
pytestmark = pytest.mark.parametrize(
    "sandbox", ["required", "fallback"], indirect=True, scope="session"
)

SETUP = """
import math, inspect, os
import torch
import triton
import triton.language as tl
from jaxtyping import Float
from torch import Tensor
"""
X = torch.arange(60.0).reshape(2, 6, 5) / 30


@pytest.fixture
def kernels(worker):
    """A process in which the reference's cell has run."""
    for cell in (SETUP, reference_source("triton_attention")):
        outcome = worker.run_cell(cell)
        assert outcome.error is None, outcome.error
    return worker


def test_a_kernel_of_a_cell_runs_without_a_gpu(kernels):
    found = kernels.call("triton_attention", [X, X, X]).value
    wanted = torch.nn.functional.scaled_dot_product_attention(X, X, X)
    torch.testing.assert_close(found, wanted, atol=2e-6, rtol=0)


def test_its_source_is_found_as_triton_needs_it_to_compile(kernels):
    outcome = kernels.run_cell("print(inspect.getsource(triton_attention_kernel.fn)[:11])")
    assert outcome.printed == "@triton.jit\n"


def test_what_kernels_did_is_counted(kernels):
    _, recording = kernels.traced("triton_attention", [X, X, X])
    assert recording["kernels"] == {"programs": 2, "stored": 60, "longest": 64}
    names = {one[0].split(".")[1] for one in recording["operations"]}
    assert not names & {"mm", "bmm", "exp", "_softmax", "_safe_softmax"}


def test_counting_ends_with_the_call(kernels):
    kernels.traced("triton_attention", [X, X, X])
    kernels.run_cell("from triton.runtime import interpreter")
    kernels.run_cell("left = sorted(vars(interpreter.interpreter_builder))")
    assert not {"set_grid_idx", "create_masked_store"} & set(kernels.value("left"))


def test_where_no_kernel_runs_none_is_counted(kernels):
    kernels.run_cell("def plain(x):\n    return x + 1")
    _, recording = kernels.traced("plain", [X])
    assert recording["kernels"] == {"programs": 0, "stored": 0, "longest": 0}


def test_a_kernel_that_leaves_its_tensors_ends_its_own_process_alone(kernels, connection):
    kernels.run_cell(
        "@triton.jit\n"
        "def far(x_ptr):\n"
        "    tl.store(x_ptr + (tl.program_id(0).to(tl.int64) + 1) * 1000000000000, 1.0)\n"
        "def stray(x):\n    far[(1,)](x)\n    return x"
    )
    from autograder.checks.kit.errors import StudentDied

    with pytest.raises(StudentDied, match="crashed"):
        kernels.call("stray", [X])
    fresh = connection.start_worker({})
    assert fresh.run_cell("print(1)").printed == "1\n"
    fresh.close()
