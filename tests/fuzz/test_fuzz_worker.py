"""Whatever a process answers, the trusted side has plain data, a student's error, or its death."""

import builtins
import resource
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hostile_peer import LIMITS, Forgery, HostilePeer
from hypothesis import example, given
from hypothesis import strategies as st
from json_pieces import JUNK, as_bytes, mangled
from plain_values import check_plain
from trying import cases
from wire_pieces import decodable, replies

from autograder.checks.kit.errors import Gradients, MissingName, StudentDied, StudentError
from autograder.sandbox.inside.frames import HEADER, MAGIC
from autograder.sandbox.outcomes import CellOutcome
from autograder.sandbox.worker import Answer, Method, ModuleHandle, Place, Worker

pytestmark = pytest.mark.slow

LONGEST = 2200  # characters of anything that a reader may be shown


def call(worker: Worker) -> Any:
    return worker.call("f", [torch.ones(2), 1], {"k": (2,)})


def grad(worker: Worker) -> Any:
    return worker.grad("f", [torch.ones(2)], {"k": 1}, upstream=torch.ones(2))


def call_method(worker: Worker) -> Any:
    return worker.call(Method(ModuleHandle(worker, 3), "forward"), [torch.ones(2)])


REQUESTS: list[Callable[[Worker], Any]] = [
    lambda worker: worker.run_cell("x = 1", place=Place("x", ("x",), ("x",))),
    lambda worker: worker.judged(["x"], 1),
    call,
    call_method,
    grad,
    lambda worker: worker.value("q1"),
    lambda worker: worker.seed(3),
    lambda worker: worker.peak_bytes(),
]


RARELY = st.sampled_from([False] * 9 + [True])


def forgeries() -> st.SearchStrategy[Forgery]:
    whole = st.builds(lambda sent, stays: Forgery(*sent, stays=stays), replies(), RARELY)
    torn = st.builds(
        lambda sent, *more: Forgery(*sent, None, *more),
        replies(),
        st.sampled_from([-3, 0, 7, 2**31, 2**32 - 1]),
        st.sampled_from([-64, 0, 1, 64, 2**20, 2**40, 2**63]),
    )
    raw = st.builds(lambda sent: Forgery(None, raw=as_bytes(sent[0])), replies()) | st.builds(
        lambda text: Forgery(None, raw=HEADER.pack(MAGIC, len(text), 0) + text),
        replies().map(lambda sent: as_bytes(sent[0])).flatmap(mangled),
    )
    other = st.builds(lambda reply, number: Forgery(reply | {"id": number}), FIELDS, JUNK)
    return whole | whole | whole | torn | raw | other | st.builds(Forgery, JUNK)


FIELDS = replies().map(lambda sent: sent[0])


def check(forgery: Forgery, request: Callable[[Worker], Any]) -> None:
    start = time.monotonic()
    with HostilePeer(forgery) as worker:
        try:
            outcome = request(worker)
        except (StudentError, StudentDied) as told:
            check_told(told, worker)
        else:
            check_outcome(outcome)
        with pytest.raises((StudentError, StudentDied)):
            worker.value("again")  # the peer has hung up, or says nothing more
        assert worker.death is not None
    assert time.monotonic() - start < 10 * LIMITS.submission_seconds


def check_told(told: StudentError | StudentDied, worker: Worker) -> None:
    if isinstance(told, StudentDied):
        assert told.reason in ("timeout", "out_of_memory", "crashed", "protocol", "process")
        check_text(told.detail)
        return
    check_text(told.type_name)
    check_text(told.message)
    check_text(str(told))
    assert issubclass(getattr(builtins, told.builtin), BaseException)
    assert told.line is None or type(told.line) is int
    if isinstance(told, MissingName):
        check_text(told.name)


def check_text(text: Any, longest: int = LONGEST) -> None:
    assert type(text) is str
    assert len(text) <= longest
    text.encode()


def check_outcome(outcome: Any) -> None:
    if isinstance(outcome, CellOutcome):
        assert type(outcome.bound) is bool
        if outcome.error is not None:
            check_text(str(outcome.error))
            assert issubclass(getattr(builtins, outcome.error.builtin), BaseException)
        check_text(outcome.printed, LIMITS.output_bytes + 100)
    elif isinstance(outcome, Gradients):
        gradients = [*outcome.inputs, *outcome.parameters.values()]
        assert all(one is None or type(one) is torch.Tensor for one in gradients)
        check_plain([outcome.value, gradients, list(outcome.parameters)])
    elif isinstance(outcome, Answer):
        assert all(place in (0, 1, "k") and type(place) is not bool for place in outcome.changed)
        check_plain(outcome.value)
    else:
        check_plain(outcome)


ERROR = {"type": "E", "builtin": "ValueError", "message": "", "line": 1, "reason": None}


@cases(1500)
@given(forgeries(), st.sampled_from(REQUESTS))
@example(Forgery(decodable(1)[0] | {"changed": [True]}), call)
@example(Forgery({"missing": "\ud800" * 500}), call)
@example(Forgery({"error": ERROR | {"builtin": "print"}}), call)
@example(Forgery({"error": ERROR | {"line": 10**4000}}), call)
@example(Forgery({"result": {"array": 0}, "tensors": [["int8", [4], "meta", None, False]]}), call)
@example(Forgery({"result": {"device": "cuda:00"}, "tensors": []}), call)
def test_a_forged_answer_gives_plain_data_or_ends_cleanly(
    forgery: Forgery, request_: Callable[[Worker], Any]
) -> None:
    check(forgery, request_)


def test_a_length_that_is_claimed_and_never_sent_takes_no_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    claimed = 1 << 29
    forgery = Forgery({"result": 1, "tensors": []}, blob_bytes=claimed)
    with HostilePeer(forgery, claimed) as worker, pytest.raises(StudentDied, match="crashed"):
        call(worker)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB
