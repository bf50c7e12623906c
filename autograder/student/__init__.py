"""The `student` that graders and visible checks call: in the sandbox, or in this very process."""

from autograder.checks.kit.errors import Gradients, MissingName, StudentDied, StudentError
from autograder.checks.kit.local_student import LocalStudent
from autograder.student.remote import RemoteModule, RemoteStudent

__all__ = [
    "Gradients",
    "LocalStudent",
    "MissingName",
    "RemoteModule",
    "RemoteStudent",
    "StudentDied",
    "StudentError",
]
