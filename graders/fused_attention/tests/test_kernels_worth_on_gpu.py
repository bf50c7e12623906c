"""What graders on a GPU ask of triton_attention, asked here of the interpreter, in the sandbox.

Right answers pass but for their time, which no test goes by. In bfloat16 the interpreter multiplies
wrongly, so that this dtype is left to a GPU.
"""

import pytest
import torch
from course_packages import PACKAGES

from autograder.bank import mistakes, variants
from autograder.course.limits import Limits
from autograder.judging import Wrong
from autograder.judging.answers import reference_source, source_of
from autograder.judging.draw import Draw
from autograder.sandbox import Sandbox
from autograder.tensors.racing import ASTRAY
from graders.fused_attention.triton_attention import hidden_on_gpu as triton_on_gpu
from graders.fused_attention.triton_attention.hidden_on_gpu import (
    assert_own_work,
    assert_precise,
    test_a_kernel_is_worth_running_on_a_gpu,
    times_the_reference,
)

pytestmark = pytest.mark.slow

pytest.importorskip("triton")

EXERCISE = "triton_attention"
graded = test_a_kernel_is_worth_running_on_a_gpu
del test_a_kernel_is_worth_running_on_a_gpu  # else pytest would run it here
SHAPE = (2, 40, 16)
RIGHT = {"reference": reference_source(EXERCISE)} | {
    one.name: source_of(one) for one in variants(EXERCISE)
}
MISTAKES = {one.slug: source_of(one) for one in mistakes(EXERCISE)}
# What is put around the reference, so that it looks fast.
PRETENCE = """
import torch
_plain, _kept = triton_attention, {{}}
def triton_attention(q, k, v, is_causal=False):
    {}
"""
CHEATS = {
    "half of the keys": "return _plain(q, k[..., :20, :], v[..., :20, :])",
    "one head for all": "return _plain(q[:1], k[:1], v[:1]).expand_as(q).clone()",
    "eight bits": "return _plain(*(x.to(torch.float8_e4m3fn).to(x.dtype) for x in (q, k, v)))",
    "zeros": "return torch.zeros_like(q)",
    "kept": "return _kept.setdefault(q.shape, _plain(q, k, v))",
}
BY_PYTORCH = {
    "its own attention": "return torch.nn.functional.scaled_dot_product_attention(q, k, v)",
    "a product": "return _plain(q, k, v) if q.ndim > 3 else (q @ k.mT / 8).softmax(-1) @ v",
}

LIMITS = Limits(call_seconds=60, memory_bytes=1 << 30)


@pytest.fixture(scope="module")
def connection():
    with Sandbox(limits=LIMITS, packages=PACKAGES) as sandbox:
        yield sandbox.connect()


def draw():
    return Draw(b"a secret", "worth")


def raced(student):
    return times_the_reference(student, draw(), "cpu", SHAPE, rounds=2, runs=1)


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_give_what_is_asked(student_of, name, monkeypatch):
    monkeypatch.setattr(triton_on_gpu, "LENGTHS", (9, 33, 40))
    student = student_of(RIGHT[name])
    assert_precise(student, draw(), "cpu", (torch.float32, torch.float16))
    assert_own_work(student, draw(), "cpu")
    raced(student)  # raises where fresh inputs give something else


@pytest.mark.parametrize("slug", ["sum-not-rescaled", "no-scale", "is-causal-ignored"])
def test_mistakes_are_seen(student_of, slug):
    with pytest.raises(Wrong, match="wrong"):
        assert_precise(student_of(MISTAKES[slug]), draw(), "cpu", (torch.float16,))


@pytest.mark.parametrize("name", CHEATS)
def test_what_looks_fast_is_found_by_fresh_inputs(student_of, name):
    with pytest.raises(Wrong, match=ASTRAY):
        raced(student_of(PRETENCE.format(CHEATS[name])))


@pytest.mark.parametrize("name", BY_PYTORCH)
def test_what_pytorch_computes_is_no_kernels_work(student_of, name):
    with pytest.raises(Wrong, match="PyTorch's operations compute it"):
        assert_own_work(student_of(PRETENCE.format(BY_PYTORCH[name])), draw(), "cpu")


@pytest.mark.parametrize(("times", "passes"), [(49.9, True), (50.1, False)])
def test_a_kernel_may_take_fifty_times_as_long(student_of, monkeypatch, times, passes):
    monkeypatch.setattr(triton_on_gpu, "times_the_reference", lambda *_: times)
    student = student_of(RIGHT["reference"])
    if passes:
        graded(student, "cpu", draw())
    else:
        with pytest.raises(Wrong, match="takes 50 times as long as the reference"):
            graded(student, "cpu", draw())
