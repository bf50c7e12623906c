"""Whether a model of attention computes the text's equation, as far as one can tell.

With one head, the logits of some pairs are a weighted mean of the logits of each pair alone. That
shows the weights, whatever layers a model has; and where they are softmax of scaled scores, their
logarithms differ as these do. What q and k are made of can be told of models that have the layers
that the text names, and no others, under any names.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging.draw import Draw
from graders.attention_vs_recurrence.lessons import (
    Sequences,
    logits_of,
    made,
    parameters_of,
    sequences,
)
from solutions.attention_vs_recurrence.reference import recall_batch

KEYS, VALUES, WIDTH = 20, 7, 13  # no number twice; and two heads cannot share a prime width
BATCH, PAIRS = 24, 3
TOKENS, QUERIES, OUT = (KEYS * VALUES, WIDTH), (KEYS, WIDTH), (VALUES, WIDTH)
MOST_SQUARES = 4  # projections of q, k and v, and one of what was found

NEAR = 1e-3  # of what is compared; rounding is a hundred times less
FIT = 0.02  # in the logarithms of weights, of which none is below LEAST
LEAST = 1e-3
ENOUGH = 6  # sequences that tell their weights
FACTORS = (0.0, 1.5, 3.0, 4.5)  # times the queries: evenly spaced

# What stands in place of 1 / sqrt(d_model), times sqrt(d_model), and what to call it.
SCALES = {
    1.0: None,
    math.sqrt(WIDTH): "none",
    1 / math.sqrt(WIDTH): "no root",
    float(WIDTH): "upside down",
}

FAULTS = {
    "no mean": "With several pairs, your logits are not made of a weighted mean of their values.",
    "none": "Your scores are not divided by sqrt(d_model): they are not divided at all.",
    "no root": "Your scores are not divided by sqrt(d_model): they are divided by d_model itself.",
    "upside down": "Your scores are not divided by sqrt(d_model): they are multiplied.",
    "another scale": "Your scores are not divided by sqrt(d_model), but by another number.",
    "other weights": "With your own parameters, softmax of scaled q kᵀ gives other weights.",
    "other values": "With your own parameters, no projection gives the values that are mixed.",
    "no projections": "Your keys and values are the embeddings themselves, and no projections.",
    "keys not projected": "Your keys are the embeddings themselves, and no projection of them.",
    "values not projected": "Your values are the embeddings themselves, and no projection of them.",
    "one projection": "Your keys and values come out of the same projection.",
}
OF_PROJECTIONS = ("no projections", "keys not projected", "values not projected", "one projection")


def attention_fault(student: Any, draw: Draw) -> str | None:
    """What a student's attention is found to compute in place of the equation.

    Returns:
        a key of `FAULTS`, or None where nothing is found.
    """
    logits_of(made(student, "AttentionRecall"), sequences(draw, 2, PAIRS))  # raises what stops it
    try:
        model = made(student, "AttentionRecall", KEYS, VALUES, WIDTH)
        matrices = _given(model, draw)
        asked = _sequences(draw)
        weights, alone, is_mean = _seen(model, asked)
    except StudentError:
        return None  # such as two heads, which cannot share the width
    if any(max(table.shape) > WIDTH and table.shape[0] == VALUES for table in matrices.values()):
        return None  # heads that are d_model wide each
    if (alone - alone[:, :1]).abs().amax() < NEAR:
        return None  # no value counts
    if not is_mean:
        return "no mean"
    state = parameters_of(model).items()
    if any(v.ndim < 2 and v.numel() > 1 and "bias" not in key for key, v in state):
        return None  # such as a layer norm
    layers = _layers(matrices)
    if layers is None:
        return None if _follow_the_query(model, matrices, asked) else "other weights"
    return _fault_of(layers, asked, weights, alone)


@dataclass(frozen=True)
class Layers:
    """A model's matrices by what they are for.

    Attributes:
        tokens: one or two tables, (num_keys * num_values, d_model).
        queries: (num_keys, d_model).
        out: (num_values, d_model).
        squares: all others, (d_model, d_model) each.
        is_guess: whether the table of the queries is taken to be the beginning of that of the
            tokens, since there is no other.
    """

    tokens: tuple[Tensor, ...]
    queries: Tensor
    out: Tensor
    squares: tuple[Tensor, ...]
    is_guess: bool = False

    def projected(self, x: Tensor) -> Iterator[tuple[tuple[int, ...], Tensor]]:
        """x through none, one or two of the squares, and which ones."""
        turned = [*self.squares, *(square.mT for square in self.squares)]
        yield (), x
        for one, first in enumerate(turned):
            yield (one,), x @ first
            for other, second in enumerate(turned):
                yield (one, other), x @ first @ second


def _given(model: Any, draw: Draw) -> dict[str, Tensor]:
    """Give the model matrices that are drawn here, and biases of 0; its matrices by name."""
    state = {
        key: draw.normal(*value.shape, scale=1.5 * WIDTH**-0.5)
        if value.ndim > 1
        else value * ("bias" not in key)
        for key, value in parameters_of(model).items()
    }
    model.load_state_dict(state, strict=False)
    return {key: value.double() for key, value in state.items() if value.ndim > 1}


def _sequences(draw: Draw) -> Sequences:
    """Sequences without the same value twice: v may be made of it alone, and must tell apart."""
    seed = draw.integer(0, 2**31)
    tokens, query, answer = recall_batch(10 * BATCH, PAIRS, KEYS, VALUES, seed)
    values = (tokens % VALUES).sort(dim=1).values
    apart = (values[:, 1:] != values[:, :-1]).all(1).nonzero()[:BATCH, 0]  # three in five are
    return Sequences(tokens[apart], query[apart], answer[apart], VALUES)


def _one_by_one(asked: Sequences) -> Sequences:
    """Every pair alone, with the query of its sequence."""
    query, answer = (row.repeat_interleave(PAIRS) for row in (asked.query, asked.answer))
    return Sequences(asked.tokens.reshape(-1, 1), query, answer, VALUES)


def _seen(model: Any, asked: Sequences) -> tuple[Tensor, Tensor, bool]:
    """The weights with which a model's logits are a mean of those of each pair alone.

    Returns:
        the weights, (batch, pairs); the logits of each pair alone, (batch, pairs, num_values); and
        whether these weights give the logits of most sequences.
    """
    together = logits_of(model, asked).double()
    alone = logits_of(model, _one_by_one(asked)).double().view(BATCH, PAIRS, VALUES)
    one = torch.ones(BATCH, PAIRS, 1, dtype=torch.float64)
    parts = torch.cat([alone, one], dim=-1).mT  # that weights add up to 1 is one more equation
    wanted = torch.cat([together, one[:, 0]], dim=-1)[..., None]
    weights = torch.linalg.lstsq(parts, wanted).solution
    missed = (parts @ weights - wanted).abs().amax((1, 2))
    return weights[..., 0], alone, bool(missed.median() < NEAR * alone.abs().amax())


def _odds(weights: Tensor) -> Tensor:
    """By how much the scores of each sequence differ from that of its first pair."""
    logarithms = weights.log()
    return logarithms[:, 1:] - logarithms[:, :1]


def _follow_the_query(model: Any, matrices: dict[str, Tensor], asked: Sequences) -> bool:
    """Whether scores grow with the query, as products do; True if nothing tells.

    Where one table makes both q and k, they grow with its square, so a cubic is looked for.
    """
    tables = [name for name, table in matrices.items() if sorted(table.shape) == sorted(QUERIES)]
    for name in tables:
        seen = []
        for factor in FACTORS:
            model.load_state_dict({name: (factor * matrices[name]).float()}, strict=False)
            seen.append(_seen(model, asked)[0])
        model.load_state_dict({name: matrices[name].float()}, strict=False)
        telling = torch.stack(seen).gt(LEAST).all(0).all(1)
        if int(telling.sum()) < ENOUGH:
            return True
        none, once, twice, thrice = (_odds(weights[telling]) for weights in seen)
        bend = thrice - 3 * twice + 3 * once - none
        if bend.norm() < FIT * (thrice - none).norm():
            return True
    return not tables


def _layers(matrices: dict[str, Tensor]) -> Layers | None:
    """The matrices by what they are for; None where that cannot be told."""
    found: dict[tuple[int, ...], list[Tensor]] = {TOKENS: [], QUERIES: [], OUT: []}
    squares: list[Tensor] = []
    projections = 0
    for table in matrices.values():
        if tuple(table.shape) in found:
            found[tuple(table.shape)].append(table)
        elif tuple(table.mT.shape) in found:
            found[tuple(table.mT.shape)].append(table.mT)
        elif table.ndim == 2 and table.shape[1] == WIDTH and table.shape[0] % WIDTH == 0:
            squares += _parts(table)
            projections += len(table) // WIDTH
        else:
            return None
    tokens, queries, out = found.values()
    is_shared = len(tokens) == 1 and not queries
    queries = [tokens[0][:KEYS]] if is_shared else queries
    one_each = len(tokens) in (1, 2) and len(queries) == len(out) == 1
    if not one_each or projections > MOST_SQUARES:
        return None
    return Layers(tuple(tokens), queries[0], out[0], tuple(squares), is_shared)


def _parts(table: Tensor) -> list[Tensor]:
    """The projections that one matrix is made of, (d_model, d_model) each, lying in any order."""
    count = len(table) // WIDTH
    apart = [table[start::count] for start in range(count)] if count > 1 else []
    return [*table.split(WIDTH), *apart]


def _fault_of(layers: Layers, asked: Sequences, weights: Tensor, alone: Tensor) -> str | None:
    telling = (weights > LEAST).all(1)
    unlike = None if layers.is_guess else "other weights"
    if int(telling.sum()) < ENOUGH:
        return unlike
    odds = _odds(weights[telling])
    if odds.abs().amax() < NEAR:
        return None  # all weights are the same
    fits = list(_fits(layers, asked.tokens[telling], layers.queries[asked.query[telling]], odds))
    if not fits:
        return unlike
    return _values_fault(layers, fits, asked.tokens, alone) or _wrong_scale(fits[0].scale)


@dataclass(frozen=True)
class Fit:
    """One way to make q and k whose scores give the weights.

    Attributes:
        scale: what the scores are multiplied by.
        query: the squares that the query goes through.
        keys: those that the tokens' embeddings go through.
    """

    scale: float
    query: tuple[int, ...]
    keys: tuple[int, ...]


def _fits(layers: Layers, tokens: Tensor, query: Tensor, odds: Tensor) -> Iterator[Fit]:
    asking, queries = zip(*layers.projected(query), strict=True)
    for table in layers.tokens:
        asked, keys = zip(*layers.projected(table[tokens]), strict=True)
        scores = torch.einsum("abd,kbpd->akbp", torch.stack(queries), torch.stack(keys))
        scores = scores[..., 1:] - scores[..., :1]
        scale = (scores * odds).sum((2, 3)) / scores.square().sum((2, 3))
        missed = (scale[..., None, None] * scores - odds).flatten(2).norm(dim=-1)
        for place, other in (missed < FIT * odds.norm()).nonzero().tolist():
            yield Fit(scale[place, other].item(), asking[place], asked[other])


def _wrong_scale(scale: float) -> str | None:
    ratio = scale * math.sqrt(WIDTH)
    return next(
        (name for known, name in SCALES.items() if abs(ratio / known - 1) < FIT), "another scale"
    )


def _values_fault(layers: Layers, fits: list[Fit], tokens: Tensor, alone: Tensor) -> str | None:
    """What is wrong with how values, and keys, are made of the embeddings."""
    found = {
        way
        for table in layers.tokens
        for way, values in layers.projected(table[tokens])
        if _near(values @ layers.out.mT, alone)
    }
    if not found:
        return "other values" if len(layers.squares) < MOST_SQUARES else None  # three in a row
    if len(layers.tokens) > 1:
        return None  # a table of its own for k, and one for v, need no projections
    plain = {fit.keys for fit in fits if not fit.query}
    match () in plain, () in found:
        case True, True:
            return "no projections"
        case True, False:
            return "keys not projected"
        case False, True:
            return "values not projected"
    return "one projection" if plain & found else None


def _near(one: Tensor, other: Tensor) -> bool:
    return bool((one - other).abs().amax() < NEAR * other.abs().amax())
