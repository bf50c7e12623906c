"""What an exit status is made of: a reason for a person, and nothing that the code may choose."""

import pytest

from autograder.checks.kit.errors import StudentDied
from autograder.sandbox.ending import death_of
from autograder.sandbox.inside.line import NO_MEMORY


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (-11, "crashed: signal 11 (SIGSEGV)"),
        (-6, "crashed: signal 6 (SIGABRT)"),
        (-9, "out_of_memory: killed, by the system or by itself"),
        (NO_MEMORY, "out_of_memory: too little memory to answer"),
    ],
)
def test_a_status_becomes_a_reason(status: int, told: str) -> None:
    assert str(death_of(status)) == told


def test_neither_an_exit_status_nor_an_odd_signal_is_told() -> None:
    statuses = [status for status in range(256) if status != NO_MEMORY]
    signals = [-number for number in range(34, 65)]
    ends: set[str] = {str(death_of(status)) for status in (*statuses, *signals)}
    assert ends == {"crashed: the process exited by itself", "crashed: a signal"}
    assert isinstance(death_of(0), StudentDied)
