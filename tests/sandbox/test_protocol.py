"""Code that speaks on the line itself: what it forges is refused, and never believed."""

import os
import time

import pytest
import torch

from autograder.checks.kit.errors import StudentDied, StudentError

FORGE = """
import json, os, struct, sys, time
MAGIC = b"agw1"
def request():
    frame = sys._getframe()
    while "request" not in frame.f_locals or "id" not in (frame.f_locals["request"] or {}):
        frame = frame.f_back
    return frame.f_locals["request"]
def raw(text, blob=b""):
    data = struct.pack("<4sIQ", MAGIC, len(text), len(blob)) + text + blob
    while data:
        data = data[os.write(3, data):]
def reply(**fields):
    usual = {"id": request()["id"], "tensors": [], "changed": [], "drawn": []}
    raw(json.dumps(usual | fields).encode())
"""


def died(worker, source, call="f"):
    worker.run_cell(FORGE)
    worker.run_cell(source)
    with pytest.raises(StudentDied) as death:
        worker.call(call, [torch.ones(2)])
    return death.value.reason


FORGERIES = {
    "another protocol": "os.write(3, b'HTTP/1.0 200 OK\\r\\n\\r\\n{}')",
    "a wrong id": 'raw(b\'{"id": "0", "result": 1, "tensors": [], "changed": [], "drawn": []}\')',
    "no id": "raw(b'{\"result\": 1}')",
    "a huge frame": "os.write(3, struct.pack('<4sIQ', MAGIC, 2, 1 << 60) + b'{}')",
    "deep JSON": "raw(b'[' * 100_000 + b']' * 100_000)",
    "not JSON": "raw(b'\\x80\\x04]\\x94.')",
    "a tag of its own": "reply(result={'pickle': 'gASV'})",
    "a tensor that is not there": "reply(result={'tensor': 0})",
    "a tensor past the end": (
        "reply(result={'tensor': 0}, tensors=[['float32', [9], 'cpu', None, False]])"
    ),
    "no result": "reply()",
    "an odd error": "reply(error={'type': 1})",
    "changes of what was not passed": "reply(result=1, changed=[5])",
    "odd changes": "reply(result=1, changed={})",
    "random numbers of nobody": "reply(result=1, drawn=['mine'])",
    "infinity by number": "raw(json.dumps({'id': request()['id'], 'result': 1e400}).encode())",
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=list(FORGERIES))
def test_a_forged_answer_ends_the_process_with_reason_protocol(worker, forgery):
    assert died(worker, f"def f(x):\n    {forgery}\n    time.sleep(9)") == "protocol"


def test_an_answer_before_the_question_is_refused(worker):
    worker.run_cell(FORGE + "\ndef f(x):\n    reply(result=1)\n    reply(result=2)\n    return 3")
    assert worker.call("f", [1]).value == 1  # its own claim, and its only one
    with pytest.raises(StudentDied, match="protocol"):
        worker.call("f", [1])


def test_a_thread_that_writes_between_calls_is_found_out(worker):
    worker.run_cell(
        FORGE + "import threading\n"
        "def late():\n    time.sleep(0.1)\n    os.write(3, b'x')\n"
        "threading.Thread(target=late).start()"
    )
    time.sleep(0.3)
    with pytest.raises(StudentDied, match="protocol: an answer that nobody asked for"):
        worker.run_cell("1")


def test_a_slow_drip_of_a_frame_ends_at_the_limit(quick):
    worker = quick(call_seconds=0.5)
    source = (
        "def f(x):\n"
        "    os.write(3, struct.pack('<4sIQ', MAGIC, 1000, 0))\n"
        "    while True: os.write(3, b' '); time.sleep(0.01)"
    )
    start = time.monotonic()
    assert died(worker, source) == "timeout"
    assert time.monotonic() - start < 1.5


def test_printed_verdicts_are_only_text(worker):
    outcome = worker.run_cell('print(\'{"score": 100, "status": "graded"}\')')
    assert outcome.printed.startswith('{"score"')


@pytest.mark.parametrize(
    "value",
    [
        "Evil()",
        "float.__new__(Odd, 3.0)",
        "torch.zeros(3).as_subclass(Lazy)",
        "lambda: 1",
        "torch.zeros",
        "{1: Evil()}",
        "[[torch.zeros(2).as_subclass(Lazy)]]",
        "open('data.csv')",
        "print",
        "...",
        "iter([1])",
    ],
)
def test_objects_that_could_answer_for_themselves_do_not_cross(worker, value):
    worker.run_cell(
        "import os, torch\n"
        "class Evil:\n"
        "    def __eq__(self, other): return True\n"
        "    def __reduce__(self): return (os.system, ('touch pickled',))\n"
        "class Odd(float):\n"
        "    def __eq__(self, other): return True\n"
        "class Lazy(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, *a, **k): return True\n"
        f"def f():\n    return {value}"
    )
    with pytest.raises(StudentError, match="cannot be graded"):
        worker.call("f")


def test_a_patched_torch_patches_the_students_process_alone(worker):
    worker.run_cell(
        "import torch\n"
        "torch.equal = torch.allclose = lambda *a, **k: True\n"
        "torch.Tensor.__eq__ = lambda *a: True\n"
        "torch.from_numpy = torch.Tensor.view = lambda *a: None\n"
        "def f(x):\n    return x + 1"
    )
    try:
        value = worker.call("f", [torch.zeros(2)]).value
    except (StudentDied, StudentError):
        return  # it has broken its own process
    assert not torch.equal(value, torch.zeros(2))


def test_a_pickle_is_never_loaded(worker, tmp_path):
    mark = tmp_path / "pickled"
    source = (
        "import pickle\n"
        "class P:\n"
        f"    def __reduce__(self): return (os.system, ('touch {mark}',))\n"
        "def f(x):\n"
        "    raw(pickle.dumps(P()))\n    time.sleep(9)"
    )
    assert died(worker, source) == "protocol"
    assert not os.path.exists(mark)
