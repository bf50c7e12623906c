"""What the exit status of a submission's process says about how it ended."""

from autograder.checks.kit.errors import StudentDied
from autograder.sandbox.inside.line import NO_MEMORY

# Linux's numbers, whatever the machine that reads them: the process ran on Linux.
SIGNALS = {
    4: "SIGILL",
    5: "SIGTRAP",
    6: "SIGABRT",
    7: "SIGBUS",
    8: "SIGFPE",
    9: "SIGKILL",
    11: "SIGSEGV",
    13: "SIGPIPE",
    15: "SIGTERM",
    24: "SIGXCPU",
    25: "SIGXFSZ",
    31: "SIGSYS",
}
SIGKILL = 9


def death_of(status: int) -> StudentDied:
    """How a process ended, from its status as `os.waitstatus_to_exitcode` says it."""
    if status == NO_MEMORY:
        return StudentDied("out_of_memory", "too little memory to answer")
    if status >= 0:
        # Not the status itself: the code chooses it, and could tell a hidden input with it.
        return StudentDied("crashed", "the process exited by itself")
    if status == -SIGKILL:
        return StudentDied("out_of_memory", "killed, by the system or by itself")
    if -status not in SIGNALS:
        return StudentDied("crashed", "a signal")  # not which: the code chooses it, as above
    return StudentDied("crashed", f"signal {-status} ({SIGNALS[-status]})")
