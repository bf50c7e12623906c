"""A claim about devices asks for the device alone, of the calls that run."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.checks.kit.local_student import LocalStudent
from autograder.judging import Wrong
from autograder.judging.properties import assert_leaves_inputs
from autograder.tensors.devices import ON_THE_CPU, READ_BACK, assert_stays_on_meta


def asked(answer: Callable[..., object], *sizes: tuple[int, int], reading: bool = True) -> None:
    """Ask where the answer's result is, for a tensor of each size."""
    student: Any = LocalStudent({"answer": answer})

    def call(size: tuple[int, int]) -> Callable[[str], object]:
        return lambda device: student.answer(torch.ones(size, device=device))

    assert_stays_on_meta(*map(call, sizes or ((2, 3),)), reading=reading)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: x,
        lambda x: x.mT,
        lambda x: x.half(),
        lambda x: x.sum(),
        lambda x: (x, x[0]),
        lambda x: [x.bool()],
        lambda x: {"x": x, "rows": len(x)},
    ],
)
def test_any_shape_dtype_and_number_of_results_stays(answer: Callable[[Tensor], object]) -> None:
    asked(answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: torch.zeros(2, 3),
        lambda x: x + torch.arange(3),
        lambda x: x.cpu(),
        lambda x: x.numpy(),
        lambda x: torch.ones(2, 3).numpy(),
        lambda x: (x, torch.zeros(2)),
        lambda x: {"x": torch.zeros(2)},
    ],
)
def test_what_is_made_on_the_cpu_does_not(answer: Callable[[Tensor], object]) -> None:
    with pytest.raises(Wrong, match=ON_THE_CPU):
        asked(answer)


def test_nothing_is_nowhere() -> None:
    with pytest.raises(Wrong, match="gives back no tensor"):
        asked(lambda x: None)


def test_values_may_be_read_where_that_is_no_fault() -> None:
    asked(lambda x: x * x.max().item())
    with pytest.raises(Wrong, match=READ_BACK):
        asked(lambda x: x * x.max().item(), reading=False)


def test_a_call_that_stops_on_the_cpu_leaves_it_to_the_others() -> None:
    asked(lambda x: x @ x, (2, 3), (3, 3))
    with pytest.raises(Wrong, match=ON_THE_CPU):
        asked(lambda x: (x @ x).cpu(), (2, 3), (3, 3))


def test_code_that_always_stops_shows_nothing() -> None:
    with pytest.raises(StudentError):
        asked(lambda x: x @ x, (2, 3), (4, 5))


def test_code_that_stops_elsewhere_alone_is_tied_to_the_cpu() -> None:
    def answer(x: Tensor) -> Tensor:
        if x.device.type != "cpu":
            raise OSError("the CPU, please")
        return x

    with pytest.raises(StudentError, match="the CPU, please"):
        asked(answer)


def test_a_name_that_is_missing_is_said_to_be_missing() -> None:
    student: Any = LocalStudent({})
    with pytest.raises(MissingName):
        assert_stays_on_meta(lambda device: student.answer(), reading=True)


def test_inputs_are_looked_at_in_the_calls_that_run() -> None:
    def answer(x: Tensor) -> Tensor:
        product = x @ x
        x.zero_()
        return product

    student: Any = LocalStudent({"answer": answer})
    wide, square = (
        (lambda: student.answer(torch.ones(2, 3))),
        (lambda: student.answer(torch.eye(3))),
    )
    with pytest.raises(Wrong, match="changes a tensor"):
        assert_leaves_inputs(student, wide, square)
    with pytest.raises(StudentError):
        assert_leaves_inputs(student, wide)
