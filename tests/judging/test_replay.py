"""A recording runs again here, or is unfit; it never does more than a few small sums."""

import copy

import pytest
import torch

from autograder.tensors.operations import Unfit
from autograder.tensors.replay import MOST_OPERATIONS, replayed

X = torch.arange(6.0).reshape(2, 3)
GOOD = {
    "operations": [["aten.mul.Tensor", [("input", 0), 2.0], {}]],
    "constants": [],
    "result": ("made", 0, 0),
    "complete": True,
}


def changed(**changes):
    return copy.deepcopy(GOOD) | changes


def one(*operation):
    return changed(operations=[list(operation)])


def test_a_sound_recording_runs_again():
    assert torch.equal(replayed(GOOD, {0: X}, {}).result, X * 2)


def test_the_inputs_of_a_replay_stay_as_they_were():
    x = X.clone()
    replayed(one("aten.mul_.Tensor", [("input", 0), 2.0], {}), {0: x}, {})
    assert torch.equal(x, X)


@pytest.mark.parametrize(
    "claim",
    [
        {},
        changed(complete=1),
        changed(operations=None),
        changed(operations=[None]),
        changed(constants=[3]),
        changed(result=None),
        changed(result=("made", 0, 1)),
        changed(result=("made", [], 0)),
        one("aten.mul.Tensor", [("made", 0, 0), 2.0], {}),
        one("aten.mul.Tensor", [("parameter", "w"), 2.0], {}),
        one("aten.mul.Tensor", [("input", 0), "two"], {}),
        one("aten.mul.Tensor", [("input", 0), 2.0], {"nonsense": 1}),
        one("aten.mul.Tensor", [torch.ones(2), 2.0], {}),
        one("aten.mul.Tensor", [[[[[("input", 0)]]]]], {}),
        one("aten.mul.Tensor", [("input", 0), 2.0]),
        one(3, [], {}),
        one("aten.mul.__class__", [("input", 0), 2.0], {}),
        one("aten.__class__.default", [], {}),
        one("prims.mul.default", [("input", 0), 2.0], {}),
        one("aten.from_file.default", ["/etc/passwd", False, 3], {}),
        one("aten.set_.source_Tensor", [("input", 0), ("input", 0)], {}),
        one("aten.resize_.default", [("input", 0), [1 << 20]], {}),
        one("aten.mul", [("input", 0), 2.0], {}),
        one("aten.mul.right_", [1 << 40, []], {}),
        one("aten._reshape_alias.default", [("input", 0), [1 << 20], [1 << 20]], {}),
        one("aten.ones.default", [[2]], {"dtype": -1}),
        one("aten.ones.default", [[2]], {"dtype": torch.complex64}),
        one("aten._safe_softmax.default", [("input", 0), 1, -1], {}),
        one("aten.clone.default", [("input", 0)], {"memory_format": 4}),
        one("aten.empty.memory_format", [[2]], {"layout": torch.sparse_coo}),
        one("aten.ones_like.default", [("input", 0)], {"layout": 1}),
        one("aten.ones.default", [[1 << 40]], {}),
        one("aten.ones.default", [[2]], {"device": torch.device("cuda")}),
        one("aten.expand.default", [("input", 0), [1 << 40, 2, 3]], {}),
        one("aten.as_strided.default", [("input", 0), [4], [1], 1 << 30], {}),
        one("aten.clone.default", [("input", 0)], {"memory_format": "odd_format"}),
        changed(operations=GOOD["operations"] * (MOST_OPERATIONS + 1)),
    ],
)
def test_an_odd_recording_is_unfit(claim):
    with pytest.raises(Unfit):
        replayed(claim, {0: X}, {})


def test_a_recording_cannot_ask_for_much_work():
    column = ["aten.ones.default", [[1 << 16, 1]], {}]
    broadcast = ["aten.mul.Tensor", [("made", 0, 0), ("made", 1, 0)], {}]
    with pytest.raises(Unfit, match="work"):
        replayed(
            changed(operations=[column, ["aten.t.default", [("made", 0, 0)], {}], broadcast]),
            {0: X},
            {},
        )
    large = ["aten.ones.default", [[1 << 20]], {}]
    with pytest.raises(Unfit, match="work"):
        replayed(changed(operations=[large] * 100), {0: X}, {})
