"""Visible checks of 05-fused-attention: the module; other exercises have files of their own."""

import numpy as np
import torch
from torch import Tensor

from checks import decoding, fused_weights, grouping, kernels, tiling
from checks.apart import drawn
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.describing import form_text, numbers_of
from checks.kit.errors import StudentError
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalModule, LocalStudent
from checks.kit.pictures import Heatmap
from checks.tables import Made

_WIDTH, _HEADS = 4, 2
_TOKENS = torch.tensor([[[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 2.0]]])
_ATTENDED = torch.tensor(  # worked out by hand for weights that pass everything through
    [
        [
            [0.80222416, 0.59888786, 1.78857040, 0.15857220],
            [0.59888786, 0.80222416, 0.28005850, 1.43594611],
            [0.75174493, 0.75174493, 0.09077673, 1.72252965],
        ]
    ]
)
_FORM = "(batch, seq, d_model)"


@example(
    "FusedMultiHeadAttention",
    picture=Heatmap(
        "Influence on each output, is_causal=True",
        rows=tuple(f"output {place}" for place in range(5)),
        columns=tuple(f"input {place}" for place in range(5)),
        rows_are="outputs",
        columns_are="inputs",
    ),
)
def influence_of_inputs_on_outputs(student: LocalStudent) -> Tensor:
    """For each output position, the size of its gradient at each input position, causal."""
    numbers = torch.Generator().manual_seed(7)
    attention = student.FusedMultiHeadAttention(8, 2)
    attention.load_state_dict(
        {
            "qkv.weight": torch.randn(24, 8, generator=numbers) / 2,
            "qkv.bias": torch.zeros(24),
            "out.weight": torch.randn(8, 8, generator=numbers) / 2,
            "out.bias": torch.zeros(8),
        },
        strict=False,
    )
    x = torch.randn(1, 5, 8, generator=numbers).repeat(5, 1, 1)
    upstream = torch.zeros(5, 5, 8)  # copy i of the sequence asks about output i alone
    upstream[torch.arange(5), torch.arange(5)] = torch.randn(8, generator=numbers)
    found = student.grad(attention.eval(), x, upstream=upstream, is_causal=True).inputs[0]
    return torch.zeros(5, 5) if found is None else found.norm(dim=-1)


@exercise("FusedMultiHeadAttention")
def test_the_parts(student: LocalStudent) -> None:
    """There is one projection `qkv`; 8 features for 3 heads, or 0, are refused by a ValueError."""
    attention = student.FusedMultiHeadAttention(12, 3)
    if not isinstance(attention, LocalModule):
        says = "FusedMultiHeadAttention must stay a class made from nn.Module."
        raise Mismatch(form_text(attention), "a module", says)
    found = {name: tuple(value.shape) for name, value in attention.state_dict().items()}
    wanted = {
        "qkv.weight": (36, 12),
        "qkv.bias": (36,),
        "out.weight": (12, 12),
        "out.bias": (12,),
    }
    if any(found.get(name) != shape for name, shape in wanted.items()):  # more is no fault
        missing = [name for name in wanted if name not in found]
        says = "Parameters of these names and shapes must be there: weights are loaded into them."
        if missing:
            says += f" Not found: {', '.join(missing)}."
        raise Mismatch(_lines(found), _lines(wanted), says)
    try:
        kept = attention.attribute("num_heads")
    except StudentError:
        kept = "no attribute num_heads"
    if kept != 3:
        says = "The text asks for the number of heads as the attribute num_heads."
        raise Mismatch(str(kept), "num_heads: 3", says)
    expect_value_error(lambda: student.FusedMultiHeadAttention(8, 3), numbers=(8, 3))
    expect_value_error(lambda: student.FusedMultiHeadAttention(8, 0), numbers=(8, 0))


@exercise("FusedMultiHeadAttention")
def test_three_tokens_by_hand(student: LocalStudent) -> None:
    """Weights that pass everything through give plain attention, of two heads and of one."""
    attention = _pass_through(student)
    expect(attention(_TOKENS), _ATTENDED, _FORM, _is_special)
    both = torch.cat([_TOKENS, _TOKENS.flip(1)])  # a batch: the tokens, and the same backwards
    wanted = torch.cat([_ATTENDED, _ATTENDED.flip(1)])
    says = "One sequence by itself comes out right, two in a batch do not. Are they kept apart?"
    expect(attention(both), wanted, _FORM, lambda _: says)
    whole = student.FusedMultiHeadAttention(4, 1)
    whole.load_state_dict(attention.state_dict(), strict=False)
    says = "With a single head of width 4, something else comes out. Of which width is the root?"
    expect(
        whole(_TOKENS),
        torch.from_numpy(_attended(_TOKENS.numpy()[0])).float()[None],
        _FORM,
        lambda _: says,
    )


@exercise("FusedMultiHeadAttention")
def test_queries_keys_and_values_have_their_places(student: LocalStudent) -> None:
    """Where all keys are alike, the mean of the values comes out; all queries, the same for all."""
    alike, none = torch.tensor([1.0, -2.0, 0.5, 3.0]), torch.zeros(4, 4)
    whole, turned = torch.eye(4), 2 * torch.eye(4).roll(1, 0)
    attention = _loaded(student, (whole, none, turned), (none[0], alike, none[0]), 3 * whole)
    wanted = 6 * _TOKENS.mean(1, keepdim=True).roll(1, -1).expand(1, 3, 4)
    says = "All keys are alike here. Which thirds of qkv's output are queries, keys and values?"
    expect(attention(_TOKENS), wanted.contiguous(), _FORM, lambda _: says)
    says = "A single token attends to itself: what comes out is made of its value."
    expect(attention(_TOKENS[:, :1]), 6 * _TOKENS[:, :1].roll(1, -1), _FORM, lambda _: says)
    attention = _loaded(student, (none, whole, whole), (alike, none[0], none[0]), whole)
    found = attention(_TOKENS)
    says = "All queries are alike here. Which third of qkv's output asks?"
    expect(found, found[:, :1].expand(1, 3, 4).contiguous(), _FORM, lambda _: says)


@exercise("FusedMultiHeadAttention")
def test_mask_and_causality_both_apply(student: LocalStudent) -> None:
    """With a mask and is_causal=True, hidden and later tokens change nothing; in halves too."""
    attention = _pass_through(student, dropout=0.5)
    mask = torch.tensor([[True, False, True]])  # nobody sees token 1, for instance padding
    mask = mask | torch.eye(3, dtype=torch.bool)  # but token 1 itself
    attention.train()(_TOKENS, mask=mask, is_causal=True)  # PyTorch's kernels differ in training
    plain = numbers_of(attention.eval()(_TOKENS))
    before = attention(_TOKENS, mask=mask, is_causal=True)
    if not isinstance(before, Tensor) or before.shape != _TOKENS.shape:
        expect(before, _TOKENS, _FORM)
    _expect_repeated(before, attention(_TOKENS, mask=mask, is_causal=True))
    for changed, reader, what, ask in (
        (2, 0, "token 2, which comes later,", "Does is_causal apply?"),
        (2, 1, "token 2, which comes later,", "Does is_causal apply?"),
        (1, 2, "token 1, which the mask hides,", "Does the mask apply?"),
    ):
        other = _TOKENS.clone()
        other[0, changed] += 5
        after = attention(other, mask=mask, is_causal=True)
        if not torch.equal(before[0, reader], after[0, reader]):
            if plain is None or not same(plain, _ATTENDED.numpy()):
                ask = "Plain attention is not right yet either: begin with the check above."
            says = f"Output {reader} changed when {what} did. {ask}"
            raise Mismatch(f"output {reader} changed", f"output {reader} as before", says)
    for dtype in (torch.bfloat16, torch.float16):
        attention.to(dtype)
        found = attention(_TOKENS.to(dtype), mask=mask, is_causal=True)
        expect(found, before.to(dtype), _FORM)
    _expect_no_table(student)


@exercise("FusedMultiHeadAttention")
def test_no_dropout_after_training(student: LocalStudent) -> None:
    """Dropout acts in training alone; gradients reach everything; all is made where x is."""
    _expect_learning(student)
    attention = _pass_through(student, dropout=0.5)
    student.seed(0)
    one, other = attention.train()(_TOKENS), attention(_TOKENS)
    if isinstance(one, Tensor) and torch.equal(one, other):
        says = "In training mode two calls gave the same numbers. Where does dropout go in?"
        raise Mismatch("twice the same", "two different results", says)
    attention.eval()
    _expect_repeated(attention(_TOKENS), attention(_TOKENS))
    one, other = attention.train()(_TOKENS), attention(_TOKENS)
    if isinstance(one, Tensor) and torch.equal(one, other):
        says = (
            "Back in training mode, two calls gave the same. What does an evaluation leave behind?"
        )
        raise Mismatch("twice the same", "two different results", says)
    attention.eval()
    expect(attention(_TOKENS), _ATTENDED, _FORM, _is_special)


def _expect_learning(student: LocalStudent) -> None:
    """State that gradients reach input and weights, masks stay, and all is made where x is."""
    attention = student.FusedMultiHeadAttention(4, 2)
    found = student.grad(attention, _TOKENS, upstream=_TOKENS.flip(1), is_causal=True)
    expect_gradients(found, "x", parameters=("qkv.weight", "out.weight"))
    mask = torch.tensor([[True, False, True]]) | torch.eye(3, dtype=torch.bool)
    for masks in ({"mask": mask}, {"mask": mask, "is_causal": True}, {"is_causal": True}, {}):
        attention(_TOKENS, **masks)
        expect_inputs_unchanged(student)
    attention.to("meta")
    given, mask = _TOKENS.to("meta"), mask.to("meta")
    for masks in ({"mask": mask}, {"mask": mask, "is_causal": True}, {"is_causal": True}):
        expect_on_meta(lambda options=masks: attention(given, **options), "x", reading=False)


def _expect_no_table(student: LocalStudent) -> None:
    """State that a text of 60 tokens needs no table of every query by every key."""
    attention = _pass_through(student)
    with Made() as made:
        attention(drawn(1, 60, 4).float())
    if made.largest >= 60 * 60:
        says = "A tensor holds every query by every key. Which function of PyTorch needs none?"
        raise Mismatch(f"a tensor of {made.largest} numbers", "no table of 60 by 60", says)


def _expect_repeated(first: object, second: object) -> None:
    """State that two calls alike, after eval(), gave the same."""
    if isinstance(first, Tensor) and isinstance(second, Tensor) and not torch.equal(first, second):
        says = "After eval(), two calls with the same input differ. What is still random then?"
        raise Mismatch("two different results", "twice the same", says)


def _pass_through(student: LocalStudent, dropout: float = 0.0) -> LocalModule:
    """The student's module with q = k = v = x and an output that is left as it is."""
    whole, zeros = torch.eye(_WIDTH), torch.zeros(_WIDTH)
    return _loaded(student, (whole,) * 3, (zeros,) * 3, whole, dropout=dropout)


def _loaded(
    student: LocalStudent,
    weights: tuple[Tensor, Tensor, Tensor],
    biases: tuple[Tensor, Tensor, Tensor],
    out: Tensor,
    dropout: float = 0.0,
) -> LocalModule:
    """The student's module with weights and biases for q, k and v, and a weight for the output."""
    attention: LocalModule = student.FusedMultiHeadAttention(_WIDTH, _HEADS, dropout=dropout)
    state = {"qkv.weight": torch.cat(weights), "qkv.bias": torch.cat(biases)}
    state |= {"out.weight": out, "out.bias": torch.zeros(_WIDTH)}
    attention.load_state_dict(state, strict=False)
    return attention


def _is_special(found: np.ndarray) -> str | None:
    """Names what `_TOKENS` turn into by a mix-up; None where it is none of these."""
    tokens = _TOKENS.numpy()[0]
    if same(found, tokens[None]):
        return "The input came out again unchanged. Which tokens does each position attend to?"
    if same(found, _attended(tokens)[None]):
        return "This is what a single head of width 4 gives. Where are the heads split?"
    heads = tokens.reshape(3, 2, 2).swapaxes(0, 1)  # (heads, seq, d_head), as it should be
    torn = _attended(tokens.reshape(2, 3, 2))
    if same(found, _merged(torn)) or same(found, torn.reshape(1, 3, 4)):
        return "Your heads hold pieces of several tokens: see splitting in notebook 4."
    if same(found, _attended(heads).reshape(1, 3, 4)):
        return "The heads are right, but one row of the output holds two tokens' features."
    if same(found, _attended(heads.swapaxes(0, 1)).reshape(1, 3, 4)):
        return "Each token attended to itself alone, across heads. Which axis must list the tokens?"
    if any(same(found, _merged(_attended(heads, root=root))) for root in (1, 2, 4)):
        return "The scores have another scale. Which root is it, and is it taken once?"
    q, k, v = np.tile(tokens, 3).reshape(3, 2, 3, 2).transpose(2, 1, 0, 3)
    if same(found, _merged(_attended(q, k, v))):
        return "The output of `qkv` holds q, k and v in another order than you take them from it."
    return None


def _attended(
    q: np.ndarray,
    k: np.ndarray | None = None,
    v: np.ndarray | None = None,
    root: float | None = None,
) -> np.ndarray:
    """Attention without a mask; what is not given is q, and the root of its width."""
    k = q if k is None else k
    v = q if v is None else v
    root = np.sqrt(q.shape[-1]) if root is None else root
    weights = np.exp(q @ k.swapaxes(-1, -2) / root)
    weighted: np.ndarray = weights @ v / weights.sum(axis=-1, keepdims=True)
    return weighted


def _merged(heads: np.ndarray) -> np.ndarray:
    return heads.swapaxes(0, 1).reshape(1, 3, 4)


def _lines(shapes: dict[str, tuple[int, ...]]) -> str:
    return "\n".join(f"{name} {shape}" for name, shape in shapes.items()) or "no parameters"
