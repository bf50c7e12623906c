"""Small random checkpoints in BERT's own form: other sizes than the one that students have."""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from autograder.judging.draw import Draw
from solutions.seeing_attention import reference

PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] . , ! the a cat dog ran sat to ##s ##ed ##ing run see it"
SAID = ("the", "cat", "dogs", "ran", "to", "it", "running", "sees", "Quiz", ",", "A", "seed")


@dataclass(frozen=True)
class Sizes:
    """What a checkpoint is like; no two of the numbers are the same.

    Attributes:
        name: its folder.
        layers, heads, width, hidden, positions: its sizes.
        as_on_the_hub: whether tensors are named as in bert-base-uncased: `bert.` in front, gamma
            and beta for the norms, and tensors for tasks beside them.
    """

    name: str
    layers: int
    heads: int
    width: int
    hidden: int
    positions: int
    as_on_the_hub: bool = False


NARROW = Sizes("hidden-narrow", layers=4, heads=2, width=10, hidden=7, positions=34)
WIDE = Sizes("hidden-wide", 2, heads=5, width=15, hidden=11, positions=41, as_on_the_hub=True)


@cache
def checkpoint(sizes: Sizes) -> Mapping[str, bytes]:
    """The checkpoint's three files by name; what it is asked is drawn anew in every test."""
    draw = Draw(b"checkpoint", sizes.name)
    config = {
        "model_type": "bert",
        "vocab_size": len(PIECES.split()),
        "hidden_size": sizes.width,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "intermediate_size": sizes.hidden,
        "hidden_act": "gelu",
        "max_position_embeddings": sizes.positions,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
    }
    tensors = {name: value.contiguous() for name, value in _tensors(sizes, draw).items()}
    return {
        "config.json": json.dumps(config).encode(),
        "vocab.txt": "".join(f"{piece}\n" for piece in PIECES.split()).encode(),
        "model.safetensors": save(tensors, metadata={"format": "pt"}),
    }


def text(draw: Draw, count: int) -> str:
    """A text of so many words."""
    return " ".join(SAID[draw.integer(0, len(SAID) - 1)] for _ in range(count))


def loaded(sizes: Sizes, *texts: str) -> tuple[list[str], Tensor]:
    """What the reference's load_attention gives for the checkpoint."""
    return reference.load_attention(str(_folder(sizes)), *texts)


def asked(student: Any, sizes: Sizes, *texts: str) -> Any:
    """What the student's load_attention gives for the same."""
    return student.load_attention(student.place(sizes.name, checkpoint(sizes)), *texts)


@cache
def _folder(sizes: Sizes) -> Path:
    folder = Path(_scratch().name, sizes.name)
    folder.mkdir()
    for name, data in checkpoint(sizes).items():
        (folder / name).write_bytes(data)
    return folder


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="autograder-checkpoints-")


def _tensors(sizes: Sizes, draw: Draw) -> dict[str, Tensor]:
    """Random tensors, large enough that every head has likes and dislikes."""
    width = sizes.width
    tensors = {
        "embeddings.word_embeddings.weight": draw.normal(len(PIECES.split()), width),
        "embeddings.position_embeddings.weight": draw.normal(sizes.positions, width),
        "embeddings.token_type_embeddings.weight": draw.normal(2, width),
        **_norm("embeddings.LayerNorm", width, draw),
    }
    for layer in range(sizes.layers):
        below = f"encoder.layer.{layer}."
        for role in ("query", "key", "value"):
            tensors |= _linear(f"{below}attention.self.{role}", width, width, draw)
        tensors |= _linear(f"{below}attention.output.dense", width, width, draw)
        tensors |= _norm(f"{below}attention.output.LayerNorm", width, draw)
        tensors |= _linear(f"{below}intermediate.dense", sizes.hidden, width, draw)
        tensors |= _linear(f"{below}output.dense", width, sizes.hidden, draw)
        tensors |= _norm(f"{below}output.LayerNorm", width, draw)
    if not sizes.as_on_the_hub:
        return tensors
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    for new, name in old.items():
        tensors = {key.replace(new, name): value for key, value in tensors.items()}
    named = {f"bert.{name}": value for name, value in tensors.items()}
    return named | {
        "cls.predictions.bias": torch.zeros(3),
        "cls.seq_relationship.bias": torch.ones(2),
    }


def _linear(name: str, outputs: int, inputs: int, draw: Draw) -> dict[str, Tensor]:
    weight = draw.normal(outputs, inputs, scale=1.3 * inputs**-0.5)
    return {f"{name}.weight": weight, f"{name}.bias": draw.normal(outputs, scale=0.3)}


def _norm(name: str, width: int, draw: Draw) -> dict[str, Tensor]:
    weight = 1 + draw.normal(width, scale=0.1)
    return {f"{name}.weight": weight, f"{name}.bias": draw.normal(width, scale=0.1)}
