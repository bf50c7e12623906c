"""Messages between a caller and the grading process: JSON, whole or not at all."""

import json
import socket
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any

from autograder.course import Assignment, Course, Exercise


@dataclass(frozen=True)
class Ended:
    """How a worker ended.

    Attributes:
        exercise: the exercise that it was on; empty where it was on none.
        what: what of the exercise, such as a hidden test.
        why: how it ended, in words that go on after `what`.
        is_certain: whether any other would end in the same way there, so that none need try.
    """

    exercise: str
    what: str
    why: str
    is_certain: bool


def send(connection: Connection, message: dict[str, Any]) -> None:
    """Send one JSON message."""
    connection.send_bytes(json.dumps(message).encode())


def receive(connection: Connection) -> dict[str, Any]:
    """Wait for one JSON message; EOFError when the other side is gone."""
    return json.loads(connection.recv_bytes())


def send_line(connection: Connection, line: socket.socket) -> None:
    """Hand a socket over to the other side, which has one more end of it then."""
    with socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as carrier:
        socket.send_fds(carrier, [b"."], [line.fileno()])


def receive_line(connection: Connection) -> Connection:
    """Wait for a socket that the other side hands over; EOFError when that is gone."""
    with socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as carrier:
        _, descriptors, _, _ = socket.recv_fds(carrier, 1, 1)
    if not descriptors:
        raise EOFError
    return Connection(descriptors[0])


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
        "packages": course.packages.names(),
        "limits": asdict(course.limits.limits()),
        "bounds": asdict(course.grading.bounds()),
        "cuda_points": course.devices.cuda_points,
        "aspects": list(course.feedback.aspects),
        "device": device,
        "gpu_slots": course.devices.gpu_slots,
        "secret": course.secret.hex(),
    }
    yield {"assignments": [_describe(assignment) for assignment in assignments]}


def read_assignment(described: dict[str, Any]) -> Assignment:
    """An assignment as `describe_setup` tells it."""
    exercises = tuple(Exercise(**fields) for fields in described["exercises"])
    return Assignment(described["name"], exercises)


def _describe(assignment: Assignment) -> dict[str, Any]:
    exercises = [asdict(one) for one in assignment.exercises]
    return {"name": assignment.name, "exercises": exercises}
