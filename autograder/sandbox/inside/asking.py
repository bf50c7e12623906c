"""Asks the trusted side from within a call: what a right answer to an earlier exercise gives.

A question goes out on the line on which the answer to the present request will follow. All of this
is in reach of the student's code, which learns what a right answer to an exercise before its own
gives, and no more: who answers believes nothing of a question.
"""

import builtins
from collections.abc import Callable
from threading import Lock
from typing import Any

from .decoding import Decoder
from .encoding import Encoder
from .line import receive, send

_LINE = Lock()  # threads may ask at once


def ask(
    part: str,
    way: str,
    given: Any,
    *,
    drawing_of: Callable[[Any], Any] | None = None,
    **rest: Any,
) -> Any:
    """What the trusted side answers.

    Args:
        part: the earlier exercise.
        way: `call`, `pull`, `make` or `draw`.
        given: the arguments, as data.
        drawing_of: what an answered picture stands for.
        rest: what else belongs to the question, as JSON or, under `upstream`, as data.

    Raises:
        Exception: what a right answer raises for these arguments.
    """
    encoder = Encoder(lambda _: None)
    question = {"part": part, "way": way, "given": encoder.encode(given)} | rest
    if "upstream" in rest:
        question["upstream"] = encoder.encode(rest["upstream"])
    with _LINE:
        send({"ask": question, "tensors": encoder.records}, encoder.parts)
        answer, blob = receive()
    if "raised" in answer:
        kind = getattr(builtins, answer["raised"], RuntimeError)
        raise kind(answer["message"])
    pictures = {} if drawing_of is None else {"drawing_of": drawing_of}
    return Decoder(answer["tensors"], blob, _no_module, owns=True, **pictures).decode(
        answer["answer"]
    )


def _no_module(_: int) -> Any:
    raise RuntimeError("no module comes back from the trusted side")
