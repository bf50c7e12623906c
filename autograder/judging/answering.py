"""What right answers to earlier exercises give: answers questions, and believes nothing of them.

This runs in a process of its own, with memory and time of its own. A question is looked at as any
frame of a student's is. Questions with tensors are answered by `autograder.tensors.answering`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from autograder.checks.kit.drawn import DrawnAxes, closing_figures, described
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.encoding import Encoder
from autograder.sandbox.inside.failure import OUT_OF_MEMORY, describe
from autograder.sandbox.inside.frames import Violation


class Answers:
    """What right answers give.

    Args:
        parts: the right answers by exercise.
    """

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = parts
        self.ways: dict[str, Callable[[dict[str, Any], Decoder], Any]] = {
            "call": self.call,
            "draw": self._draw,
        }

    def answer(self, frame: dict[str, Any], blob: memoryview) -> tuple[dict[str, Any], Encoder]:
        """The answer to one question, whatever it is: a value, or what was raised."""
        encoder = Encoder(lambda _: None, drawing_of=_drawing_of)
        try:
            question = frame["ask"]
            given = Decoder(frame["tensors"], blob, _no_module, owns=True)
            found = self.ways[question["way"]](question, given)
            return {"answer": encoder.encode(self.sendable(found))}, encoder
        except BaseException as error:  # whatever a question breaks is told to who asks
            return _raised(error), Encoder(lambda _: None)

    def call(self, question: dict[str, Any], given: Decoder) -> Any:
        """What a right answer gives for these arguments."""
        (_, args, kwargs), *_ = given.decode(question["given"])
        return self.parts[question["part"]](*args, **kwargs)

    def sendable(self, found: Any) -> Any:
        """What comes back, as it can be sent."""
        return found

    def _draw(self, question: dict[str, Any], given: Decoder) -> Any:
        args, kwargs = given.decode(question["given"])
        with closing_figures():
            return described(self.parts[question["part"]](*args, **kwargs))


def _drawing_of(value: Any) -> dict[str, Any] | None:
    return asdict(value) if isinstance(value, DrawnAxes) else None


def _no_module(_: int) -> Any:
    raise Violation("a module")


def _raised(error: BaseException) -> dict[str, Any]:
    told = describe(error)
    kind = "MemoryError" if told["reason"] == OUT_OF_MEMORY else told["builtin"]
    return {"raised": kind, "message": told["message"]}
