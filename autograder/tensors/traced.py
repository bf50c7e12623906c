"""A call and the operations that ran during it, in the sandbox or in this very process.

The recording is what the student's process says. `tensors.structure` runs it again before it counts
anything.
"""

from typing import Any

from autograder.checks.kit.local_student import LocalModule, LocalStudent
from autograder.student.remote import RemoteStudent
from autograder.tensors.inside.recording import record


def traced(
    student: RemoteStudent | LocalStudent, target: Any, *args: Any, **kwargs: Any
) -> tuple[Any, dict[str, Any]]:
    """Call the target under a recording.

    Args:
        student: the student's code.
        target: a name of the student's, or a module that a call returned.
    Returns:
        the value, and the recording of `tensors.inside.recording`, which nobody has checked.
    """
    if isinstance(student, RemoteStudent):
        return student.traced(target, *args, **kwargs)
    call = target.module if isinstance(target, LocalModule) else student.value(target)
    kept: list[dict[str, Any]] = []

    def recorded(*given: Any, **named: Any) -> Any:
        value, recording = record(call, list(given), named)
        kept.append(recording)
        return value

    value = student._call(recorded, args, kwargs)
    return value, kept[0]
