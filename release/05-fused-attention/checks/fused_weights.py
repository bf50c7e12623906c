"""Visible checks of 05-fused-attention: fuse_qkv and fused_from_projections."""

import numpy as np
import torch
from torch import Tensor

from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_part,
    same,
)
from checks.kit.local_student import LocalModule, LocalStudent
from checks.kit.pictures import Heatmap

_W_Q = torch.tensor([[1.0, 0.0], [0.0, 1.0]])  # the weights of the text
_W_K = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
_W_V = torch.tensor([[2.0, 0.0], [0.0, 2.0]])
_ROWS = tuple(f"row {place}, of w_{name}" for place, name in enumerate("qqkkvv"))
_FORM = "(3 * d_model, d_model)"
_LAYERS = ("w_q", "w_k", "w_v", "w_o")
# Four different projections, 2 wide: 10s for w_q, 20s for w_k, 30s for w_v, 40s for w_o.
_WEIGHTS = {
    name: 10.0 * (place + 1) + torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    for place, name in enumerate(_LAYERS)
}
_BIASES = {name: weight[0] / 10 for name, weight in _WEIGHTS.items()}
_FUSED = torch.tensor(
    [[11.0, 12.0], [13.0, 14.0], [21.0, 22.0], [23.0, 24.0], [31.0, 32.0], [33.0, 34.0]]
)


@example(
    "fuse_qkv",
    picture=Heatmap(
        "fuse_qkv(w_q, w_k, w_v)",
        rows=_ROWS,
        columns=("input 0", "input 1"),
        rows_are="outputs",
        columns_are="inputs",
    ),
)
def three_small_weights_in_one(student: LocalStudent) -> Tensor:
    """Weights whose numbers tell where they come from: 10s of w_q, 20s of w_k, 30s of w_v."""
    fused: Tensor = student.fuse_qkv(_WEIGHTS["w_q"], _WEIGHTS["w_k"], _WEIGHTS["w_v"])
    return fused


@example(
    "fused_from_projections",
    picture=Heatmap(
        "qkv.weight of the module",
        rows=_ROWS,
        columns=("input 0", "input 1"),
        rows_are="outputs",
        columns_are="inputs",
    ),
)
def weight_made_of_three_projections(student: LocalStudent) -> object:
    """The same weights, as the module holds them."""
    return _made(student).state_dict().get("qkv.weight")


@exercise("fuse_qkv")
def test_one_below_the_other(student: LocalStudent) -> None:
    """The rows 10s of w_q come first, then the 20s of w_k, then the 30s of w_v."""
    found = student.fuse_qkv(_WEIGHTS["w_q"], _WEIGHTS["w_k"], _WEIGHTS["w_v"])
    expect(found, _FUSED, _FORM, _order_is_special)
    expect_inputs_unchanged(student)


@exercise("fuse_qkv")
def test_the_example_of_the_text(student: LocalStudent) -> None:
    """With the weights of the text, x = [3, 5] makes 3 5, 5 3 and 6 10."""
    fused = student.fuse_qkv(_W_Q, _W_K, _W_V)
    wanted = [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    expect(fused, torch.tensor(wanted), _FORM)
    made = torch.tensor([3.0, 5.0]) @ fused.mT
    expect(made, torch.tensor([3.0, 5.0, 5.0, 3.0, 6.0, 10.0]), "q, then k, then v")


@exercise("fuse_qkv")
def test_half_precision_stays(student: LocalStudent) -> None:
    """Weights in bfloat16, 3 wide, give one of (9, 3) in bfloat16."""
    one = torch.ones(3, 3, dtype=torch.bfloat16)
    expect(student.fuse_qkv(one, one, one), torch.ones(9, 3, dtype=torch.bfloat16), _FORM)


@exercise("fuse_qkv")
def test_all_three_weights_can_learn(student: LocalStudent) -> None:
    """Gradients reach all three weights, and the fused one is made where they are."""
    found = student.grad("fuse_qkv", _W_Q, _W_K, _W_V, upstream=torch.ones(6, 2))
    expect_gradients(found, "w_q", "w_k", "w_v")
    three = (one.to("meta") for one in (_W_Q, _W_K, _W_V))
    expect_on_meta(lambda: student.fuse_qkv(*three), "w_q")


@exercise("fused_from_projections")
def test_the_weights_are_carried_over(student: LocalStudent) -> None:
    """The weights of w_q, w_k and w_v stand in `qkv.weight`, that of w_o in `out.weight`."""
    state = _made(student).state_dict()
    expect_part("qkv.weight", state.get("qkv.weight"), _FUSED, _FORM, _order_is_special)
    wanted = _WEIGHTS["w_o"]
    expect_part(
        "out.weight", state.get("out.weight"), wanted, "(d_model, d_model)", _out_is_special
    )


@exercise("fused_from_projections")
def test_the_biases_are_carried_over(student: LocalStudent) -> None:
    """The biases of w_q, w_k and w_v stand in `qkv.bias`, that of w_o in `out.bias`."""
    state = _made(student).state_dict()
    wanted = torch.tensor([1.1, 1.2, 2.1, 2.2, 3.1, 3.2])
    says = "This is not what the projections hold. Is every bias carried over, in the same order?"
    expect_part("qkv.bias", state.get("qkv.bias"), wanted, "(3 * d_model,)", lambda _: says)
    expect_part("out.bias", state.get("out.bias"), _BIASES["w_o"], "(d_model,)", lambda _: says)


@exercise("fused_from_projections")
def test_no_bias_where_there_was_none(student: LocalStudent) -> None:
    """Of four projections without a bias comes a module without one."""
    names = set(_made(student, bias=False).state_dict())
    made_up = sorted(names & {"qkv.bias", "out.bias"})
    if made_up:
        says = "The projections have no bias. How does your class make a module without one?"
        raise Mismatch(f"a module with {' and '.join(made_up)}", "a module without a bias", says)


@exercise("fused_from_projections")
def test_no_number_is_shared_with_the_layers(student: LocalStudent) -> None:
    """When the module's numbers become zeros, those of the projections stay as they were."""
    layers = [student.linear(_WEIGHTS[name], _BIASES[name]) for name in _LAYERS]
    module = _expect_module(student.fused_from_projections(*layers, 1))
    module.load_state_dict({name: 0 * one for name, one in module.state_dict().items()})
    for name, layer in zip(_LAYERS, layers, strict=True):
        state = layer.state_dict()
        for found, wanted in ((state["weight"], _WEIGHTS[name]), (state["bias"], _BIASES[name])):
            if not torch.equal(found, wanted):
                says = f"The numbers of {name} changed with those of your module. Who owns them?"
                raise Mismatch(f"{name} has other numbers", f"{name} as it was", says)


@exercise("fused_from_projections")
def test_it_answers_as_your_module_does(student: LocalStudent) -> None:
    """The module gives what yours gives with two heads and the same numbers, in float64."""
    numbers = torch.Generator().manual_seed(5)
    weight = torch.randn(16, 4, generator=numbers, dtype=torch.float64)
    bias = torch.randn(16, generator=numbers, dtype=torch.float64)
    x = torch.randn(1, 3, 4, generator=numbers, dtype=torch.float64)
    own: LocalModule = student.FusedMultiHeadAttention(4, 2).double()
    own.load_state_dict(
        {
            "qkv.weight": weight[:12],
            "qkv.bias": bias[:12],
            "out.weight": weight[12:],
            "out.bias": bias[12:],
        },
        strict=False,
    )
    wanted = own(x)
    layers = [student.linear(weight[at : at + 4], bias[at : at + 4]) for at in (0, 4, 8, 12)]
    found = _expect_module(student.fused_from_projections(*layers, 2))
    says = (
        "With the same numbers, your module gives something else. Are the heads as many as asked?"
    )
    expect(found(x), wanted, "(batch, seq, d_model)", lambda _: says)


def _made(student: LocalStudent, bias: bool = True) -> LocalModule:
    """The student's module of the four small projections."""
    layers = [student.linear(_WEIGHTS[name], _BIASES[name] if bias else None) for name in _LAYERS]
    return _expect_module(student.fused_from_projections(*layers, 1))


def _expect_module(made: object) -> LocalModule:
    if not hasattr(made, "state_dict"):
        says = "A FusedMultiHeadAttention is promised. What does your function return?"
        raise Mismatch(form_text(made), "a module", says)
    module: LocalModule = made  # type: ignore[assignment]
    return module


def _order_is_special(found: np.ndarray) -> str | None:
    """Names how the small weights were put together, where it is not as the text says."""
    q, k, v = (_WEIGHTS[name].numpy() for name in _LAYERS[:3])
    if found.shape == (2, 6):
        return "The weights lie side by side. Which axis of a weight lists the outputs?"
    if found.shape == (3, 2, 2):
        return "The weights are stacked along a new axis. One table of rows is wanted."
    if same(found, np.concatenate([q.T, k.T, v.T])):
        return "Each weight was transposed. It already has one row for each output."
    if same(found, np.stack([q, k, v], axis=1).reshape(6, 2)):
        return "The rows of the three weights alternate. Each weight should stay in one piece."
    if found.shape == (6, 2) and same(np.sort(found, axis=0), _FUSED):
        return "All rows are there, in another order: q first, then k, then v."
    if found.shape == (6, 2):
        return "These are not the numbers of the three weights. Is each of them carried over?"
    return None


def _out_is_special(found: np.ndarray) -> str | None:
    if same(found, _WEIGHTS["w_o"].numpy().T):
        return "The weight of w_o was transposed. nn.Linear holds it the same way on both sides."
    return "This is not the weight of w_o. Is it carried over?"
