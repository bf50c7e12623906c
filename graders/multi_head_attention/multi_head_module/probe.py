"""How to observe answers to MultiHeadAttention for a diagnosis."""

from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.modules import form, refusing, with_loud_values
from graders.multi_head_attention.given_weights import (
    assert_nothing_dropped,
    assert_nothing_leaks,
    loaded,
    weights_of,
)
from graders.observed_module import D_MODEL, HEADS, SEQ, Look, ModuleProbe


class MultiHeadProbe(ModuleProbe):
    """One student's module, whose calls give an output and weights."""

    def made(self, **options: Any) -> Any:
        """The module with the fixed weights, in evaluation."""
        module = super().made(**options)
        module.eval()
        return module

    def out(self, mask: Tensor | None = None, seq: int = SEQ) -> Look:
        """What comes out."""

        def look() -> object:
            own = None if mask is None else mask.clone()
            return self.made()(self.x[:, :seq].clone(), own)

        return look

    def batch_of_one(self) -> object:
        """What comes out for a batch of one text."""
        return self.made()(self.x[:1].clone())

    def one_head(self) -> object:
        """What comes out of a single head."""
        return loaded(self.student, D_MODEL, 1, self.weights)(self.x.clone())

    def unmasked_after_a_mask(self) -> object:
        """What comes out without a mask where an earlier call had one."""
        module = self.made()
        module(self.x.clone(), self.mask.clone())
        return module(self.x.clone())

    def large_scores(self) -> object:
        """Whether the output is finite where scores are large."""
        result = self.made()(1e3 * self.x)
        output = result[0] if isinstance(result, tuple | list) else result
        return isinstance(output, Tensor) and bool(output.isfinite().all())

    def half_input(self) -> object:
        """What becomes of an input in half precision, which a module in single cannot take."""
        return form(self.made()(self.x.half()))


@probe(
    "MultiHeadAttention",
    numerics=(
        "large scores",
        "large values",
        "leaks through a mask",
    ),
    dtype=("float16 in",),
)
def observe_multi_head_attention(student: Any) -> Observations:
    """Outputs and weights for fixed parameters under every kind of mask, dtype and device."""
    see = MultiHeadProbe(student, "MultiHeadAttention", weights_of)
    half, single = torch.float16, torch.float32
    looks: dict[str, Look] = {
        "plain": see.out(),
        "mask": see.out(see.mask),
        "padding": see.out(see.padding),
        "mask per head": see.out(see.per_head),
        "as many heads as sequences": see.wide_mask,
        "full mask": see.out(see.full),
        "one token": see.out(seq=1),
        "as many tokens as heads": see.out(seq=HEADS),
        "one text": see.batch_of_one,
        "one head": see.one_head,
        "after a mask": see.unmasked_after_a_mask,
        "large scores": see.large_scores,
        "large values": see.follows_values(with_loud_values(see.weights)),
        "leaks through a mask": lambda: assert_nothing_leaks(student, Draw(b"probe", "leaks")),
        "training": lambda: assert_nothing_dropped(student, Draw(b"probe", "training")),
        "without bias": see.missing_without_bias,
        "gradients": see.gradients,
        "float16": see.kind("cpu", half),
        "float16, mask": see.kind("cpu", half, see.mask),
        "bfloat16, mask": see.kind("cpu", torch.bfloat16, see.mask),
        "float16 in": see.half_input,
        "meta": see.kind("meta", single),
        "meta, mask": see.kind("meta", single, see.mask),
        "changed": see.changed(),
        "refusal": see.refusal,
    }
    return {name: refusing(look) for name, look in looks.items()}
