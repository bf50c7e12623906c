"""How to observe answers to project_qkv and scaled_dot_product_attention for a diagnosis."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.modules import form, mask_of, overflowing

ATTENTION = "scaled_dot_product_attention"
Look = Callable[[], object]


@probe("project_qkv")
def observe_project_qkv(student: Any) -> Observations:
    """Projections of fixed tokens: of every rank, square, in bfloat16, with gradients."""
    draw = Draw(b"probe", "project_qkv")
    sizes = {
        "matrix": ((5,), 7, 4, 6),
        "batch": ((2, 5), 7, 4, 6),
        "batches": ((2, 3, 5), 7, 4, 6),
        "square": ((4,), 4, 4, 4),
        "as long as wide": ((2, 7), 7, 4, 6),
        "one token": ((1,), 7, 4, 6),
    }
    given = {
        name: (
            draw.normal(*lead, d_model, dtype=torch.float64),
            *(draw.normal(d_model, wide, dtype=torch.float64) for wide in (d_k, d_k, d_v)),
        )
        for name, (lead, d_model, d_k, d_v) in sizes.items()
    }
    batch = given["batch"]
    upstream = tuple(draw.normal(2, 5, wide, dtype=torch.float64) for wide in (4, 4, 6))

    def project(*args: Tensor) -> object:
        return student.project_qkv(*(part.clone() for part in args))

    looks: dict[str, Look] = {name: partial(project, *args) for name, args in given.items()}
    return looks | {
        "gradients": lambda: student.grad("project_qkv", *batch, upstream=upstream).inputs,
        "bfloat16": lambda: project(*(part.bfloat16() for part in batch)),
        "changed": lambda: (project(*batch), student.changed_inputs)[1],
        "meta": lambda: project(*(part.to("meta") for part in batch)),
    }


@probe("scaled_dot_product_attention")
def observe_scaled_dot_product_attention(student: Any) -> Observations:
    """Outputs and weights for fixed inputs: of every rank, under every kind of mask."""
    see = _AttentionProbe(student)
    half = torch.float16
    return {
        "matrix": see.attend("matrix"),
        "batch": see.attend("batch"),
        "heads": see.attend("heads"),
        "square": see.attend("square"),
        "spread": see.attend("batch", scale=8),
        "far": see.attend("batch", scale=10_000),
        "low, mask": see.low_under_a_mask,
        "leaks, mask": see.leaks,
        "far, mask": see.far_under_a_mask,
        "mask": see.attend("batch", (5, 7)),
        "mask, matrix": see.attend("matrix", (5, 7)),
        "mask, square": see.attend("square", (4, 4)),
        "mask of a batch": see.attend("batch", (2, 5, 7)),
        "padding": see.attend("heads", (2, 1, 1, 7)),
        "padding of a matrix": see.attend("matrix", (1, 7)),
        "mask per head": see.attend("heads", (3, 5, 7)),
        "mask, heads": see.attend("heads", (5, 7)),
        "mask of a text, heads": see.attend("heads", (2, 1, 5, 7)),
        "spread, heads": see.attend("heads", scale=8),
        "flat, heads": see.attend("heads", scale=0.25),
        "all allowed": lambda: see.call("batch", torch.ones(5, 7, dtype=torch.bool)),
        "gradients": see.gradients(None),
        "gradients, mask": see.gradients((5, 7)),
        "float16": see.kind("cpu", half, None),
        "float16, mask": see.kind("cpu", half, (5, 7)),
        "bfloat16, mask": overflowing(see.kind("cpu", torch.bfloat16, (5, 7))),
        "float32, forbidden": see.forbidden,
        "changed": see.changed,
        "meta": see.kind("meta", torch.float32, None),
        "meta, mask": see.kind("meta", torch.float32, (5, 7)),
    }


class _AttentionProbe:
    """One student's attention, observed with fixed inputs and masks."""

    def __init__(self, student: Any) -> None:
        self.student = student
        draw = Draw(b"probe", ATTENTION)
        sizes = {
            "matrix": ((), 5, 7, 6, 3),
            "batch": ((2,), 5, 7, 6, 3),
            "heads": ((2, 3), 5, 7, 6, 4),
            "square": ((), 4, 4, 4, 4),
        }
        self.given = {
            name: tuple(
                draw.normal(*lead, n, wide, dtype=torch.float64)
                for n, wide in ((queries, d_k), (keys, d_k), (keys, d_v))
            )
            for name, (lead, queries, keys, d_k, d_v) in sizes.items()
        }
        self.upstream = draw.normal(2, 5, 3, dtype=torch.float64)

    def mixed(self, shape: tuple[int, ...] | None) -> Tensor | None:
        """A mask whose rows all allow and forbid something, so that its inverse has no empty row.

        Ways to write attention differ on empty rows, where some give NaN and some zero.
        """
        if shape is None:
            return None
        mask = mask_of(Draw(b"probe", f"mask of {shape}"), *shape)
        mask[..., 1] = False
        return mask

    def call(self, name: str, mask: Tensor | None, scale: float = 1) -> object:
        """What comes back for one of the inputs."""
        q, k, v = self.given[name]
        args = (scale * q, k.clone(), v.clone())
        result = self.student.scaled_dot_product_attention(
            *args, *(() if mask is None else (mask.clone(),))
        )
        return tuple(result) if isinstance(result, list) else result

    def attend(self, name: str, mask: tuple[int, ...] | None = None, scale: float = 1) -> Look:
        """The same, for later."""
        return lambda: self.call(name, self.mixed(mask), scale)

    def far_under_a_mask(self) -> object:
        """Whether large scores under a mask give numbers, and weights that sum to one."""
        result = self.call("batch", self.mixed((5, 7)), scale=10_000)
        if not isinstance(result, tuple) or len(result) != 2:
            return form(result)
        output, weights = result
        sums = weights.sum(-1)
        return bool(output.isfinite().all()), bool(((sums - 1).abs() < 1e-3).all())

    def low_under_a_mask(self) -> object:
        """What comes back under a mask where all scores lie far below 0."""
        q, k, v = self.given["batch"]
        result = self.student.scaled_dot_product_attention(
            3000 * q.abs(), -k.abs(), v, self.mixed((5, 7))
        )
        return tuple(result) if isinstance(result, list) else result

    def leaks(self) -> object:
        """Whether a forbidden key far above the allowed ones gets any weight."""
        mask = self.mixed((5, 7))
        result = self.call("batch", mask, scale=100_000)
        if not isinstance(result, tuple) or len(result) != 2 or mask is None:
            return form(result)
        return bool((result[1][..., ~mask] == 0).all())

    def gradients(self, mask: tuple[int, ...] | None) -> Look:
        """Gradients of queries, keys and values."""
        args = (*self.given["batch"], self.mixed(mask))
        return lambda: self.student.grad(ATTENTION, *args, upstream=self.upstream).inputs

    def kind(self, device: str, dtype: torch.dtype, mask: tuple[int, ...] | None) -> Look:
        """The dtype and shape of what comes out there."""
        given = [part.to(dtype).to(device) for part in self.given["batch"]]
        own = self.mixed(mask)

        def look() -> object:
            masks = () if own is None else (own.to(device),)
            result = self.student.scaled_dot_product_attention(*given, *masks)
            return tuple(map(form, result)) if isinstance(result, tuple | list) else form(result)

        return look

    def forbidden(self) -> object:
        """Which weights are exactly zero in float32."""
        given = [part.float() for part in self.given["batch"]]
        result = self.student.scaled_dot_product_attention(*given, self.mixed((5, 7)))
        return result[1] == 0 if isinstance(result, tuple | list) else form(result)

    def changed(self) -> object:
        """Which arguments a call changes."""
        self.call("batch", self.mixed((5, 7)))
        return tuple(str(place) for place in self.student.changed_inputs)
