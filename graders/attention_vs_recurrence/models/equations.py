"""Whether a model of recurrence computes the text's equation, where its parameters let one tell.

Layers may have any names, and a model may be written in many ways; most cannot be recomputed here.
But who has the layers that the text names, and no others, has all that the equation needs: then the
same numbers can be put into both.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.judging.draw import Draw
from graders.attention_vs_recurrence.lessons import (
    D_MODEL,
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    logits_of,
    made,
    parameters_of,
    sequences,
)

PAIRS = 5
NEAR = 1e-4
TOKENS = (NUM_KEYS * NUM_VALUES, D_MODEL)
QUERIES = (NUM_KEYS, D_MODEL)
OUT = (NUM_VALUES, D_MODEL)


def lstm_computes(student: Any, draw: Draw) -> str | None:
    """What a student's LSTM computes: "equation", what it does in its place, or None: not known.

    Known are models of `nn.LSTM` or `nn.LSTMCell`, two tables of embeddings and one projection.
    """
    model = made(student, "LSTMRecall")
    if any(value.ndim < 2 and "bias" not in key for key, value in parameters_of(model).items()):
        return None  # such as a layer norm
    state = _given(model, draw)
    steps = {key.rsplit(".", 1)[-1].removesuffix("_l0"): key for key in state}
    if any(key.endswith("_reverse") for key in state):
        return "both directions"
    if "weight_ih" not in steps or "weight_hh" not in steps:
        return None
    enter, again = state.pop(steps["weight_ih"]), state.pop(steps["weight_hh"])
    gates, width = again.shape[0] / again.shape[1], again.shape[1]
    if gates != 4:
        return {3: "GRU", 1: "RNN"}.get(int(gates))
    if width != D_MODEL:
        return "another width"
    tables = _tables(state)
    if tables is None or tables.others or enter.shape != again.shape:
        return None
    asked = sequences(draw, 6, PAIRS)
    found = logits_of(model, asked)
    for name, states in _walks(tables, enter, again, asked):
        if torch.allclose(found, states @ tables.out.mT, rtol=NEAR, atol=NEAR):
            return name
    return "something else"


@dataclass(frozen=True)
class Tables:
    """A model's matrices: the embeddings, the last projection, and what is left.

    Attributes:
        tokens: (num_keys * num_values, d_model).
        queries: (num_keys, d_model).
        out: (num_values, d_model).
        others: all other matrices.
    """

    tokens: Tensor
    queries: Tensor
    out: Tensor
    others: tuple[Tensor, ...]


def _given(model: Any, draw: Draw) -> dict[str, Tensor]:
    """Give the model matrices that are drawn here, and biases of 0; its matrices by name."""
    state = {
        key: draw.normal(*value.shape, scale=1.5 * value.shape[-1] ** -0.5)
        if value.ndim > 1
        else value * (value.ndim == 0)
        for key, value in parameters_of(model).items()
    }
    model.load_state_dict(state, strict=False)
    return {key: value for key, value in state.items() if value.ndim > 1}


def _tables(state: dict[str, Tensor]) -> Tables | None:
    """The matrices by what they are for; None where that cannot be told."""
    named: dict[tuple[int, ...], Tensor] = {}
    others = []
    for table in state.values():
        if tuple(table.shape) in (TOKENS, QUERIES, OUT):
            named[tuple(table.shape)] = table
        else:
            others.append(table)
    if len(named) < 3 or len(others) + 3 < len(state):
        return None
    if any(table.ndim != 2 or table.shape[1] != D_MODEL for table in others):
        return None
    return Tables(named[TOKENS], named[QUERIES], named[OUT], tuple(others))


def _walks(
    tables: Tables, enter: Tensor, again: Tensor, asked: Sequences
) -> Iterator[tuple[str, Tensor]]:
    """What the logits may be made of, (batch, d_model), and what it is called."""
    pairs, query = tables.tokens[asked.tokens], tables.queries[asked.query][:, None]
    walk = _walking(enter, again)
    states, cells = walk(torch.cat([pairs, query], dim=1))
    yield "equation", states[:, -1]
    yield "cell state", cells[:, -1]
    yield "mean of the states", states.mean(dim=1)
    yield "largest of the states", states.amax(dim=1)
    yield "query first", walk(torch.cat([query, pairs], dim=1))[0][:, -1]
    yield "pairs backwards", walk(torch.cat([pairs.flip(1), query], dim=1))[0][:, -1]
    yield "all backwards", walk(torch.cat([query, pairs.flip(1)], dim=1))[0][:, -1]
    yield "query added", walk(pairs + query)[0][:, -1]


def _walking(enter: Tensor, again: Tensor) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    """An LSTM with these matrices: from (batch, steps, d_model) to all its h and all its c."""

    def walk(x: Tensor) -> tuple[Tensor, Tensor]:
        h = c = torch.zeros(len(x), again.shape[1])
        states, cells = [], []
        for step in x.unbind(1):
            i, f, g, o = (step @ enter.mT + h @ again.mT).chunk(4, dim=-1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            states.append(h)
            cells.append(c)
        return torch.stack(states, dim=1), torch.stack(cells, dim=1)

    return walk
