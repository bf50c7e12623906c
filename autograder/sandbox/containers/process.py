"""A submission's process in a container, and the channel to it, by way of the gateway there."""

from collections.abc import Sequence
from typing import Any

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox.containers.gateway import Gateway, Guest
from autograder.sandbox.ending import death_of
from autograder.sandbox.inside.frames import read_frame


class ContainerSource:
    """Starts processes in one container, one after the other; see `backend.Source`.

    Args:
        gateway: the container's gateway.
    """

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def start_process(self, limits: Limits) -> tuple["ContainerProcess", "ContainerChannel"]:
        """A fresh process; one that is still there is ended before."""
        guest = self._gateway.open(limits)
        channel = ContainerChannel(self._gateway, guest, limits.reply_bytes)
        return ContainerProcess(self._gateway, guest), channel


class ContainerProcess:
    """A submission's process in a container; see `backend.Process`.

    Args:
        gateway: the container's gateway.
        guest: the process as the gateway knows it.
    """

    is_watched = False

    def __init__(self, gateway: Gateway, guest: Guest) -> None:
        self._gateway = gateway
        self._guest = guest

    def holds_too_much(self) -> bool:
        """Never: a limit of the kernel's sees to it."""
        return False

    def kill(self) -> None:
        """End it, and wait until it has ended."""
        self._gateway.end(self._guest)

    def why_it_ended(self) -> StudentDied:
        """What its exit status says."""
        if self._guest.killed or self._guest.status is None:
            return StudentDied("crashed", "the submission's process was closed")
        return death_of(self._guest.status)

    def peak_bytes(self) -> int:
        """The most memory it has held so far."""
        if self._guest.status is None and (peak := self._gateway.peak_bytes(self._guest)):
            return peak
        raise ProcessLookupError("the process has ended")

    def effort(self) -> tuple[float, bool]:
        """The processor seconds it has used so far, and whether it wants more just now."""
        if self._guest.status is None and (effort := self._gateway.effort(self._guest)):
            return effort
        raise ProcessLookupError("the process has ended")


class ContainerChannel:
    """Frames by way of a container's gateway; see `backend.Channel`.

    Args:
        gateway: the container's gateway.
        guest: the process as the gateway knows it.
        reply_bytes: a frame with more bytes of tensors than this is refused.
    """

    def __init__(self, gateway: Gateway, guest: Guest, reply_bytes: int) -> None:
        self._gateway = gateway
        self._guest = guest
        self._reply_bytes = reply_bytes

    def send(self, buffers: Sequence[memoryview], deadline: float) -> None:
        """Send what `write_frame` made."""
        for buffer in buffers:
            rest = buffer
            while rest.nbytes:
                rest = rest[self._gateway.send(self._guest, rest, deadline) :]

    def receive(self, deadline: float) -> tuple[dict[str, Any], memoryview]:
        """The next frame."""

        def fill(buffer: memoryview) -> None:
            while buffer.nbytes:
                buffer = buffer[self._gateway.read_into(self._guest, buffer, deadline) :]

        return read_frame(fill, self._reply_bytes)

    def wait(self, seconds: float) -> bool:
        """Whether it says something, or ends, within this time."""
        return self._gateway.wait(self._guest, seconds)

    def has_unread(self) -> bool:
        """Whether it has said something that was not asked for."""
        return self._gateway.has_unread(self._guest)

    def close(self) -> None:
        """Nothing to do: killing the process hangs up too."""
