"""Ways to run code other than to call it once, in the sandbox or in this very process."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from autograder.checks.kit.local_student import LocalModule, LocalStudent
from autograder.student.remote import RemoteStudent
from autograder.tensors.inside.fresh import (
    count_waits,
    device_made_on,
    gradients_left,
    in_one_graph,
    run_fresh,
)

Student = RemoteStudent | LocalStudent


def fresh_runs(
    student: Student,
    target: Any,
    shape: Sequence[int],
    dtype: torch.dtype,
    device: str,
    seeds: Sequence[int],
    inputs: int = 1,
    **options: Any,
) -> tuple[Any, float]:
    """What the target gives for inputs that are drawn as each run begins.

    Args:
        student: the student's code.
        target: a name of the student's, or a module that a call returned.
        shape: of the inputs, (batch, ...).
        dtype: of the inputs.
        device: where they are drawn.
        seeds: one a run.
        inputs: how many each call takes.
        options: keyword arguments of every call.

    Returns:
        what the student's process says that `tensors.inside.fresh.run_fresh` gave, and the seconds
        from the question to the answer, by our own clock.
    """
    arguments = [list(shape), dtype, device, list(seeds), inputs, options]
    return _fresh(student, "runs", run_fresh, target, arguments)


def waits_of(student: Student, target: Any, x: torch.Tensor, **options: Any) -> Any:
    """How often the student's process says that a call waits for its GPU."""
    return _fresh(student, "waits", count_waits, target, [x, options])[0]


def in_a_graph(student: Student, target: Any, x: torch.Tensor, **options: Any) -> Any:
    """What a call gives that PyTorch's compiler has taken as one graph."""
    return _fresh(student, "graph", in_one_graph, target, [x, options])[0]


def made_on(student: Student, target: Any, default: str, *arguments: Any) -> Any:
    """The kind of device that what a call gives is on where torch's default device is another.

    Args:
        student: the student's code.
        target: a name of the student's, or a module that a call returned.
        default: torch's default device during the call, such as "meta".
        arguments: of the call.
    """
    return _fresh(student, "default device", device_made_on, target, [*arguments, default])[0]


def gradients_held(student: Student, module: Any) -> Any:
    """The gradients that the student's process says a module's parameters hold, by their names."""
    return _fresh(student, "gradients", gradients_left, module, [])[0]


def _fresh(
    student: Student, way: str, run: Callable[..., Any], target: Any, arguments: list[Any]
) -> tuple[Any, float]:
    if isinstance(student, RemoteStudent):
        return student.run_fresh(way, target, arguments)
    call = target.module if isinstance(target, LocalModule) else student.value(target)
    start = time.perf_counter()
    found = student._call(lambda: run(call, *arguments), (), {})
    return found, time.perf_counter() - start
