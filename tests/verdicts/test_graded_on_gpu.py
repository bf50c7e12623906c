"""Grading on a GPU by the real path: marks that waited are completed, and slow answers are told."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.proof import known_answers
from autograder.sandbox.gpu import why_no_gpu
from autograder.verdicts import ExerciseVerdict, Grader, Submission

pytestmark = pytest.mark.skipif(why_no_gpu() is not None, reason="no GPU is here")

FUSED = "05-fused-attention"
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
    assert not any("CUDA" in note for note in grader.notes)


def test_attention_written_out_is_slow_and_too_large(course: Course, grader: Grader) -> None:
    reference = next(known_answers(course, course.assignment(FUSED)))
    cells = tuple(
        (name, source + WRITTEN_OUT if name == "FusedMultiHeadAttention" else source)
        for name, source in reference.cells
    )
    found = graded(grader, Submission("ben", FUSED, cells))["FusedMultiHeadAttention"]
    failed = {test.name for test in found.tests if test.outcome == "failed"}
    assert {"no_table_is_made_on_a_long_sequence", "it_is_worth_running_on_a_gpu"} <= failed
    assert "every_dtype_keeps_its_precision" not in failed
