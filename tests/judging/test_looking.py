"""What a student's process gives is looked at before anybody computes with it."""

import numpy as np
import pytest
import torch
from course_packages import PACKAGES

from autograder.course.limits import Limits
from autograder.judging import Wrong
from autograder.judging.looking import looking
from autograder.sandbox import Sandbox
from autograder.student.session import Cell, Session

Q, K = torch.zeros(2, 5, 6), torch.zeros(2, 7, 6)  # scores of (2, 5, 7)

SOURCE = """
import numpy as np
import torch
from torch import nn

GIVES = {
    "right": torch.rand(2, 5, 7),
    "a view": torch.rand(2, 7, 5).mT,
    "a column": torch.ones(40_000, 1),
    "a row": torch.ones(40_000),
    "on meta": torch.empty(2, 5, 7, device="meta"),
    "NumPy": np.ones((2, 5, 7), np.float32),
    "a NumPy column": np.ones((40_000, 1)),
    "transposed": torch.ones(2, 7, 5),
    "float8": torch.ones(2, 5, 7).to(torch.float8_e5m2),
    "text": "text",
}

def dot_product_scores(q, k):
    return GIVES[given]

def nothing_like_it():
    return torch.ones(1 << 11, 1 << 12, dtype=torch.bool)

class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.w_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        seq = x.shape[1]
        return self.w_v(x), x.new_ones(70, 70) if given == "a column" else x.new_ones(1, seq, seq)

def say(what):
    global given
    given = what
"""


@pytest.fixture(scope="module")
def student():
    with Sandbox(limits=Limits(), packages=PACKAGES) as sandbox:
        session = Session(sandbox.connect(), [Cell("cell", SOURCE)], {}, Limits())
        assert session.outcomes["cell"].error is None
        yield session.student
        session.close()


@pytest.fixture
def scores(student):
    """The student's scores as a hidden test gets them, of a kind by name."""

    def scores_of(kind):
        student.say(kind)
        return student.dot_product_scores(Q, K)

    with looking(student):
        yield scores_of


@pytest.mark.parametrize("kind", ["right", "a view"])
def test_what_was_promised_is_handed_on_as_it_is(scores, kind):
    found = scores(kind)
    assert type(found) is torch.Tensor
    assert (found.shape, found.dtype) == ((2, 5, 7), torch.float32)


def test_two_results_whose_broadcast_takes_gigabytes_are_never_broadcast(scores):
    column, row = scores("a column"), scores("a row")
    for compute in (torch.sub, torch.allclose, torch.Tensor.__eq__, torch.Tensor.__matmul__):
        with pytest.raises(Wrong, match="has the wrong shape"):
            compute(column, row)


def test_an_array_whose_broadcast_takes_gigabytes_is_never_broadcast(scores):
    column = scores("a NumPy column")
    for compute in (np.subtract, np.allclose, np.dot):
        with pytest.raises(Wrong, match="is a NumPy array; a tensor was promised"):
            compute(column, np.ones(40_000))


def test_the_form_of_what_is_refused_can_be_read(scores):
    column, far = scores("a column"), scores("on meta")
    assert (column.shape, column.dtype, column.ndim) == ((40_000, 1), torch.float32, 2)
    assert isinstance(column, torch.Tensor)
    assert far.is_meta


@pytest.mark.parametrize("use", [bool, float, repr, list, torch.sum, torch.Tensor.tolist])
def test_a_tensor_of_another_device_fails_whoever_reads_it(scores, use):
    far = scores("on meta")
    with pytest.raises(Wrong, match="is on the meta device; cpu was asked for"):
        use(far)


def test_a_small_result_of_another_shape_may_be_overlooked(scores):
    assert float(scores("transposed").sum()) == 70


@pytest.mark.parametrize(
    ("kind", "compute", "words"),
    [
        ("NumPy", lambda found: found.softmax(-1), "is a NumPy array; a tensor was promised"),
        ("text", lambda found: found.shape, "is a string; a tensor was promised"),
        ("float8", lambda found: found.max(), "holds float8_e5m2 values where float32 was"),
        ("transposed", lambda found: found @ torch.ones(7), "its last two axes are swapped"),
    ],
)
def test_who_stumbles_over_an_odd_form_is_told_what_is_odd(student, kind, compute, words):
    student.say(kind)
    with pytest.raises(Wrong, match=words), looking(student):
        compute(student.dot_product_scores(Q, K))


def test_who_stumbles_over_what_was_promised_is_at_fault(student):
    student.say("right")
    with pytest.raises(IndexError), looking(student):
        student.dot_product_scores(Q, K)[9]


def test_what_was_odd_in_one_test_is_forgotten_in_the_next(student):
    student.say("transposed")
    with looking(student):
        student.dot_product_scores(Q, K)
    with pytest.raises(IndexError), looking(student):
        raise IndexError


def test_what_a_module_gives_is_held_to_what_such_a_module_promises(student):
    student.say("a column")
    with looking(student):
        module = student.SelfAttention(4, 3, 6)
        output, weights = module(torch.zeros(1, 5, 4))
        output.sum()
        with pytest.raises(Wrong, match="second value you return has the wrong shape"):
            weights.sum()


def test_a_module_that_was_moved_promises_what_it_was_moved_to(student):
    student.say("right")
    with looking(student):
        module = student.SelfAttention(4, 3, 6)
        module.to(torch.float64)
        module.to("meta")
        output, _ = module(torch.zeros(1, 5, 4, dtype=torch.float64, device="meta"))
        assert type(output) is torch.Tensor


def test_a_large_result_of_what_nobody_promised_is_refused(student):
    with looking(student):
        found = student.nothing_like_it()
        with pytest.raises(Wrong, match="far more numbers"):
            found.sum()


def test_a_gradient_has_the_form_of_its_argument(student):
    student.say("right")
    with looking(student):
        found = student.grad("dot_product_scores", Q, K, upstream=torch.ones(2, 5, 7))
    assert found.inputs == (None, None)
