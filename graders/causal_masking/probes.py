"""How to observe answers of 03-causal-masking for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from autograder.tensors.fresh import made_on
from graders.causal_masking.mask_parts import (
    kind_of_mask,
    largest_after,
    mixed_mask,
    pattern_of,
    refusal,
)
from solutions.causal_masking import reference

HALVES = {"bfloat16": torch.bfloat16, "float16": torch.float16}


@probe("causal_mask", device=("device, after the CPU",))
def observe_causal_mask(student: Any) -> Observations:
    """The mask of fixed lengths: what it allows, what it is made of, where it is."""

    def kind() -> object:
        mask = student.causal_mask(4)
        if not isinstance(mask, Tensor):
            return type(mask).__name__
        if mask.dtype is torch.bool:
            return "bool"
        return ("float" if mask.is_floating_point() else "int"), bool((mask < 0).any())

    def pattern(size: int) -> object:
        mask = student.causal_mask(size)
        if isinstance(mask, Tensor) and mask.is_floating_point() and (mask < 0).any():
            return "to be added", mask >= 0
        return pattern_of(mask)

    def device(size: int) -> object:
        return _place(student.causal_mask(size, device="meta"))

    return {
        "kind": kind,
        "one": lambda: pattern(1),
        "four": lambda: pattern(4),
        "seven": lambda: pattern(7),
        "twelve": lambda: pattern(12),
        "long": lambda: pattern(300),
        "device": lambda: device(23),  # a length of its own, so that nothing is kept of it
        "device, after the CPU": lambda: (student.causal_mask(4), device(4))[1],
        "device, no text": lambda: _place(student.causal_mask(21, device=torch.device("meta"))),
        "device, the default one": lambda: made_on(student, "causal_mask", "meta", 22),
    }


@probe("padding_mask", form=("list",), dtype=("32 bits",))
def observe_padding_mask(student: Any) -> Observations:
    """The masks of fixed lengths: tensors and lists, empty and full sequences, square or not."""
    lengths, square = torch.tensor([2, 5, 1]), torch.tensor([4, 1, 3, 2])
    longest = torch.tensor([0, 9, 6])

    def pattern(lengths: object, max_len: int) -> object:
        return pattern_of(student.padding_mask(lengths, max_len))

    def meta() -> object:
        return _place(student.padding_mask(torch.empty(3, dtype=torch.long, device="meta"), 7))

    def by_default() -> object:
        """Where the mask of one who reads the lengths is, which meta tensors do not let show."""
        try:
            meta()
        except StudentError:
            return made_on(student, "padding_mask", "meta", lengths, 7)
        return None

    return {
        "kind": lambda: kind_of_mask(student.padding_mask(lengths, 7)),
        "three": lambda: pattern(lengths, 7),
        "square": lambda: pattern(square, 4),
        "long": lambda: pattern(lengths, 40),
        "empty and full": lambda: pattern(longest, 9),
        "too long": lambda: pattern(longest, 5),
        "list": lambda: pattern(lengths.tolist(), 7),
        "device, of a list": lambda: made_on(student, "padding_mask", "meta", lengths.tolist(), 9),
        "one sequence": lambda: pattern(lengths[:1], 7),
        "32 bits": lambda: pattern(lengths.int(), 7),
        "meta": meta,
        "meta, the default device": by_default,
        "changed": lambda: (
            student.padding_mask(lengths.clone(), 7),
            student.changed_inputs,
        )[1],
        "changed, a list": lambda: (
            student.padding_mask([0, 9, 6], 5),
            student.changed_inputs,
        )[1],
    }


@probe("combine_masks")
def observe_combine_masks(student: Any) -> Observations:
    """Fixed masks combined: square or not, causal or not, and what the result is made of."""
    draw = Draw(b"probe", "combine_masks")
    several, square, single = (mixed_mask(draw, *shape) for shape in ((2, 5), (4, 4), (1, 6)))
    other, meta = mixed_mask(draw, 5, 5), torch.empty(2, 5, dtype=torch.bool, device="meta")

    def combined(padding: Tensor) -> Tensor:
        mask: Tensor = student.combine_masks(reference.causal_mask(padding.shape[1]), padding)
        return mask

    return {
        "kind": lambda: kind_of_mask(combined(several)),
        "several": lambda: pattern_of(combined(several)),
        "square": lambda: pattern_of(combined(square)),
        "single": lambda: pattern_of(combined(single)),
        "no padding": lambda: pattern_of(combined(torch.ones(2, 5, dtype=torch.bool))),
        "one position": lambda: pattern_of(combined(several[:, :1])),
        "another first mask": lambda: pattern_of(student.combine_masks(other, several)),
        "changed": lambda: (combined(single.clone()), student.changed_inputs)[1],
        "meta": lambda: student.combine_masks(torch.empty_like(meta[0].expand(5, 5)), meta),
    }


@probe("additive_mask")
def observe_additive_mask(student: Any) -> Observations:
    """The numbers made of fixed masks, in every dtype."""
    draw = Draw(b"probe", "additive_mask")
    mask, row = mixed_mask(draw, 4, 6), mixed_mask(draw, 7)
    dead = mask & (torch.arange(4)[:, None] != 2)
    meta = torch.empty(4, 6, dtype=torch.bool, device="meta")

    def look(mask: Tensor, dtype: torch.dtype) -> Callable[[], object]:
        return lambda: student.additive_mask(mask.clone(), dtype)

    return {
        "float32": look(mask, torch.float32),
        "float64": look(mask, torch.float64),
        **{name: look(mask, dtype) for name, dtype in HALVES.items()},
        "row": look(row, torch.float32),
        "dead row": look(dead, torch.float32),
        "all allowed": look(torch.ones(3, 2, dtype=torch.bool), torch.float32),
        "changed": lambda: (
            student.additive_mask(mask.clone(), torch.float32),
            student.changed_inputs,
        )[1],
        "meta": lambda: student.additive_mask(meta, torch.float32),
    }


@probe(
    "masked_softmax",
    numerics=(
        "largest",
        "93 beside",
    ),
)
def observe_masked_softmax(student: Any) -> Observations:
    """Weights of fixed scores and masks: every shape of mask, dead rows, far apart, gradients."""
    draw = Draw(b"probe", "masked_softmax")
    scores, upstream = draw.normal(2, 3, 5, 7), draw.normal(2, 3, 5, 7)
    square, mask = draw.normal(4, 4), mixed_mask(draw, 2, 3, 5, 7)
    dead = mask.clone()
    dead[:, :, 1] = False
    wild = torch.where(mask, scores, 1e30 * draw.normal(2, 3, 5, 7))
    largest = torch.where(mask, scores, torch.finfo(scores.dtype).max)
    shapes = ((7,), (5, 7), (2, 1, 1, 7))

    def look(scores: Tensor, mask: Tensor) -> Callable[[], object]:
        return lambda: student.masked_softmax(scores.clone(), mask.clone())

    def finite_beside(forbidden: float) -> object:
        weights = student.masked_softmax(torch.where(mask, scores, forbidden), mask.clone())
        return bool(weights.isfinite().all())

    def zeros_beyond() -> object:
        return bool((student.masked_softmax(scores.clone(), mask)[~mask] == 0).all())

    def gradient(mask: Tensor) -> object:
        return student.grad("masked_softmax", scores, mask, upstream=upstream).inputs[0]

    return {
        "same shape": look(scores, mask),
        "square": look(square, reference.causal_mask(4)),
        **{f"mask of {shape}": look(scores, mixed_mask(draw, *shape)) for shape in shapes},
        "exactly zero": zeros_beyond,
        "wild": look(wild, mask),
        "largest": look(largest, mask),
        # exp overflows, and a share that is taken before the mask comes out above 0
        "93 beside": lambda: finite_beside(93.0),
        "double": look(scores.double(), mask),
        "far": look(1e4 * scores, mask),
        "low": look(scores - 2e4, mask),
        "dead": look(scores, dead),
        "gradient": lambda: gradient(mask),
        "gradient beside dead": lambda: gradient(dead),
        **{name: look(scores.to(dtype), mask) for name, dtype in HALVES.items()},
        "changed": lambda: (look(scores, mask)(), student.changed_inputs)[1],
        "meta": lambda: student.masked_softmax(scores.to("meta"), mask.to("meta")),
    }


@probe(
    "causal_attention",
    numerics=(
        "wild future",
        "largest future",
    ),
    refusal=(
        "fewer keys",
        "one key",
        "more keys",
    ),
)
def observe_causal_attention(student: Any) -> Observations:
    """Outputs and weights of fixed tokens: of every rank, with a wild future, with gradients."""
    draw = Draw(b"probe", "causal_attention")
    shapes = {"matrix": (5,), "batch": (2, 5), "heads": (2, 3, 4), "single": (2, 1)}
    tokens = {
        name: (draw.normal(*shape, 6), draw.normal(*shape, 6), draw.normal(*shape, 10))
        for name, shape in shapes.items()
    }
    q, k, v = tokens["batch"]
    upstream = draw.normal(2, 5, 10)
    wild = [torch.cat([part[:, :3], 1e30 * part[:, 3:]], dim=1) for part in (q, k, v)]
    loud = torch.cat([k[:, :3], 4096 * k[:, 3:]], dim=1)
    of_the_past = upstream * (torch.arange(5) < 3)[:, None]

    def look(*parts: Tensor) -> Callable[[], object]:
        return lambda: student.causal_attention(*(part.clone() for part in parts))

    def zeros_beyond() -> object:
        return bool((student.causal_attention(q, k, v)[1].triu(1) == 0).all())

    def past() -> object:
        return tuple(part[:, :3] for part in student.causal_attention(*wild))

    def past_of_the_largest() -> object:
        heads = student.causal_attention(*largest_after(2, *tokens["heads"]))
        return tuple(part[..., :2, :] for part in heads)

    def refused(keys: int) -> object:
        more = (part.repeat(1, 2, 1)[:, :keys] for part in (k, v))
        return refusal(lambda: student.causal_attention(q, *more), (5, keys))

    def finite_beside_a_loud_future() -> object:
        found = student.grad("causal_attention", q, loud, v, upstream=of_the_past).inputs
        return all(one is None or bool(one.isfinite().all()) for one in found)

    return {
        **{name: look(*parts) for name, parts in tokens.items()},
        "exactly zero": zeros_beyond,
        "far": look(30 * q, 30 * k, v),
        "double": look(q.double(), k.double(), v.double()),
        "wild future": past,
        "largest future": past_of_the_largest,
        "gradients": lambda: student.grad("causal_attention", q, k, v, upstream=upstream).inputs,
        **{name: look(*(t.to(dtype) for t in (q, k, v))) for name, dtype in HALVES.items()},
        "fewer keys": lambda: refused(3),
        "one key": lambda: refused(1),
        "more keys": lambda: refused(8),
        "gradients beside a loud future": finite_beside_a_loud_future,
        "changed": lambda: (look(q, k, v)(), student.changed_inputs)[1],
        "meta": lambda: student.causal_attention(*(t.to("meta") for t in (q, k, v))),
    }


@probe("causal_mask_for_cache", refusal=("too many", "one too many"))
def observe_causal_mask_for_cache(student: Any) -> Observations:
    """The masks of fixed numbers of queries and keys, and what is refused."""

    def pattern(queries: int, keys: int) -> Callable[[], object]:
        return lambda: pattern_of(student.causal_mask_for_cache(queries, keys))

    return {
        "kind": lambda: kind_of_mask(student.causal_mask_for_cache(2, 6)),
        "some": pattern(3, 8),
        "most": pattern(6, 7),
        "few": pattern(2, 40),
        "one": pattern(1, 5),
        "all": pattern(4, 4),
        "long": lambda: tuple(student.causal_mask_for_cache(2, 600).shape),
        "device, the default one": lambda: made_on(student, "causal_mask_for_cache", "meta", 2, 21),
        "too many": lambda: refusal(lambda: student.causal_mask_for_cache(9, 4), (9, 4)),
        "one too many": lambda: refusal(lambda: student.causal_mask_for_cache(5, 4), (5, 4)),
    }


@probe("sliding_window_mask")
def observe_sliding_window_mask(student: Any) -> Observations:
    """The masks of fixed lengths and windows, from the smallest window to the largest."""

    def pattern(seq_len: int, window: int) -> Callable[[], object]:
        return lambda: pattern_of(student.sliding_window_mask(seq_len, window))

    return {
        "kind": lambda: kind_of_mask(student.sliding_window_mask(6, 3)),
        "some": pattern(8, 3),
        "one": pattern(5, 1),
        "two": pattern(7, 2),
        "whole": pattern(6, 6),
        "more": pattern(4, 9),
        "long": pattern(60, 5),
        "wide": pattern(12, 9),
        "one position": pattern(1, 3),
        "kind, one": lambda: kind_of_mask(student.sliding_window_mask(6, 1)),
        "device, the default one": lambda: made_on(student, "sliding_window_mask", "meta", 21, 3),
    }


def _place(mask: object) -> object:
    """The device of a tensor; None of anything else."""
    return mask.device.type if isinstance(mask, Tensor) else None
