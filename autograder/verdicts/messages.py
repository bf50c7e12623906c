"""Messages between a caller and the grading process: JSON, whole or not at all."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, astuple
from multiprocessing.connection import Connection
from typing import Any

from autograder.course import Assignment, Course


def send(connection: Connection, message: dict[str, Any]) -> None:
    """Send one JSON message."""
    connection.send_bytes(json.dumps(message).encode())


def receive(connection: Connection) -> dict[str, Any]:
    """Wait for one JSON message; EOFError when the other side is gone."""
    return json.loads(connection.recv_bytes())


def describe_setup(
    course: Course, assignments: Iterable[Assignment], device: str, policy: str
) -> Iterator[dict[str, Any]]:
    """What a grading process grades with, as JSON values: its first two messages.

    The first tells where student code runs, so that the sandbox starts while the second is made.

    Args:
        course: gives limits, secret and settings.
        assignments: those that will be graded; read for the second message only.
        device: whose tests to run, `cpu` or `cuda`; the others stay pending.
        policy: the sandbox policy.
    """
    yield {
        "root": str(course.root),
        "policy": policy,
        "image": course.sandbox.image,
        "engine": course.sandbox.engine,
        "limits": asdict(course.limits.limits()),
        "cuda_points": course.devices.cuda_points,
        "device": device,
        "gpu_slots": course.devices.gpu_slots,
        "secret": course.secret.hex(),
    }
    yield {"assignments": [_describe(assignment) for assignment in assignments]}


def _describe(assignment: Assignment) -> dict[str, Any]:
    exercises = [list(astuple(one)) for one in assignment.exercises]
    return {"name": assignment.name, "exercises": exercises}
