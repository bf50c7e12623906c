"""Has a forked child answer what stand-ins ask, within memory and time of its own."""

import gc
import os
import resource
import signal
import socket
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from autograder.checks.kit.values import values
from autograder.judging.library import library
from autograder.sandbox.backend import Closed, TimedOut
from autograder.sandbox.channel import SocketChannel
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.inside.frames import Violation, framed, read_frame, written

MOST_QUESTIONS = 20_000  # in one run; a training run asks some 4,000
MOST_BYTES = 32 << 20  # of a question's tensors, or an answer's
MEMORY_BYTES = 1 << 30  # beyond what the child is forked with
PATIENCE = 4  # times as long by the clock, where the machine is busy
FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)  # no question ends the child so


class ForkedAnswerer:
    """Answers questions about right answers; see `sandbox.dialogue.Answerer`.

    The child is forked at the first question, and anew when it has ended over one.

    Args:
        parts: the right answers by exercise.
    """

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self._parts = parts
        self._child: int | None = None
        self._channel: SocketChannel | None = None
        self._count = 0

    def answer(
        self, question: dict[str, Any], blob: memoryview, seconds: float
    ) -> tuple[list[memoryview], float]:
        """The frame of the answer, and the processor seconds that it took.

        Raises:
            TimedOut: it takes longer.
            Violation: it cannot be passed on.
            SandboxLost: something else has ended the child, and with it the modules it had made.
        """
        self._count += 1
        if self._count > MOST_QUESTIONS:
            return _refused("too many questions"), 0.0
        asked = _passed_on(question, blob, seconds)
        if self._channel is None:
            self._fork()
        assert self._channel is not None
        deadline = time.monotonic() + PATIENCE * seconds
        try:
            self._channel.send(asked, deadline)
            answer, blob = self._channel.receive(deadline)
        except TimedOut:
            self.close()
            raise
        except Closed:
            status = self.close()
            if status == -signal.SIGPROF:
                raise TimedOut from None
            if status in FROM_OUTSIDE:
                raise SandboxLost("Something ended the process that answers for us.") from None
            return _refused("a question that cannot be answered"), 0.0
        took = answer.pop("took")
        return framed(written(answer), [blob]), took

    def close(self) -> int | None:
        """End the child, if there is one; its exit status."""
        if self._channel is None or self._child is None:
            return None
        self._channel.close()
        with suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)
        _, status = os.waitpid(self._child, 0)
        self._child = self._channel = None
        return os.waitstatus_to_exitcode(status)

    def _fork(self) -> None:
        ours, theirs = socket.socketpair()
        self._child = os.fork()
        if not self._child:
            _serve(theirs.detach(), self._parts)
        theirs.close()
        self._channel = SocketChannel(ours, MOST_BYTES)


def _passed_on(question: dict[str, Any], blob: memoryview, seconds: float) -> list[memoryview]:
    """The frame of a question: what could be read need not be what can be written."""
    try:
        return framed(written({"question": question, "seconds": seconds}), [blob])
    except (ValueError, RecursionError) as error:
        raise Violation("a question that cannot be passed on") from error


def _refused(why: str) -> list[memoryview]:
    return framed(written({"raised": "RuntimeError", "message": why}), ())


def _serve(line: int, parts: Mapping[str, Any]) -> NoReturn:
    """Answer until the other side hangs up."""
    try:
        os.closerange(3, line)
        os.closerange(line + 1, 1 << 16)
        _bound_memory()
        gc.freeze()
        warnings.simplefilter("ignore")
        values().seed(0)
        answers = library().answers(parts)
        fill = _filling(line)
        while True:
            asked, blob = read_frame(fill, MOST_BYTES)
            signal.setitimer(signal.ITIMER_PROF, max(asked["seconds"], 0.001))
            start = time.process_time()
            answer, encoder = answers.answer(asked["question"], blob)
            if sum(part.nbytes for part in encoder.parts) > MOST_BYTES:
                answer = {"raised": "MemoryError", "message": "what would come back is too large"}
                encoder = type(encoder)(lambda _: None)
            answer |= {"tensors": encoder.records, "took": time.process_time() - start}
            for buffer in framed(written(answer), encoder.parts):
                _write(line, buffer)
    finally:
        os._exit(0)


def _bound_memory() -> None:
    """Let this process add no more than MEMORY_BYTES to its address space, where that is known."""
    with suppress(OSError, ValueError):
        with open("/proc/self/statm") as file:
            size = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY_BYTES,) * 2)


def _filling(line: int) -> Any:
    def fill(buffer: memoryview) -> None:
        while buffer.nbytes:
            count = os.readv(line, [buffer])
            if not count:
                os._exit(0)
            buffer = buffer[count:]

    return fill


def _write(line: int, buffer: memoryview) -> None:
    rest = buffer.cast("B") if buffer.nbytes else buffer
    while rest.nbytes:
        rest = rest[os.write(line, rest) :]
