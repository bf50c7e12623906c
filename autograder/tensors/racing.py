"""Time against the reference on inputs nobody has seen, by a clock that no student reaches."""

import inspect
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.checks.kit.local_student import LocalStudent
from autograder.judging.answers import reference_source, solution_module, student_with
from autograder.judging.assertions import Wrong
from autograder.judging.draw import Draw
from autograder.judging.tolerance import FLOORS
from autograder.student import RemoteStudent
from autograder.tensors.fresh import fresh_runs

LARGEST_SEED = 2**31 - 1
HOPELESS_ROUNDS = 2
ALONE = 3  # rounds of the reference before anything is asked of the student's process
ASTRAY = "Fast runs on fresh inputs do not give what single calls give."

Build = Callable[[Any], Any]


def reference_student(student: RemoteStudent | LocalStudent, exercise: str) -> Any:
    """A student who has handed in the reference, in a process like that of this one."""
    if isinstance(student, RemoteStudent):
        return student.run_ours(inspect.getsource(solution_module(exercise)))
    return student_with(exercise, reference_source(exercise))


def slowdown(
    student: Any,
    exercise: str,
    build: Build,
    draw: Draw,
    shape: Sequence[int],
    dtype: torch.dtype,
    device: str,
    rounds: int = 7,
    runs: int = 16,
    inputs: int = 1,
    hopeless: float = math.inf,
    **options: Any,
) -> float:
    """How many times as long as the reference an answer takes.

    Both run in processes of their own and take turns, after the reference has run alone and a round
    that does not count. The middle of the answer's times is held to the reference's best, which
    code that goes on working during the other's turns cannot spoil so easily. All that they know of
    an input is a seed that has just been told. What comes back is compared, so that stale, skipped
    or coarser work is found, and work that is put off is waited for.

    Args:
        student: whose answer it is.
        exercise: the exercise's name.
        build: makes the module or gives the name to run, of a student.
        draw: gives the seeds.
        shape: of each input and of the output, (batch, ...).
        dtype: of the inputs.
        device: where they are drawn.
        rounds: how often the two take turns.
        runs: calls in a round.
        inputs: how many each call takes.
        hopeless: how many times as long two rounds may take before no more are run, so that the
            seconds of a submission are left for other tests.
        options: keyword arguments of every call.

    Raises:
        Wrong: what comes out is not what the reference gives.
        RuntimeError: the reference stops, which is no fault of the answer's.
    """
    with _ours():
        reference = reference_student(student, exercise)
        ours = build(reference)
    allowed, took = [], []
    drawn = shape, dtype, device

    def expected(seeds: list[int]) -> Tensor:
        with _ours():
            wanted, seconds = fresh_runs(reference, ours, *drawn, seeds, inputs, **options)
        allowed.append(seconds)
        return wanted

    for seeds in _seeds(draw, ALONE, runs):
        expected(seeds)
    theirs = build(student)
    for seeds in _seeds(draw, rounds + 1, runs):
        wanted = expected(seeds)
        found, seconds = fresh_runs(student, theirs, *drawn, seeds, inputs, **options)
        took.append(seconds)
        _compare(found, wanted, dtype)
        if len(took) == HOPELESS_ROUNDS and min(took) > hopeless * min(allowed):
            return min(took) / min(allowed)
    return statistics.median(took[1:]) / min(allowed)


@contextmanager
def _ours() -> Iterator[None]:
    """What happens to our own code is nothing that a student has done."""
    try:
        yield
    except (StudentDied, StudentError) as error:
        raise RuntimeError(f"the reference stops: {error}") from error


def _seeds(draw: Draw, rounds: int, runs: int) -> Iterator[list[int]]:
    for _ in range(rounds):
        yield [draw.integer(0, LARGEST_SEED) for _ in range(runs)]


def _compare(found: object, wanted: Tensor, dtype: torch.dtype) -> None:
    """Hold what comes back to the reference's, in units of the output's length.

    An error moves the product with a random direction by about its own length, so that one of the
    products would show an output that is off by the policy's floor. Neither is held to float64:
    that many runs of that size would take a CPU minutes. Graders that ask for values do it.

    Raises:
        Wrong: it is something else.
    """
    if not isinstance(found, Tensor) or (found.shape, found.dtype, found.device) != (
        wanted.shape,
        wanted.dtype,
        wanted.device,
    ):
        raise Wrong(ASTRAY)
    error = (found.double() - wanted.double()).abs()
    floor = FLOORS[str(dtype).removeprefix("torch.")]
    if not bool((error <= floor * wanted[:, 1:].double()).all()):
        raise Wrong(ASTRAY)
