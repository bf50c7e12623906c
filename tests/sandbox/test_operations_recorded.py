"""What ran in a call comes out of the process as data, and only as a claim."""

import pytest
import torch

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.sandbox.worker import Method
from autograder.tensors.operations import Unfit
from autograder.tensors.replay import replayed

SETUP = "import sys, torch\nimport torch.nn.functional as F\n"
X = torch.arange(12.0).reshape(3, 4) / 7
ANSWER = "def answer(x, y=None):\n    return torch.softmax(x @ x.mT, -1)"
RECORDER = "recorder = next(m for n, m in sys.modules.items() if n.endswith('inside.recording'))\n"


def test_a_call_and_what_ran_come_back(worker):
    worker.run_cell(SETUP + ANSWER)
    value, recording = worker.traced("answer", [X])
    assert torch.allclose(value, torch.softmax(X @ X.mT, -1))
    assert recording["complete"] is True
    assert [one[0] for one in recording["operations"]][-1] == "aten._softmax.default"
    again = replayed(recording, {0: X + 1}, {})
    assert torch.allclose(again.result, torch.softmax((X + 1) @ (X + 1).mT, -1))


def test_parameters_are_known_by_name_and_keywords_by_theirs(worker):
    worker.run_cell(
        SETUP + "class Answer(torch.nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.layer = torch.nn.Linear(4, 2)\n"
        "    def forward(self, x, shift):\n        return self.layer(x) + shift"
    )
    module = worker.call("Answer").value
    _, recording = worker.traced(Method(module), [X], {"shift": torch.ones(3, 2)})
    weights = {"layer.weight": torch.ones(2, 4), "layer.bias": torch.zeros(2)}
    again = replayed(recording, {0: X, "shift": torch.zeros(3, 2)}, weights)
    assert torch.allclose(again.result, X.sum(-1, keepdim=True).expand(3, 2))
    assert again.steps[-1].weights == frozenset()
    product = next(step for step in again.steps if step.name == "addmm")
    assert product.weights == {"layer.weight", "layer.bias"}


def test_recording_a_call_loads_no_module(worker):
    worker.run_cell(SETUP + ANSWER + "\nbefore = set(sys.modules)")
    worker.traced("answer", [X])
    worker.run_cell("loaded = sorted(set(sys.modules) - before)")
    assert worker.value("loaded") == []


def test_an_error_during_the_recording_is_the_students(worker):
    worker.run_cell(SETUP + "def answer(x):\n    x + 1\n    raise KeyError('gone')")
    with pytest.raises(StudentError) as raised:
        worker.traced("answer", [X])
    assert raised.value.type_name == "KeyError"
    worker.run_cell(ANSWER)
    assert worker.traced("answer", [X])[1]["complete"]


def test_later_calls_are_not_recorded_and_stay_right(worker):
    worker.run_cell(SETUP + ANSWER)
    worker.traced("answer", [X])
    assert torch.allclose(worker.call("answer", [X]).value, torch.softmax(X @ X.mT, -1))


def test_a_forged_recording_is_no_more_than_data(worker):
    worker.run_cell(
        SETUP + RECORDER + "def answer(x):\n"
        "    recorder.Recording.as_data = lambda self, value: {'operations': [\n"
        "        ['aten.from_file.default', ['/etc/passwd'], {}]], 'constants': [],\n"
        "        'result': ('made', 0, 0), 'complete': True}\n"
        "    return x"
    )
    _, recording = worker.traced("answer", [X])
    with pytest.raises(Unfit):
        replayed(recording, {0: X}, {})


@pytest.mark.parametrize(
    "instead", ["None", "[]", "{1: 2}", "{'operations': 3}", "{'operations': [[[]]]}"]
)
def test_an_odd_recording_breaks_the_protocol_or_is_unfit(worker, instead):
    worker.run_cell(
        SETUP + RECORDER + "def answer(x):\n"
        f"    recorder.Recording.as_data = lambda self, value: {instead}\n"
        "    return x"
    )
    with pytest.raises((StudentDied, Unfit)) as refused:
        replayed(worker.traced("answer", [X])[1], {0: X}, {})
    assert getattr(refused.value, "reason", "protocol") == "protocol"


def test_a_recording_without_end_is_cut(worker):
    worker.run_cell(
        SETUP + "def answer(x):\n    for _ in range(6000):\n        x = x + 1\n    return x"
    )
    value, recording = worker.traced("answer", [X])
    assert torch.allclose(value, X + 6000)
    assert recording["complete"] is False
    with pytest.raises(Unfit):
        replayed(recording, {0: X}, {})
