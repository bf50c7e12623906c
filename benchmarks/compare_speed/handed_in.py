"""The class: seven exercises, and for each student one answer to each, about half of them wrong.

An answer uses no other exercise that the same student has got wrong, and is itself wrong only where
all that its exercise builds on is right: whether a mistake costs once, as here, or in every
exercise that it reaches differs from grader to grader, and is not what is compared.
"""

import ast
import random
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.judging.answers import reference_source
from benchmarks.classes import SEED, code_answers

NAME = "03-causal-masking"
# Graders belong to one assignment: these are seven of the eight exercises of the third.
EXERCISES = (
    "causal_mask",
    "padding_mask",
    "combine_masks",
    "additive_mask",
    "masked_softmax",
    "causal_attention",
    "causal_mask_for_cache",
)
POINTS = 2
IMPORTS = """\
import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor"""
STUB = re.compile(r"^def (\w+)\(", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """What a student writes in one cell.

    Attributes:
        exercise: the exercise's name.
        source: the cell.
        right: whether it deserves full marks.
    """

    exercise: str
    source: str
    right: bool


@dataclass(frozen=True)
class Submission:
    """One student's answers, in the order of EXERCISES."""

    student: str
    answers: tuple[Answer, ...]


def make_class(count: int) -> list[Submission]:
    """`count` submissions, all different, and the same ones every time."""
    known = {name: code_answers(name) for name in EXERCISES}
    dice = random.Random(SEED)
    return [_submission(f"student{number:04}", known, dice) for number in range(count)]


def _submission(
    student: str, known: dict[str, dict[bool, list[str]]], dice: random.Random
) -> Submission:
    right = {name: dice.random() < 0.5 for name in EXERCISES}

    def fitting(name: str) -> list[str]:
        wrong = {other for other in EXERCISES if other != name and not right[other]}
        if not right[name] and wrong & uses(reference_source(name)):
            return []
        return [source for source in known[name][right[name]] if not uses(source) & wrong]

    for name in EXERCISES:
        right[name] = right[name] or not fitting(name)
    answers = []
    for name in EXERCISES:
        source = f"{dice.choice(fitting(name))}\n# by {student}"
        answers.append(Answer(name, source, right[name]))
    return Submission(student, tuple(answers))


def uses(source: str) -> set[str]:
    """The names that an answer looks up."""
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def hand_in(submission: Submission, released: Path, folder: Path) -> Path:
    """Write a submission into a new folder: the released notebook, each stub replaced.

    Raises:
        ValueError: the notebook has not one stub for each exercise.
    """
    notebook = nbformat.read(released, as_version=4)
    sources = {answer.exercise: answer.source for answer in submission.answers}
    for cell in notebook.cells:
        stub = STUB.search(cell.source) if cell.cell_type == "code" else None
        if stub is not None and stub[1] in sources:
            cell.source = sources.pop(stub[1])
    if sources:
        raise ValueError(f"{released} has no cell for {', '.join(sources)}")
    folder.mkdir(parents=True)
    path = folder / released.name
    nbformat.write(notebook, path)
    return path
