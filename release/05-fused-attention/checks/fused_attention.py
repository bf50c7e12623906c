"""Visible checks of 05-fused-attention."""

import numpy as np
import torch
from torch import Tensor

from .describing import form_text
from .examples import example
from .expectation import Mismatch, exercise, expect, expect_value_error, same
from .local_student import LocalModule, LocalStudent
from .pictures import Heatmap

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
        queries=tuple(f"output {place}" for place in range(5)),
        keys=tuple(f"input {place}" for place in range(5)),
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
    """There is one projection `qkv`, three times as wide as `out`."""
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
    if found != wanted:
        missing = [name for name in wanted if name not in found]
        says = "The parameters' names and shapes must be these, for weights are loaded into them."
        if missing:
            says += f" Not found: {', '.join(missing)}."
        raise Mismatch(_lines(found), _lines(wanted), says)


@exercise("FusedMultiHeadAttention")
def test_three_tokens_by_hand(student: LocalStudent) -> None:
    """With weights that pass everything through, the heads' plain attention comes out."""
    expect(_pass_through(student)(_TOKENS), _ATTENDED, _FORM, _is_special)


@exercise("FusedMultiHeadAttention")
def test_mask_and_causality_both_apply(student: LocalStudent) -> None:
    """With a mask and is_causal=True, a hidden token and a later token change nothing."""
    attention = _pass_through(student, dropout=0.5)
    mask = torch.tensor([[True, False, True]])  # nobody sees token 1, for instance padding
    mask = mask | torch.eye(3, dtype=torch.bool)  # but token 1 itself
    attention.train()(_TOKENS, mask=mask, is_causal=True)  # PyTorch's kernels differ in training
    attention.eval()
    before = attention(_TOKENS, mask=mask, is_causal=True)
    if not isinstance(before, Tensor) or before.shape != _TOKENS.shape:
        expect(before, _TOKENS, _FORM)
    for changed, reader, says in (
        (2, 0, "Output 0 changed when token 2, which comes later, did. Does is_causal apply?"),
        (1, 2, "Output 2 changed when token 1 did, which the mask hides. Does the mask apply?"),
    ):
        other = _TOKENS.clone()
        other[0, changed] += 5
        after = attention(other, mask=mask, is_causal=True)
        if not torch.equal(before[0, reader], after[0, reader]):
            raise Mismatch(f"output {reader} changed", f"output {reader} as before", says)


@exercise("FusedMultiHeadAttention")
def test_no_dropout_after_training(student: LocalStudent) -> None:
    """After eval(), dropout=0.5 changes nothing; in training, it does."""
    attention = _pass_through(student, dropout=0.5)
    expect(attention.eval()(_TOKENS), _ATTENDED, _FORM, _is_special)
    student.seed(0)
    if torch.equal(attention.train()(_TOKENS), attention(_TOKENS)):
        says = "In training mode two calls gave the same numbers. Where does dropout go in?"
        raise Mismatch("twice the same", "two different results", says)


@exercise("FusedMultiHeadAttention")
def test_heads_that_do_not_fit_are_refused(student: LocalStudent) -> None:
    """A width of 10 cannot be shared by 4 heads: a ValueError names 10 and 4."""
    expect_value_error(lambda: student.FusedMultiHeadAttention(10, 4), numbers=(10, 4))


def _pass_through(student: LocalStudent, dropout: float = 0.0) -> LocalModule:
    """The student's module with q = k = v = x and an output that is left as it is."""
    attention: LocalModule = student.FusedMultiHeadAttention(_WIDTH, _HEADS, dropout=dropout)
    whole = torch.eye(_WIDTH)
    attention.load_state_dict(
        {
            "qkv.weight": torch.cat([whole, whole, whole]),
            "qkv.bias": torch.zeros(3 * _WIDTH),
            "out.weight": whole,
            "out.bias": torch.zeros(_WIDTH),
        },
        strict=False,
    )
    return attention


def _is_special(found: np.ndarray) -> str | None:
    tokens = _TOKENS.numpy()
    if same(found, tokens):
        return "The input came out again unchanged. Which tokens does each position attend to?"
    if same(found, _single_head(tokens[0])[None]):
        return "This is what a single head of width 4 gives. Where are the heads split?"
    return None


def _single_head(tokens: np.ndarray) -> np.ndarray:
    scores = np.exp(tokens @ tokens.T / np.sqrt(tokens.shape[-1]))
    weighted: np.ndarray = scores @ tokens / scores.sum(axis=-1, keepdims=True)
    return weighted


def _lines(shapes: dict[str, tuple[int, ...]]) -> str:
    return "\n".join(f"{name} {shape}" for name, shape in shapes.items()) or "no parameters"
