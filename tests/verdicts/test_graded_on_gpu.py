"""Grading on a GPU by the real path: marks that waited are completed, and slow answers are told."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.bank import mistakes, variants
from autograder.course import Course, load_course
from autograder.judging.answers import source_of
from autograder.proof import known_answers
from autograder.sandbox.gpu import why_no_gpu
from autograder.sandbox.inside.versions import is_installed
from autograder.verdicts import ExerciseVerdict, Grader, Submission

pytestmark = pytest.mark.skipif(why_no_gpu() is not None, reason="no GPU is here")

FUSED = "05-fused-attention"
HAS_TRITON = is_installed("triton", "3.7")
WRITTEN_OUT = """
class FusedMultiHeadAttention(FusedMultiHeadAttention):
    def forward(self, x, mask=None, is_causal=False):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).transpose(1, 3).unbind(2)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        seq = x.shape[1]
        if is_causal:
            causal = torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()
            mask = causal if mask is None else mask & causal
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = F.dropout(scores.softmax(-1), self.dropout, self.training)
        return self.out((weights @ v).transpose(1, 2).flatten(2))
"""


# Enqueued where nobody waits for it, behind a second of nothing.
ON_A_SIDE_STREAM = """
_plain = FusedMultiHeadAttention.forward

def _aside(self, x, mask=None, is_causal=False):
    if not x.is_cuda:
        return _plain(self, x, mask, is_causal)
    out, side = torch.zeros_like(x), torch.cuda.Stream()
    with torch.cuda.stream(side):
        torch.cuda._sleep(1 << 30)
        out.copy_(_plain(self, x, mask, is_causal))
    return out

FusedMultiHeadAttention.forward = _aside
"""


@pytest.fixture(scope="module")
def course(make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Course:
    return load_course(make_course(tmp_path_factory.mktemp("gpu") / "course"))


@pytest.fixture
def grader(course: Course) -> Iterator[Grader]:
    grader = Grader(course, device="cuda")
    yield grader
    grader.close()


def graded(grader: Grader, submission: Submission) -> dict[str, ExerciseVerdict]:
    return {one.exercise: one for one in grader.verdict(submission).exercises}


@pytest.mark.parametrize("name", ["03-causal-masking", "04-multi-head-attention", FUSED])
def test_the_reference_passes_everything(course: Course, grader: Grader, name: str) -> None:
    reference = next(known_answers(course, course.assignment(name)))
    found = graded(grader, Submission("ada", name, reference.cells))
    failed = [
        (one.exercise, test.name, test.outcome, test.symptom)
        for one in found.values()
        for test in one.tests
        if test.device != "person" and test.outcome != "passed"
    ]
    assert failed == []
    assert any(test.device == "cuda" for one in found.values() for test in one.tests)
    waits = [note for note in grader.notes if "CUDA" in note]
    assert waits == [] or not HAS_TRITON


def changed(
    course: Course, grader: Grader, exercise: str, change: Callable[[str], str]
) -> ExerciseVerdict:
    """What a change of the exercise's reference gets; others are empty, and take no time."""
    reference = next(known_answers(course, course.assignment(FUSED)))
    cells = tuple(
        (name, change(source) if name == exercise else source if name is None else "")
        for name, source in reference.cells
    )
    return graded(grader, Submission("ben", FUSED, cells))[exercise]


def failed_with(course: Course, grader: Grader, addition: str) -> set[str]:
    """The tests that fail when this stands below the reference of FusedMultiHeadAttention."""
    found = changed(course, grader, "FusedMultiHeadAttention", lambda source: source + addition)
    return {test.name for test in found.tests if test.outcome == "failed"}


def test_attention_written_out_is_slow_and_too_large(course: Course, grader: Grader) -> None:
    failed = failed_with(course, grader, WRITTEN_OUT)
    assert {"no_table_is_made_on_a_long_sequence", "it_is_worth_running_on_a_gpu"} <= failed
    assert "every_dtype_keeps_its_precision" not in failed


def test_work_on_a_side_stream_shows(course: Course, grader: Grader) -> None:
    assert "it_is_worth_running_on_a_gpu" in failed_with(course, grader, ON_A_SIDE_STREAM)


needs_triton = pytest.mark.skipif(not HAS_TRITON, reason="no Triton that compiles is here")
KERNEL, WORTH = "triton_attention", "a_kernel_is_worth_running_on_a_gpu"
# Right, and compiled anew at every call.
INSIDE = "always normalised, in a float32 tensor, kernel inside"
# What a GPU alone shows: without the argument, a card rounds float32 to 10 binary digits.
COARSE = ('tl.trans(k), input_precision="ieee")', "tl.trans(k))")


def kernel_failed(course: Course, grader: Grader, change: Callable[[str], str]) -> set[str]:
    """The tests on the GPU that fail for a change of the reference of triton_attention."""
    found = changed(course, grader, KERNEL, change)
    assert all(test.outcome != "pending" for test in found.tests)
    return {test.name for test in found.tests if test.device == "cuda" and test.outcome == "failed"}


@needs_triton
@pytest.mark.parametrize("name", [one.name for one in variants(KERNEL)])
def test_right_kernels_pass_compiled(course: Course, grader: Grader, name: str) -> None:
    source = next(source_of(one) for one in variants(KERNEL) if one.name == name)
    failed = kernel_failed(course, grader, lambda _: source)
    assert failed == ({WORTH} if name == INSIDE else set())


@needs_triton
@pytest.mark.parametrize("slug", ["no-scale", "is-causal-ignored", "sum-not-rescaled"])
def test_wrong_kernels_fail_compiled(course: Course, grader: Grader, slug: str) -> None:
    source = next(source_of(one) for one in mistakes(KERNEL) if one.slug == slug)
    assert "every_dtype_is_right_on_a_gpu" in kernel_failed(course, grader, lambda _: source)


@needs_triton
def test_coarse_products_show_on_a_gpu(course: Course, grader: Grader) -> None:
    failed = kernel_failed(course, grader, lambda source: source.replace(*COARSE))
    assert "every_dtype_is_right_on_a_gpu" in failed


@needs_triton
def test_pytorchs_arithmetic_is_no_kernel_on_a_gpu(course: Course, grader: Grader) -> None:
    by_pytorch = """

_kernels = triton_attention

def triton_attention(q, k, v, is_causal=False):
    if not q.is_cuda:
        return _kernels(q, k, v, is_causal)
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
"""
    assert WORTH in kernel_failed(course, grader, lambda source: source + by_pytorch)
