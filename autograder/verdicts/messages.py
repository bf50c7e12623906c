"""Messages between a caller and the grading process: JSON, whole or not at all."""

import json
from multiprocessing.connection import Connection
from typing import Any

from autograder.course import Assignment


def send(connection: Connection, message: dict[str, Any]) -> None:
    """Send one JSON message."""
    connection.send_bytes(json.dumps(message).encode())


def receive(connection: Connection) -> dict[str, Any]:
    """Wait for one JSON message; EOFError when the other side is gone."""
    return json.loads(connection.recv_bytes())


def describe_assignment(assignment: Assignment) -> dict[str, Any]:
    """An assignment as JSON values, for the set-up message."""
    exercises = [[one.name, one.points, one.kind] for one in assignment.exercises]
    return {"name": assignment.name, "exercises": exercises}
