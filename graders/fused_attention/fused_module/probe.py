"""How to observe an answer to FusedMultiHeadAttention for a diagnosis."""

from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders import modules
from graders.fused_attention.given_modules import (
    RARE_DROPOUT,
    dropped_weights,
    forbidden_leaks,
    future_leaks,
    texts_meet,
    weights_of,
    with_loud_values,
)
from graders.modules import form, refusing
from graders.observed_module import D_MODEL, HEADS, SEQ, Look, ModuleProbe

LONG = 150


class FusedProbe(ModuleProbe):
    """One student's module, which may be causal and may drop weights."""

    def out(
        self, mask: Tensor | None = None, is_causal: bool = False, seq: int = SEQ, **options: Any
    ) -> Look:
        """What comes out."""

        def look() -> object:
            own = None if mask is None else mask.clone()
            module = self.made(**{"dropout": RARE_DROPOUT} | options)
            return _first(module(self.x[:, :seq].clone(), mask=own, is_causal=is_causal))

        return look

    def both(self, mask: Tensor) -> Look:
        """What comes out under both masks but for the first position, whose row may be empty."""

        def look() -> object:
            result = self.out(mask, is_causal=True)()
            return result[:, 1:] if isinstance(result, Tensor) and result.ndim > 1 else form(result)

        return look

    def evaluated(self) -> object:
        """What comes out under a mask in evaluation."""
        module = self.made()
        module.eval()
        result = module(self.x.clone(), mask=self.mask.clone())
        return result if isinstance(result, Tensor) else form(result)

    def long(self) -> object:
        """The dtype and shape of what comes out for many tokens under both masks."""
        mask = torch.ones(LONG, LONG, dtype=torch.bool)
        return form(self.made()(torch.ones(1, LONG, D_MODEL), mask=mask, is_causal=True))

    def one_text(self) -> object:
        """What comes out for a batch of one text under a mask."""
        return _first(self.made()(self.x[:1].clone(), mask=self.mask.clone()))

    def one_head(self) -> object:
        """What comes out of a single head, as wide as the others, under a mask for each text."""
        width = D_MODEL // HEADS
        weights = weights_of(Draw(b"probe", "one head"), width)
        module = modules.load(modules.made(self.student, self.name, width, 1), weights)
        return _first(module(self.x[..., :width].clone(), mask=self.full[:, :1].clone()))

    def steady_evaluation(self, **masks: Any) -> Look:
        """Whether evaluation gives the same twice."""

        def look() -> object:
            module = self.made(dropout=0.5)
            module.eval()
            first, second = (module(self.x.clone(), **masks) for _ in range(2))
            return isinstance(first, Tensor) and torch.equal(first, second)

        return look

    def unsteady_training(self) -> object:
        """Whether training gives something else the second time, as it does where it drops."""
        module = self.made(dropout=0.5)
        return torch.equal(module(self.x.clone()), module(self.x.clone()))

    def training(self, **masks: Any) -> Look:
        """What dropout acts on in training."""
        return lambda: dropped_weights(self.student, Draw(b"probe", "drops"), 2, 3, **masks)

    def training_again(self) -> object:
        """What dropout acts on in training, after a training and an evaluation."""
        return dropped_weights(self.student, Draw(b"probe", "drops"), 2, 3, evaluated=True)

    def heads_kept(self) -> object:
        """What the module keeps as its number of heads."""
        return modules.size_of(self.made(), "num_heads")

    def moved(self) -> object:
        """The dtype and shape that come out where the module has gone after a first call."""
        module, masks = self.made(), {"mask": self.mask.clone(), "is_causal": True}
        module(self.x.clone(), **masks)
        module.to("meta")
        return form(module(self.x.to("meta"), **masks | {"mask": self.mask.to("meta")}))

    def autocast(self) -> object:
        """The dtype and shape that come out under autocast."""
        module = self.made()
        with self.student.autocast("cpu", torch.bfloat16):
            return form(module(self.x, is_causal=True))


@probe(
    "FusedMultiHeadAttention",
    numerics=(
        "leaks through a mask",
        "large values",
    ),
    form=("num_heads",),
)
def observe_fused_attention(student: Any) -> Observations:
    """Outputs for fixed weights under every kind of mask, mode, dtype and device."""
    see = FusedProbe(student, "FusedMultiHeadAttention", weights_of)
    half, single = torch.float16, torch.float32
    looks: dict[str, Look] = {
        "plain": see.out(),
        "mask": see.out(see.mask),
        "padding": see.out(see.padding),
        "mask per head": see.out(see.per_head),
        "as many heads as sequences": see.wide_mask,
        "full mask": see.out(see.full),
        "causal": see.out(is_causal=True),
        "both": see.both(see.mask),
        "both, padding": see.both(see.padding),
        "causal, no dropout": see.out(is_causal=True, dropout=0.0),
        "one token": see.out(seq=1),
        "as many tokens as heads": see.out(seq=HEADS),
        "one text, mask": see.one_text,
        "one head, mask of each text": see.one_head,
        "mask, evaluation": see.evaluated,
        "long": see.long,
        "leaks": lambda: future_leaks(student, Draw(b"probe", "leaks")),
        "leaks through a mask": lambda: forbidden_leaks(student, Draw(b"probe", "leaks")),
        "texts meet": lambda: texts_meet(student, Draw(b"probe", "texts")),
        "large values": see.follows_values(with_loud_values(see.weights)),
        "without bias": see.missing_without_bias,
        "evaluation": see.steady_evaluation(),
        "evaluation, mask": see.steady_evaluation(mask=see.mask),
        "evaluation, causal": see.steady_evaluation(is_causal=True),
        "another training": see.unsteady_training,
        "training": see.training(),
        "training, mask": see.training(mask=torch.ones(1, 1, dtype=torch.bool)),
        "training, causal": see.training(is_causal=True),
        "training again": see.training_again,
        "num_heads": see.heads_kept,
        "gradients": see.gradients,
        "float16": see.kind("cpu", half),
        "float16, causal": see.kind("cpu", half, is_causal=True),
        "float64": see.kind("cpu", torch.float64),
        "float16, mask": see.kind("cpu", half, see.mask),
        "bfloat16, mask": see.kind("cpu", torch.bfloat16, see.mask),
        "autocast": see.autocast,
        "meta": see.kind("meta", single),
        "meta, causal": see.kind("meta", single, is_causal=True),
        "meta, mask": see.kind("meta", single, see.mask),
        "meta, both": see.kind("meta", single, see.mask, is_causal=True),
        "meta, moved": see.moved,
        "changed": see.changed(is_causal=True),
        "refusal": see.refusal,
    }
    return {name: refusing(look) for name, look in looks.items()}


def _first(result: object) -> object:
    """What came out; several values count as a tuple, whatever stands behind the first."""
    return ("several", *result[:1]) if isinstance(result, tuple | list) else result
