"""PyTorch's compiler is loaded for who asks for it, and costs nobody else a start."""

import subprocess
import sys

import pytest
from course_packages import PACKAGES

from autograder.sandbox import Sandbox
from autograder.sandbox.inside.zygote import ALONE

MASKED = """
import sys
import torch

def masked(device="cpu"):
    x = torch.ones(2, 3, 3, device=device, requires_grad=True)
    scores = (x @ x.mT / 2).masked_fill(torch.ones(3, 3, device=device).triu(1) > 0, -torch.inf)
    y = torch.softmax(scores, -1)
    y.sum().backward()
    return y

def is_loaded():
    return "torch._dynamo" in sys.modules

def step():
    layer = torch.nn.Linear(2, 2)
    optimiser = torch.optim.SGD(layer.parameters(), lr=0.5)
    layer(torch.ones(2)).sum().backward()
    before = layer.bias.detach().clone()
    optimiser.step()
    return before - layer.bias.detach()

def compiled():
    return torch.compile(masked, backend="eager")().detach()
"""


def outside(code: str) -> str:
    """What a fresh interpreter prints that leaves the compiler out and then runs this."""
    begin = "from autograder.tensors.inside.dynamo import MARK, leave_out_compiler\n"
    command = [sys.executable, "-c", f"{begin}leave_out_compiler()\n{MASKED}{code}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def test_operations_on_every_device_load_no_compiler():
    assert outside("masked(), masked('meta')\nprint(is_loaded())") == "False\n"


def test_who_loads_the_compiler_gets_pytorch_s_own_way_back():
    """Its mark on a function is then the compiler's own, as if nothing had been left out."""
    code = """
import torch._dynamo
masked("meta")
wrapper = torch._refs.true_divide.__wrapped__
function = dict(zip(wrapper.__code__.co_freevars, wrapper.__closure__))["fn"].cell_contents
print(getattr(function, MARK).__module__)
"""
    assert outside(code) == "torch._dynamo.eval_frame\n"


@pytest.mark.slow
def test_children_of_one_submission_find_no_compiler_and_later_ones_do(limits):
    """Whoever grades one submission waits for less; a class loads it once, in the fork server."""
    with Sandbox(limits=limits, packages=PACKAGES) as sandbox:
        connection = sandbox.connect(0)
        found = []
        for _ in range(ALONE + 1):
            worker = connection.start_worker()
            assert worker.run_cell(MASKED).error is None
            worker.call("masked", ["meta"])
            found.append(worker.call("is_loaded").value)
            assert worker.call("step").value.tolist() == [0.5, 0.5]
            assert worker.call("compiled").value.shape == (2, 3, 3)
            worker.close()
        assert found == [False] * ALONE + [True]


def test_memory_that_is_shared_later_is_taken_off_no_submission(limits):
    """The limit is on top of what the fork server has loaded by then."""
    ask = f"import torch\nkept = torch.empty({limits.memory_bytes * 9 // 10}, dtype=torch.uint8)"
    with Sandbox(limits=limits, packages=PACKAGES) as sandbox:
        connection = sandbox.connect(0)
        for _ in range(ALONE + 1):
            worker = connection.start_worker()
            assert worker.run_cell(ask).error is None
            worker.close()
