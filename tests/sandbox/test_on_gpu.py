"""Submissions on a GPU: what they reach, what they may take, and what they cannot spoil."""

import pytest
import torch
from course_packages import PACKAGES

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox import Sandbox
from autograder.sandbox.driver_module import OLDEST
from autograder.sandbox.gpu import find_gpu, why_no_gpu
from autograder.sandbox.inside.versions import is_installed

pytestmark = pytest.mark.skipif(why_no_gpu() is not None, reason="no GPU is here")
needs_triton = pytest.mark.skipif(
    not is_installed("triton", OLDEST), reason="no Triton that compiles is here"
)

LIMITS = Limits(call_seconds=10, memory_bytes=512 << 20)

DOUBLE = "import torch\ndef f(x):\n    return 2 * x\n"
ATTEND = """
import torch.nn.functional as F
def f(x):
    return F.scaled_dot_product_attention(x, x, x) @ x
"""
WRONG_INDEX = """
import torch
def f(x):
    return x[torch.full((3,), 1 << 20, device=x.device)]
"""
FOREVER = """
import torch
def f(x):
    torch.cuda._sleep(1 << 62)
    return x
"""
EVERYTHING = """
import torch
held = []
def f(x):
    while True:
        held.append(torch.empty(1 << 30, dtype=torch.uint8, device=x.device))
"""
HALF = """
import torch
def f(x):
    half = torch.cuda.get_device_properties(0).total_memory // 2
    return torch.empty(half, dtype=torch.uint8, device=x.device)[:3]
"""


@pytest.fixture(scope="module", params=["required", "fallback"])
def connection(request):
    with Sandbox(request.param, LIMITS, PACKAGES, gpu=find_gpu()) as sandbox:
        yield sandbox.connect()


@pytest.fixture
def start(connection):
    """A fresh process with these cells run."""
    started = []

    def with_cells(*sources):
        started.append(connection.start_worker())
        for source in sources:
            assert started[-1].run_cell(source).error is None
        return started[-1]

    yield with_cells
    for worker in started:
        worker.close()


KERNEL = """
import torch, triton
import triton.language as tl

@triton.jit
def twice(x_ptr, y_ptr, size, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=at < size), mask=at < size)

def f(x):
    y = torch.empty_like(x)
    twice[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)
    return y

def made_of():
    return type(twice).__name__
"""


def works(worker):
    x = torch.randn(1, 2, 8, 8, device="cuda")
    found = worker.call("f", [x]).value
    assert found.is_cuda
    torch.testing.assert_close(found, 2 * x)


def test_tensors_go_there_and_come_back(start):
    works(start(DOUBLE))


@needs_triton
def test_kernels_are_compiled_inside(start):
    """By the driver: nothing else could be started, and without a note that says otherwise."""
    worker = start(KERNEL)
    assert worker.call("made_of").value == "JITFunction"
    for size in (16, 1000):
        x = torch.randn(size, device="cuda")
        assert torch.equal(worker.call("f", [x]).value, 2 * x)


@needs_triton
def test_no_package_is_unusable_here():
    with Sandbox(limits=LIMITS, packages=PACKAGES, gpu=find_gpu()) as sandbox:
        assert sandbox.unusable == {}, sandbox.notes


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_attention_runs_with_its_gradient(start, dtype):
    x = torch.randn(1, 2, 8, 8, device="cuda", dtype=dtype)
    found = start(ATTEND).grad("f", [x], upstream=torch.ones_like(x))
    assert found.value.isfinite().all()
    assert found.inputs[0].is_cuda


@pytest.mark.parametrize(
    ("cell", "reason"),
    [(WRONG_INDEX, "crashed"), (FOREVER, "timeout"), (EVERYTHING, "out_of_memory")],
)
def test_one_that_spoils_the_gpu_ends_and_the_next_is_unharmed(start, cell, reason):
    spoils = start(cell)
    with pytest.raises(StudentDied) as died:
        spoils.call("f", [torch.ones(3, device="cuda")])
    assert died.value.reason == reason
    spoils.close()
    works(start(DOUBLE))


def test_two_at_once_get_a_part_each():
    with Sandbox("required", LIMITS, PACKAGES, connections=2, gpu=find_gpu(slots=3)) as sandbox:
        greedy, modest = (sandbox.connect(index).start_worker() for index in range(2))
        for worker, cell in ((greedy, HALF), (modest, DOUBLE)):
            assert worker.run_cell(cell).error is None
        with pytest.raises(StudentDied) as died:
            greedy.call("f", [torch.ones(3, device="cuda")])
        assert died.value.reason == "out_of_memory"
        works(modest)


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/proc/1/environ').read()",
        "open('/proc/1/cmdline').read()",
        "os.listdir('/proc')",
        "os.listdir('/sys')",
        "open('/etc/passwd').read()",
        "os.listdir('/root')",
        "open('/dev/mem', 'rb').read(1)",
        "os.kill(os.getpid() + 1, 0)",
        "os.fork()",
        "__import__('socket').socket()",
    ],
)
def test_a_gpu_opens_no_other_door(start, attempt):
    worker = start()
    outcome = worker.run_cell(f"import os\nanswer = {attempt}")
    assert outcome.error is not None
    assert outcome.error.builtin in ("PermissionError", "FileNotFoundError", "OSError"), outcome
