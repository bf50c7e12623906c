"""How to observe answers to all of 06's exercises but load_attention, for a diagnosis."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import torch
from torch import Tensor

from autograder.checks.kit.drawn import DrawnAxes, DrawnFigure
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from checks.maps_seen import column_names, row_names, table_seen
from graders.modules import names_numbers
from graders.seeing_attention.maps_seen import (
    along_shares,
    copied_to_cpu,
    loud_future,
    side_by_side,
)

TOKENS = ["the", "cat", "saw", "the", "dog"]


@probe(
    "plot_attention",
    device=("from a GPU",),
    refusal=("too few tokens",),
    form=("axes not given",),
)
def observe_plot_attention(student: Any) -> Observations:
    """What fixed maps show, and in which Axes."""
    weights = _rows("plot_attention", 5, 5)
    many = [f"w{place}" for place in range(18)]
    even = torch.full((len(many), len(many)), 1 / len(many))

    def given() -> object:
        ours = student.new_axes()
        back = student.plot_attention(weights, TOKENS, ours)
        return _told(back), getattr(student.drawn_in(ours), "mesh", None) is not None

    def not_given() -> object:
        """How many maps stand in a figure that was there before, where no Axes are given."""
        before = student.new_axes()
        student.plot_attention(weights, TOKENS)
        figure = student.figure_of(before)
        return sum(one.mesh is not None for one in getattr(figure, "axes", ()))

    return {
        "map": lambda: _told(student.plot_attention(weights, TOKENS)),
        "even": lambda: _told(student.plot_attention(even, many)),
        "given axes": given,
        "bfloat16": lambda: _told(student.plot_attention(weights.bfloat16(), TOKENS)),
        "from a GPU": lambda: copied_to_cpu(
            lambda: student.plot_attention(weights.to("meta"), TOKENS)
        ),
        "with a gradient": lambda: _told(
            student.grad("plot_attention", weights, TOKENS, upstream=torch.ones(1)).value
        ),
        "too few tokens": lambda: names_numbers(
            lambda: student.plot_attention(weights, TOKENS[:4]), 5, 4
        ),
        "changed": _changes(student, lambda: student.plot_attention(weights.clone(), TOKENS)),
        "axes not given": not_given,
    }


@probe(
    "compare_attention",
    numerics=(
        "large scores",
        "loud future",
    ),
)
def observe_compare_attention(student: Any) -> Observations:
    """What two fixed pairs of maps show."""
    scores = Draw(b"probe", "compare_attention").normal(5, 5)
    some_zero = scores * (torch.arange(25).view(5, 5) % 3 > 0)
    return {
        "maps": lambda: _told(student.compare_attention(scores, TOKENS)),
        "some scores 0": lambda: _told(student.compare_attention(some_zero, TOKENS)),
        "large scores": lambda: _told(student.compare_attention(1e4 * scores, TOKENS)),
        "loud future": lambda: _told(student.compare_attention(loud_future(scores), TOKENS)),
        "changed": _changes(student, lambda: student.compare_attention(scores.clone(), TOKENS)),
    }


@probe(
    "strongest_links",
    refusal=(
        "too few tokens",
        "too many tokens",
    ),
)
def observe_strongest_links(student: Any) -> Observations:
    """Links of fixed weights, with ties, with many keys, with more links than keys."""
    weights = _rows("strongest_links", 4, 7)
    ties = torch.tensor([[0.1, 0.4, 0.1, 0.4], [0.25, 0.25, 0.25, 0.25]])
    many = (torch.arange(40) * 7 % 3 / 64.0).repeat(2, 1)
    names = [f"w{place}" for place in range(40)]
    again = ["a", "b", "a", "c", "b", "a", "c"]

    def look(*args: Any, **options: Any) -> Callable[[], object]:
        return lambda: _in_numbers(student.strongest_links(*args, **options))

    return {
        "three": look(weights, names[:7]),
        "one": look(weights, names[:7], k=1),
        "same tokens": look(weights, again, 4),
        "ties": look(ties, names[:4], 3),
        "many ties": look(many, names, 20),
        "few keys": look(weights[:2, :2], names[:2], 5),  # enough for who mistakes the axis
        "zeros": look(torch.tensor([[0.0, 0.7, 0.3], [1.0, 0.0, 0.0]]), names[:3], 2),
        "bfloat16": look(weights.bfloat16(), names[:7]),
        "form": lambda: _types_in(student.strongest_links(weights, names[:7])),
        "too few tokens": lambda: names_numbers(look(weights, names[:6]), 7, 6),
        "too many tokens": lambda: names_numbers(look(weights, names[:9]), 7, 9),
        "changed": _changes(student, look(weights, names[:7])),
    }


def _in_numbers(found: object) -> object:
    """Lists of links, with plain numbers where tensors of one number stand."""
    if isinstance(found, list | tuple):
        return type(found)(map(_in_numbers, found))
    return found.item() if isinstance(found, Tensor) and found.ndim == 0 else found


def _types_in(found: object) -> object:
    """The types in lists of links."""
    if isinstance(found, list | tuple):
        return type(found).__name__, sorted({str(_types_in(one)) for one in found})
    return type(found).__name__


@probe("attention_entropy")
def observe_attention_entropy(student: Any) -> Observations:
    """Entropies of fixed weights of every rank, with zeros, in half precision, with gradients."""
    matrix, heads = _rows("entropy", 5, 7).double(), _rows("entropies", 2, 3, 5, 7).double()
    square = _rows("square", 4, 4).double()
    scores = Draw(b"probe", "entropy").normal(6, 6, dtype=torch.float64)
    future = torch.ones(6, 6, dtype=torch.bool).triu(1)
    causal = scores.masked_fill(future, -math.inf).softmax(dim=-1)

    def gradient(weights: Tensor) -> tuple[Tensor | None, ...]:
        upstream = torch.ones(weights.shape[:-1], dtype=weights.dtype)
        found = student.grad("attention_entropy", weights, upstream=upstream).inputs
        return cast(tuple[Tensor | None, ...], tuple(found))

    def at_zeros() -> object:
        """The gradient beside zeros; at them, right answers differ, and are finite."""
        (found,) = gradient(causal)
        if found is None or found.shape != causal.shape:
            return found
        beside = along_shares(found, causal > 0)[causal > 0]
        return bool(found.isnan().any()), bool(found.isinf().any()), beside

    return {
        "matrix": lambda: student.attention_entropy(matrix),
        "heads": lambda: student.attention_entropy(heads),
        "square": lambda: student.attention_entropy(square),
        "sharp": lambda: student.attention_entropy((4 * matrix.log()).softmax(dim=-1)),
        "zeros": lambda: student.attention_entropy(causal),
        "float16": lambda: student.attention_entropy(causal.half()),
        "gradient": lambda: tuple(map(along_shares, gradient(matrix))),
        "gradient at zeros": at_zeros,
        "meta": lambda: student.attention_entropy(torch.empty(2, 5, 7, device="meta")),
        "changed": _changes(student, lambda: student.attention_entropy(causal.clone())),
    }


@probe("classify_pattern")
def observe_classify_pattern(student: Any) -> Observations:
    """Names of fixed maps on both sides of every bound, and where several rules hold."""
    looks: dict[str, Callable[[], object]] = {}
    for name, weights in _patterns().items():
        looks[name] = lambda weights=weights: student.classify_pattern(weights)  # type: ignore[misc]
    return looks


def _patterns() -> dict[str, Tensor]:
    seq = 8
    position = torch.arange(seq)
    maps = {
        f"even {sharp}": (sharp * _rows("even", seq, seq).log()).softmax(-1)
        for sharp in (0.2, 0.5, 1)
    }
    places = {"own": position, "next": (position + 1) % seq, "far": (position + 3) % seq}
    for where, at in places.items():
        for peak in (0.95, 0.85, 0.75, 0.65):
            rest = (1 - peak) / (seq - 1)
            maps[f"{where} {peak}"] = torch.full((seq, seq), rest).scatter_(1, at[:, None], peak)
    for where, most in (("own", 0.85), ("far", 0.75)):  # the mean is 0.05 below the bound
        few = maps[f"{where} {most}"].clone()
        few[2] = torch.full((seq,), 0.9 / (seq - 1)).index_fill(0, places[where][2], 0.1)
        few[5] = few[2].roll(3)
        maps[f"{where}, two rows low"] = few
    uneven = maps["own 0.85"].clone()
    uneven[0] = maps["own 0.65"][0]
    maps["own, one row lower"] = uneven
    first = torch.full((seq, seq), 0.02)
    first[:, 0] = 0.86
    maps["first"] = first
    one_sharp = torch.full((seq, seq), 1 / seq)
    one_sharp[3] = maps["far 0.95"][3]
    maps["one sharp row"] = (one_sharp * 10).softmax(dim=-1)
    maps["itself and before"] = (0.46 * torch.eye(seq) + 0.46 * torch.eye(seq).roll(-1, 1)) + 0.01
    maps["both neighbours"] = 0.5 * (torch.eye(seq).roll(1, 1) + torch.eye(seq).roll(-1, 1))
    for reach in (1, 2):
        near = ((position - position[:, None]).abs() <= reach).double()
        maps[f"band {reach}"] = near / near.sum(dim=-1, keepdim=True)
    maps["band 1, one row far"] = maps["band 1"].index_copy(
        0, torch.tensor([4]), torch.tensor([[0.5, 0.5, 0, 0, 0, 0, 0, 0]], dtype=torch.float64)
    )
    maps["band 1, two rows far"] = maps["band 1, one row far"].clone()
    maps["band 1, two rows far"][5] = maps["band 1, two rows far"][4]
    some_even = torch.full((seq, seq), 1 / seq)
    some_even[0] = torch.eye(seq)[0]
    maps["all rows even but one"] = some_even
    for peak in (0.72, 0.68):
        apart = torch.where(position % 2 == 0, peak + 0.06, peak - 0.06)[:, None]
        at = torch.zeros(seq, seq).scatter_(1, (position[:, None] + 3) % seq, 1.0) > 0
        maps[f"far about {peak}"] = torch.where(at, apart, (1 - apart) / (seq - 1))
    maps["just diagonal"] = torch.tensor([[0.8, 0.2], [0.2, 0.8]], dtype=torch.float64)
    maps["two tokens"] = torch.tensor([[0.6, 0.4], [0.45, 0.55]])
    maps["all 0.33"] = torch.full((3, 3), 0.33)
    maps["bfloat16"] = maps["far 0.85"].bfloat16()
    return maps


def _rows(name: str, *shape: int) -> Tensor:
    return Draw(b"probe", name).normal(*shape).softmax(dim=-1)


def _told(found: object) -> object:
    """What a reader sees of a picture."""
    if isinstance(found, DrawnFigure):
        beside = [side_by_side(*two) for two in pairwise(found.axes)]
        return beside, *map(_told, _with_outer_names(found.axes))
    if not isinstance(found, DrawnAxes):
        return type(found).__name__
    across, down, title = found.xlabel.lower(), found.ylabel.lower(), found.title.lower()
    limits = found.mesh_limits
    return (
        None if found.mesh is None else torch.from_numpy(table_seen(found).copy()).float(),  # type: ignore[union-attr]
        row_names(found),
        column_names(found),
        [set(TOKENS) <= set(found.xticklabels), set(TOKENS) <= set(found.yticklabels)],
        ("key" in across, "quer" in across, "key" in down, "quer" in down),
        (bool(across), bool(down)),
        None if limits is None else torch.tensor(limits).float(),
        found.colorbar,
        ("bidirectional" in title, "causal" in title, bool(title)),
    )


def _with_outer_names(axes: Sequence[DrawnAxes]) -> list[DrawnAxes]:
    """Axes as a reader sees them: rows that are named in the first alone have its names in all."""
    return [
        replace(one, yticks=axes[0].yticks, yticklabels=axes[0].yticklabels, ylabel=axes[0].ylabel)
        if not one.ylabel and not any(one.yticklabels)
        else one
        for one in axes
    ]


def _changes(student: Any, call: Callable[[], object]) -> Callable[[], object]:
    return lambda: (call(), student.changed_inputs)[1]
