"""The one interface behind which every form of the sandbox stands.

A backend starts what student code runs in. Each grading process takes one source of it, which
starts a process for each submission, one after the other, with a channel to it.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits


class Refused(Exception):
    """This form of the sandbox does not work here; the text says why."""


class TimedOut(Exception):
    """The deadline has passed."""


class Closed(Exception):
    """The other side has hung up."""


class Channel(Protocol):
    """The line to a submission's process: frames, each with a deadline.

    Every method raises SandboxLost when what the process runs in is gone.
    """

    def send(self, buffers: Sequence[memoryview], deadline: float) -> None:
        """Send what `write_frame` made.

        Raises:
            TimedOut: the other side does not take it.
            Closed: the other side has hung up.
        """

    def receive(self, deadline: float) -> tuple[dict[str, Any], memoryview]:
        """The next frame.

        Raises:
            TimedOut, Closed: as `send`.
            Violation: what came is no frame.
        """

    def wait(self, seconds: float) -> bool:
        """Whether the other side says something, or hangs up, within this time."""

    def has_unread(self) -> bool:
        """Whether the other side has said something that was not asked for."""

    def close(self) -> None:
        """Hang up; may be repeated."""


class Process(Protocol):
    """One submission's process, seen from outside.

    Attributes:
        is_watched: whether no limit of the kernel's bounds its memory, so that somebody must look.
    """

    is_watched: bool

    def kill(self) -> None:
        """End it at once, whatever it does, and let go of it; may be repeated.

        Raises:
            SandboxLost: whether it has ended cannot be told.
        """

    def why_it_ended(self) -> StudentDied:
        """What its exit status says, when it ended by itself.

        Raises:
            SandboxLost: it ended because what it ran in has.
        """

    def peak_bytes(self) -> int:
        """The most memory it has held so far.

        Raises:
            ProcessLookupError: it has ended.
        """

    def holds_too_much(self) -> bool:
        """Whether it holds more memory than it may; asked of those that are watched.

        Raises:
            ProcessLookupError: it has ended.
        """

    def effort(self) -> tuple[float, bool]:
        """The processor seconds it has used so far, and whether it wants more just now.

        Raises:
            ProcessLookupError: it has ended.
        """


class Source(Protocol):
    """Where a grading process gets its submissions' processes from."""

    def start_process(self, limits: Limits) -> tuple[Process, Channel]:
        """A fresh process, which waits for its first frame.

        Raises:
            SandboxLost: what it would run in is gone.
        """


class Backend(Protocol):
    """One form of the sandbox.

    Attributes:
        isolation: what holds the student's code, once started.
        unusable: packages that do not work on the GPU that it reaches, and why not.
    """

    isolation: str
    unusable: dict[str, str]

    def launch(self) -> None:
        """Begin to start it, without waiting; `start` does so by itself.

        Raises:
            Refused: it does not work here; `close` tidies up.
        """

    def start(self) -> None:
        """Start all that submissions' processes come from.

        Raises:
            Refused: it does not work here; `close` tidies up.
        """

    def source(self, index: int, again: bool = False) -> Source:
        """The source of one grading process; each has its own index.

        Args:
            index: whose.
            again: the one before it with this index has died, maybe amid a word with its source.

        Raises:
            SandboxLost: what processes come from is gone.
        """

    def close(self) -> None:
        """End it, and every submission's process with it; may be repeated."""
